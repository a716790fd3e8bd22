"""Count the stages whose clips an edit to each module of the model or the parts renders anew.

    python -m benchmarks.reach                          the model and the parts of scenes
    python -m benchmarks.reach clockhead.model.rope     modules whose names begin so

A clip depends on the source of every module that its stage imports, directly or not. Prints the
number of such stages, the lines of the module, its name, and the stage if it is the only one.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from clockhead.clips.fingerprint import source_hashes  # noqa: E402
from clockhead.scenes.stage import stage_names  # noqa: E402

ROOMS = ("clockhead.model", "clockhead.scenes.parts")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("prefixes", nargs="*", default=ROOMS, metavar="PREFIX")
    prefixes = tuple(parser.parse_args().prefixes)
    stages: defaultdict[str, list[str]] = defaultdict(list)
    for stage in stage_names():
        for module in source_hashes(stage):
            if module.startswith(prefixes):
                stages[module].append(stage)
    for module, found in sorted(stages.items(), key=lambda item: (-len(item[1]), item[0])):
        only = found[0] if len(found) == 1 else ""
        print(f"{len(found):4d} {_n_lines(module):5d}  {module} {only}".rstrip())


def _n_lines(module: str) -> int:
    path = ROOT.joinpath("src", *module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(file.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    main()
