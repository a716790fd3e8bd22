"""Time whole films: stock Manim, Clockhead, and x264 alone, one after the other in one run.

    python -m benchmarks.render                           all films, 720p30
    python -m benchmarks.render --film rope -q h

The same shots with the same inputs are rendered cold by `manim render` (caching off, one scene
after another, as it does it) and by `clockhead render`; then one caption is changed and the film
is rendered again; then once more with nothing changed. The floor is the time that x264 takes to
encode the same pictures with our settings, without drawing or converting any. Seconds of CPU count
every process; memory is that of the largest process. The table replaces the one for this quality
in `benchmarks/README.md`, unless this run lacks some of its films.

    python -m benchmarks.render --caption

Only what Clockhead takes cold, after a change of one caption, and with nothing changed, in a table
of its own, in a few minutes.

    git worktree add ../before COMMIT
    python benchmarks/render.py --film rope -q l --against ../before --rounds 5

The film of an earlier checkout and that of this one are rendered cold by turns, each from its own
storyboard with its own stages, and the two of a round are compared: with each other, and by frame,
for the films need not be equally long. Nothing is written down.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import pickle
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from benchmarks.readme import write_table  # noqa: E402
from clockhead.clips import stream as streams  # noqa: E402
from clockhead.clips.fingerprint import versions  # noqa: E402
from clockhead.clips.jobs import default_workers  # noqa: E402
from clockhead.look import QUALITIES, Wish  # noqa: E402
from clockhead.production.manifest import describe_recipe  # noqa: E402
from clockhead.storyboard.films import Film, load_films  # noqa: E402
from clockhead.storyboard.find import known_films  # noqa: E402

CLOCKHEAD = [sys.executable, "-c", "from clockhead.cli import main; main()"]
_SUBREAPER = 36
_SCENES = """\
import pickle
from pathlib import Path

import manim

from clockhead.scenes.stage import find_stage

SHOTS = pickle.loads(Path(__file__).with_name("shots.pickle").read_bytes())
"""
_SCENE = """

class Shot{number:02}(find_stage({stage!r})):
    def __init__(self, **options):
        super().__init__(SHOTS[{index}], **options)
"""


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock, seconds of CPU in all processes together, and the largest process."""

    wall: float
    cpu: float
    megabytes: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        largest = max(self.megabytes, other.megabytes)
        return Cost(self.wall + other.wall, self.cpu + other.cpu, largest)


@dataclass(frozen=True)
class Measured:
    """Costs of one film, rendered in every way."""

    film: Film
    frames: int
    stock: Cost
    cold: Cost
    caption: Cost
    nothing: Cost
    floor: Cost
    stock_size: int
    size: int


@dataclass(frozen=True)
class Edited:
    """Costs of one film that is rendered, edited, and rendered again."""

    film: Film
    cold: Cost
    caption: Cost
    nothing: Cost


@dataclass(frozen=True)
class Run:
    """Cost and frame count of one rendering."""

    cost: Cost
    frames: int

    @property
    def cpu_per_frame(self) -> float:
        """Milliseconds of CPU time per frame."""
        return 1000 * self.cost.cpu / self.frames


def main() -> None:
    arguments = _arguments()
    adopt_orphans()
    if arguments.against:
        print(compare(arguments))
        return
    names = arguments.film or sorted(known_films())
    wish = Wish(QUALITIES[arguments.quality])
    films = [load_films([name], settings=arguments.set, wish=wish)[0] for name in names]
    # Checking formulas has started multiprocessing's tracker, which would count as an orphan.
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]
    if arguments.caption:
        edited = []
        for film in films:
            with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
                ours = Rendering(film, arguments.quality, Path(folder) / "ours")
                cold = ours.render()
                ours.change_a_caption()
                edited.append(Edited(film, cold, ours.render(), ours.render()))
            print(tabulate_edits(edited))
        if not arguments.set:
            write_table(f"caption {wish.quality}", tabulate_edits(edited))
        return
    measured = []
    for film in films:
        with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
            measured.append(measure(film, arguments.quality, Path(folder)))
        print(tabulate(measured))
    if not arguments.set:
        write_table(f"render {wish.quality}", tabulate(measured))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--film", action="append", help="name or file; all that come if left out")
    parser.add_argument("--set", action="append", default=[], help="as for clockhead render")
    parser.add_argument("-q", "--quality", choices=QUALITIES, default="m", help="default 720p30")
    parser.add_argument("--caption", action="store_true", help="without stock Manim and x264")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="an earlier checkout")
    parser.add_argument("--rounds", type=int, default=3, help="with --against; default 3")
    parser.add_argument("--shot", action="append", default=[], help="with --against: these alone")
    return parser.parse_args()


