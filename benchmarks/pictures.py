"""List the plays of films whose pictures differ from those at an earlier commit.

    python -m benchmarks.pictures --against COMMIT                     all films that come
    python -m benchmarks.pictures --against COMMIT rope --aspect 9:16 --theme paper
    python -m benchmarks.pictures --against COMMIT --numbers           numbers instead of pictures

Every shot is played without drawing, here and at COMMIT, and at the end of each play everything
visible is digested: points as the camera shows them, colours, line widths and their order.
Numbers closer than 1e-6 count as equal. `--numbers` compares `clockhead numbers FILM --json`.
Exits with 1 if anything differs, and with 2 if the two could not be compared.

COMMIT is unpacked into a temporary folder and run with this interpreter, so its dependencies have
to be installed. Each side plays its films with its own version of this file, which knows the names
of its modules; a commit from before this file, with the first version. The digest is always that
of the file which runs the comparison, and uses nothing but Manim.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
PLAYER = "benchmarks/pictures.py"
GRID, OFFSET = 1e-6, 0.317
"""Numbers are rounded to this grid, which is shifted away from round numbers."""

Plays = list[list[Any]]
"""Of each play: the frame at which it ends, and the digest of its picture."""


def main() -> None:
    arguments = _parse_arguments()
    if arguments.play:
        play_films(arguments.films, arguments.aspect, arguments.theme, arguments.digest)
        return
    if arguments.against is None:
        fail("name a commit: --against COMMIT")
    look = ["--aspect", arguments.aspect, "--theme", arguments.theme]
    known = {*films_of(None), *films_of(arguments.against)}
    if unknown := set(arguments.films) - known:
        fail(f"no film {', '.join(sorted(unknown))}, neither here nor in the commit")
    films = arguments.films or sorted(known)
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        there = Path(folder) / "checkout"
        unpack(arguments.against, there)
        if arguments.numbers:
            found = list(compare_numbers(films, there))
        else:
            found = list(compare_pictures(films, there, look))
    print("\n".join(found) or f"no differences in {', '.join(films)}")
    sys.exit(bool(found))


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("films", nargs="*", metavar="FILM", help="all that come if left out")
    parser.add_argument("--against", metavar="COMMIT", help="the commit to compare with")
    parser.add_argument("--aspect", default="16:9")
    parser.add_argument("--theme", default="chalk")
    parser.add_argument("--numbers", action="store_true", help="compare numbers, not pictures")
    parser.add_argument("--play", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--digest", default=__file__, help=argparse.SUPPRESS)
    return parser.parse_args()


def fail(message: str) -> NoReturn:
    """Exit because the two sides cannot be compared."""
    print(message, file=sys.stderr)
    sys.exit(2)


# --- The two sides ---


def films_of(commit: str | None) -> list[str]:
    """The storyboards that a commit has, or the index if it is None, by name."""
    command = ["ls-files"] if commit is None else ["ls-tree", "--name-only", commit]
    files = _git(*command, "storyboards/").splitlines()
    return [Path(file).stem for file in files if file.endswith(".yaml")]


def unpack(commit: str, folder: Path) -> None:
    """Write the files of a commit into a new folder, with a player of films if it has none."""
    folder.mkdir()
    archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
    if archive.wait():
        fail(f"{commit} could not be unpacked")
    player = folder / PLAYER
    if not player.exists():
        player.parent.mkdir(exist_ok=True)
        player.write_text(_first_player(), encoding="utf-8")


def _first_player() -> str:
    """The first version of this file, or this one if it was never committed."""
    added = _git("log", "--diff-filter=A", "--format=%H", "--", PLAYER).split()
    return _git("show", f"{added[-1]}:{PLAYER}") if added else Path(__file__).read_text()


def _git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        fail(f"git {' '.join(command)} failed")
    return done.stdout


def _start(root: Path, *command: str) -> subprocess.Popen[str]:
    """Start Python in a checkout, with its modules before all others of their names."""
    paths = os.pathsep.join(map(str, (root / "src", root)))
    environment = os.environ | {"PYTHONPATH": paths, "CLOCKHEAD_PROJECT": ""}
    environment["CLOCKHEAD_HOME"] = ""  # its name at older commits
    environment |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    return subprocess.Popen(
        [sys.executable, "-P", *command],
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def _outputs(*sides: subprocess.Popen[str]) -> list[str]:
    """What both sides print; they run at the same time."""
    outputs = [side.communicate()[0] for side in sides]
    if any(side.returncode for side in sides):
        fail("one of the two sides failed")
    return outputs


# --- Pictures ---


def compare_pictures(films: Sequence[str], there: Path, look: Sequence[str]) -> Iterator[str]:
    """Play films in both checkouts; yield a line for each difference."""
    sides = [
        _start(root, PLAYER, "--play", "--digest", str(Path(__file__).resolve()), *look, *films)
        for root in (ROOT, there)
    ]
    here, before = (
        {shot["shot"]: shot["plays"] for shot in map(json.loads, output.splitlines())}
        for output in _outputs(*sides)
    )
    for shot in [*here, *(shot for shot in before if shot not in here)]:
        if shot not in before:
            yield f"{shot}: not in the commit"
        elif shot not in here:
            yield f"{shot}: only in the commit"
        else:
            yield from compare_plays(shot, here[shot], before[shot])


def compare_plays(shot: str, here: Plays, before: Plays) -> Iterator[str]:
    """Yield a line for each play that differs, in its last picture or in how long it takes."""
    sides = [
        [(end - start, end, digest) for (start, _), (end, digest) in pairwise([[0, ""], *plays])]
        for plays in (here, before)
    ]
    for number, (play, old) in enumerate(zip_longest(*sides), 1):
        if play is None:
            yield f"{shot}: play {number}, to frame {old[1]}, is only in the commit"
            continue
        what = f"{shot}: play {number}, to frame {play[1]},"
        if old is None:
            yield f"{what} is not in the commit"
        elif play[2] != old[2]:
            yield f"{what} looks different"
        elif play[0] != old[0]:
            yield f"{what} takes {play[0]} frames, in the commit {old[0]}"


def play_films(films: Sequence[str], aspect: str, theme: str, digest_file: str) -> None:
    """Print a line of JSON for each shot, with its plays. Storyboards are those beside this file.

    The digest is `visible_digest` of `digest_file`. All names of Clockhead's modules are here.
    """
    from clockhead.clips.drawing import manim_settings
    from clockhead.look import Wish
    from clockhead.scenes.stage import find_stage
    from clockhead.scenes.stage.carry import BlindRenderer
    from clockhead.storyboard.films import load_films

    digest = runpy.run_path(digest_file)["visible_digest"]
    wish = Wish(aspect=aspect, theme=theme)  # type: ignore[arg-type]
    for name in films:
        file = ROOT / "storyboards" / f"{name}.yaml"
        if not file.exists():
            continue
        [film] = load_films([str(file)], wish=wish)
        for shot in film.shots:
            plays: Plays = []

            def look_at(scene: Any, plays: Plays = plays) -> None:
                plays.append([scene.frame, digest(scene)])

            with (
                tempfile.TemporaryDirectory() as media,
                manim_settings(film.look, Path(media), dry_run=True),
            ):
                stage = find_stage(shot.stage)
                stage(shot.shot, renderer=BlindRenderer(), on_play=look_at).render()
            print(json.dumps({"shot": f"{name}.{shot.id}", "plays": plays}), flush=True)


def visible_digest(scene: Any) -> str:
    """Digest of everything that a Manim scene shows now."""
    import numpy as np
    from manim import VMobject
    from manim.utils.family import extract_mobject_family_members

    def on_grid(numbers: Any) -> bytes:
        return np.floor(np.asarray(numbers) / GRID + OFFSET).astype(np.int64).tobytes()

    camera = scene.camera
    digest = hashlib.sha256(repr((camera.background_color, camera.background_opacity)).encode())
    for mobject in extract_mobject_family_members(
        scene.mobjects, use_z_index=camera.use_z_index, only_those_with_points=True
    ):
        points = on_grid(camera.transform_points_pre_display(mobject, mobject.points))
        if not isinstance(mobject, VMobject):
            pixels = np.ascontiguousarray(getattr(mobject, "pixel_array", np.zeros(0)))
            digest.update(points + pixels.tobytes())
            continue
        pens = [
            (mobject.background_stroke_rgbas, mobject.background_stroke_width),
            (mobject.fill_rgbas, 1.0),
            (mobject.stroke_rgbas, mobject.stroke_width),
        ]
        seen = [
            (number, colors, float(width))
            for number, (colors, width) in enumerate(pens)
            if width > GRID and len(colors) and (colors[:, 3] > GRID).any()
        ]
        if not seen:
            continue
        style = (mobject.joint_type, mobject.cap_style, tuple(number for number, *_ in seen))
        digest.update(repr(style).encode() + points)
        for _, colors, width in seen:
            digest.update(on_grid(colors) + on_grid(width))
    return digest.hexdigest()[:16]


# --- Numbers ---


def compare_numbers(films: Sequence[str], there: Path) -> Iterator[str]:
    """Print the numbers of films in both checkouts; yield a line for each value that differs."""
    for name in films:
        command = ["-m", "clockhead", "numbers", f"storyboards/{name}.yaml", "--json"]
        roots = [root for root in (ROOT, there) if (root / command[3]).exists()]
        if len(roots) < 2:
            yield f"{name}: only {'in the commit' if roots == [there] else 'here'}"
            continue
        outputs = _outputs(*(_start(root, *command) for root in roots))
        here, before = (dict(_leaves(json.loads(output))) for output in outputs)
        for path in [*here, *(path for path in before if path not in here)]:
            if here.get(path) != before.get(path):
                new, old = (side.get(path, "missing") for side in (here, before))
                yield f"{name}: {path}: {new}, in the commit {old}"


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The values in JSON that are neither lists nor objects, by path; as JSON."""
    if isinstance(value, dict | list) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            yield from _leaves(part, f"{path}.{key}" if path else str(key))
    else:
        yield path, json.dumps(value)


if __name__ == "__main__":
    main()