def compare(arguments: argparse.Namespace) -> str:
    """Render both checkouts alternately, in changing order; return a Markdown table."""
    sides = [arguments.against.resolve(), ROOT]
    rounds: list[tuple[Run, Run]] = []
    for number in range(arguments.rounds):
        order = sides if number % 2 == 0 else sides[::-1]
        runs = {side: cold_run(side, arguments) for side in order}
        rounds.append((runs[sides[0]], runs[sides[1]]))
    lines = [
        f"{arguments.film[0]}, -q{arguments.quality}: {sides[0]} (before), {ROOT} (now). "
        f"{_machine()}",
        "",
        "| round | frames | wall s | CPU s | CPU ms a frame | now/before: wall | CPU | by frame |",
        "|---|---|---|---|---|---:|---:|---:|",
    ]
    table = [_ratios(before, now) for before, now in rounds]
    for number, ((before, now), ratios) in enumerate(zip(rounds, table, strict=True), 1):
        pairs = [
            f"{before.frames}, {now.frames}",
            f"{before.cost.wall:.1f}, {now.cost.wall:.1f}",
            f"{before.cost.cpu:.1f}, {now.cost.cpu:.1f}",
            f"{before.cpu_per_frame:.1f}, {now.cpu_per_frame:.1f}",
        ]
        lines.append(f"| {number} | {' | '.join([*pairs, *(f'{r:.2f}' for r in ratios)])} |")
    middle = [f"{statistics.median(column):.2f}" for column in zip(*table, strict=True)]
    return "\n".join([*lines, f"| median | | | | | {' | '.join(middle)} |"])


def _ratios(before: Run, now: Run) -> tuple[float, float, float]:
    """Ratios now to before of one round: wall time, CPU time, CPU time per frame."""
    wall, cpu = now.cost.wall / before.cost.wall, now.cost.cpu / before.cost.cpu
    return wall, cpu, now.cpu_per_frame / before.cpu_per_frame


def cold_run(root: Path, arguments: argparse.Namespace) -> Run:
    """Render a film, or some of its shots, with the checkout at `root` and an empty store."""
    options = [
        f"--{name}={value}" for name in ("set", "shot") for value in getattr(arguments, name)
    ]
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        command = [*CLOCKHEAD, "render", arguments.film[0], "-q", arguments.quality, *options]
        cost = time_command(command, Path(folder), root)
        clips = list(Path(folder).glob("media/*/*/clips/*.mp4"))
        print(f"{root}: {cost.wall:.1f} s, {len(clips)} clips", file=sys.stderr)
        return Run(cost, sum(map(_frames, clips)))


def _frames(clip: Path) -> int:
    with streams.open_video(clip.read_bytes()) as film:
        return streams.count_frames(film)


def measure(film: Film, quality: str, folder: Path) -> Measured:
    """Render a film in every way, once, in `folder`."""
    stock, stock_size = render_stock(film, folder / "stock")
    ours = Rendering(film, quality, folder / "ours")
    cold = ours.render()
    size = ours.size()
    ours.change_a_caption()
    changed = ours.render()
    unchanged = ours.render()
    frames, floor = encode_alone(ours.clips())
    return Measured(film, frames, stock, cold, changed, unchanged, floor, stock_size, size)


def render_stock(film: Film, folder: Path) -> tuple[Cost, int]:
    """Render each shot with Manim's own command, caching off; return cost and bytes."""
    folder.mkdir()
    look = film.look
    (folder / "shots.pickle").write_bytes(pickle.dumps([shot.shot for shot in film.shots]))
    scenes = [
        _SCENE.format(number=shot.number, stage=shot.stage, index=index)
        for index, shot in enumerate(film.shots)
    ]
    (folder / "film.py").write_text(_SCENES + "".join(scenes))
    options = ["--disable_caching", "-r", f"{look.width},{look.height}", "--fps", str(look.fps)]
    quiet = ["-v", "ERROR", "--progress_bar", "none", "--media_dir", "media"]
    total = Cost(0, 0)
    for shot in film.shots:
        scene = f"Shot{shot.number:02}"
        command = [sys.executable, "-m", "manim", "render", *options, *quiet, "film.py", scene]
        cost = time_command(command, folder)
        print(f"stock: {shot.id} {cost.wall:.1f} s", file=sys.stderr)
        total += cost
    made = list(folder.glob("media/videos/film/*/Shot*.mp4"))
    if len(made) != len(film.shots):
        raise RuntimeError(f"stock Manim made {len(made)} of {len(film.shots)} scenes")
    return total, sum(file.stat().st_size for file in made)


class Rendering:
    """A copy of the film in a folder of its own, rendered by Clockhead."""

    def __init__(self, film: Film, quality: str, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._quality = quality
        self._made = folder / "media" / "film" / film.look.folder
        self._storyboard = describe_recipe(film, [""] * len(film.shots))["storyboard"]

    def render(self) -> Cost:
        (self._folder / "film.yaml").write_text(json.dumps(self._storyboard))
        cost = time_command([*CLOCKHEAD, "render", "film.yaml", "-q", self._quality], self._folder)
        print(f"clockhead: {cost.wall:.1f} s", file=sys.stderr)
        return cost

    def change_a_caption(self) -> None:
        """Change the end of the caption of the middle shot."""
        shots = self._storyboard["shots"]
        shot = shots[len(shots) // 2]
        shot["caption"] = shot["caption"].rstrip(".") + "!"

    def clips(self) -> list[Path]:
        return sorted((self._made / "clips").glob("*.mp4"))

    def size(self) -> int:
        return (self._made / "film.mp4").stat().st_size


def encode_alone(clips: list[Path]) -> tuple[int, Cost]:
    """Decode the clips and encode their frames again on one core; only encoding is timed."""
    frames, seconds = 0, 0.0
    for clip in clips:
        with streams.open_video(clip.read_bytes()) as film:
            source = film.streams.video[0]
            made = streams.PictureStream(source.width, source.height, streams.frame_rate(film))
            for picture in streams.decode_pictures(film):
                began = time.perf_counter()
                made.add(picture)
                seconds += time.perf_counter() - began
                frames += 1
            began = time.perf_counter()
            made.finish()
            seconds += time.perf_counter() - began
    return frames, Cost(seconds, seconds)


def time_command(command: list[str], folder: Path, root: Path = ROOT) -> Cost:
    """Run a command of the checkout at `root` in `folder`; wait for all that it started."""
    environment = os.environ | {"PYTHONPATH": str(root / "src")}
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    usages = [usage, *_orphans()]
    cpu = sum(used.ru_utime + used.ru_stime for used in usages)
    return Cost(wall, cpu, max(used.ru_maxrss for used in usages) / 1024)


def adopt_orphans() -> None:
    """Adopt processes that our children leave behind, so that their CPU time is counted."""
    if ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0):
        raise OSError("the CPU time of all processes can be counted on Linux only")


def _orphans() -> list[resource.struct_rusage]:
    """Wait for adopted processes; return what each has used."""
    found = []
    while True:
        try:
            found.append(os.wait4(-1, 0)[2])
        except ChildProcessError:
            return found


def tabulate(measured: Sequence[Measured]) -> str:
    """A Markdown table, a row for each film."""
    look = measured[0].film.look
    lines = [
        f"{look.quality}, {look.width} x {look.height}. {_machine()}",
        "",
        "| film | shots | frames | stock, s | cold, s | faster by clock (CPU) "
        "| to x264 alone | one caption, s | faster | nothing, s | MB, stock MB "
        "| largest process, stock's, MB |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in measured:
        stock, cold = one.stock, one.cold
        cells = [
            one.film.name,
            len(one.film.shots),
            f"{one.frames}",
            f"{stock.wall:.0f}",
            f"{cold.wall:.1f}",
            f"{stock.wall / cold.wall:.1f} ({stock.cpu / cold.cpu:.1f})",
            f"{cold.wall / one.floor.wall:.2f}",
            f"{one.caption.wall:.1f}",
            f"{stock.wall / one.caption.wall:.0f}",
            f"{one.nothing.wall:.1f}",
            f"{one.size / 1e6:.1f}, {one.stock_size / 1e6:.1f}",
            f"{cold.megabytes:.0f}, {stock.megabytes:.0f}",
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def tabulate_edits(edited: Sequence[Edited]) -> str:
    """A Markdown table of edits, a row for each film."""
    look = edited[0].film.look
    lines = [
        f"{look.quality}, {look.width} x {look.height}. {_machine()}",
        "",
        "| film | shots | cold, s (CPU) | one caption, s (CPU) | nothing, s |",
        "|---|---:|---:|---:|---:|",
    ]
    for one in edited:
        cells = [
            one.film.name,
            len(one.film.shots),
            f"{one.cold.wall:.1f} ({one.cold.cpu:.1f})",
            f"{one.caption.wall:.1f} ({one.caption.cpu:.1f})",
            f"{one.nothing.wall:.1f}",
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _machine() -> str:
    known = versions()
    packages = ", ".join(f"{name} {known[name]}" for name in ("manim", "numpy", "av", "pycairo"))
    python = f"Python {platform.python_version()}"
    return f"{default_workers()} cores ({_processor()}), {python}, {packages}."


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    main()
