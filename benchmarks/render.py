"""How long a film takes: stock Manim, Clockhead, and x264 alone, one after the other in one run.

    python benchmarks/render.py --film previous_token

The same shots with the same inputs are rendered cold by `manim render` (caching off, one scene
after another, as it does it) and by `clockhead render`; then one caption is changed and the film
is rendered again; then once more with nothing changed. The floor is the time that x264 takes to
encode the same frames with our settings, without drawing or converting any. Seconds of CPU count
every process. The table replaces the one for this film in `benchmarks/README.md`.

    git worktree add ../before COMMIT
    python benchmarks/render.py --film rope -q l --against ../before --rounds 5

The film of an earlier checkout and that of this one are rendered cold by turns, each from its own
storyboard with its own stages, and the two of a round are compared: with each other, and by frame,
for the films need not be equally long. Nothing is written down.
"""

from __future__ import annotations

import argparse
import ctypes
import io
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
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from clockhead.pipeline.clips.encoder import OPTIONS  # noqa: E402
from clockhead.pipeline.clips.fingerprint import versions  # noqa: E402
from clockhead.pipeline.clips.jobs import default_workers  # noqa: E402
from clockhead.pipeline.film.manifest import describe_recipe  # noqa: E402
from clockhead.pipeline.look import QUALITIES, Look  # noqa: E402
from clockhead.pipeline.storyboard.films import Film, load_films  # noqa: E402

README = Path(__file__).with_name("README.md")
CLOCKHEAD = [sys.executable, "-c", "from clockhead.pipeline.cli import main; main()"]
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
    """Seconds on the clock, and seconds of CPU in all processes together."""

    wall: float
    cpu: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.wall + other.wall, self.cpu + other.cpu)


@dataclass(frozen=True)
class Run:
    """What a film took, and how many frames it has."""

    cost: Cost
    frames: int

    @property
    def a_frame(self) -> float:
        """Milliseconds of CPU that a frame took."""
        return 1000 * self.cost.cpu / self.frames


def main() -> None:
    arguments = _arguments()
    adopt_orphans()
    if arguments.against:
        print(compare(arguments))
        return
    [film] = load_films([arguments.film], settings=arguments.set)
    look = Look(QUALITIES[arguments.quality])
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        table = measure(film, look, arguments.quality, Path(folder))
    print(table)
    write_down(film.name, table)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--film", default="previous_token", help="name or file of a storyboard")
    parser.add_argument("--set", action="append", default=[], help="as for clockhead render")
    parser.add_argument("-q", "--quality", choices=QUALITIES, default="h", help="default 1080p60")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="an earlier checkout")
    parser.add_argument("--rounds", type=int, default=3, help="with --against; default 3")
    parser.add_argument("--shot", action="append", default=[], help="with --against: these alone")
    return parser.parse_args()


def compare(arguments: argparse.Namespace) -> str:
    """Render both checkouts by turns, the first of a round in the next the second; as Markdown."""
    sides = [arguments.against.resolve(), ROOT]
    rounds: list[tuple[Run, Run]] = []
    for number in range(arguments.rounds):
        order = sides if number % 2 == 0 else sides[::-1]
        runs = {side: cold_run(side, arguments) for side in order}
        rounds.append((runs[sides[0]], runs[sides[1]]))
    lines = [
        f"{arguments.film}, -q{arguments.quality}: {sides[0]} (before), {ROOT} (now). {_machine()}",
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
            f"{before.a_frame:.1f}, {now.a_frame:.1f}",
        ]
        lines.append(f"| {number} | {' | '.join([*pairs, *(f'{r:.2f}' for r in ratios)])} |")
    middle = [f"{statistics.median(column):.2f}" for column in zip(*table, strict=True)]
    return "\n".join([*lines, f"| median | | | | | {' | '.join(middle)} |"])


def _ratios(before: Run, now: Run) -> tuple[float, float, float]:
    """The wall, CPU and CPU a frame of one round, now to before."""
    wall, cpu = now.cost.wall / before.cost.wall, now.cost.cpu / before.cost.cpu
    return wall, cpu, now.a_frame / before.a_frame


def cold_run(root: Path, arguments: argparse.Namespace) -> Run:
    """A film, or some shots of it, as the checkout at `root` has it; nothing rendered before."""
    options = [
        f"--{name}={value}" for name in ("set", "shot") for value in getattr(arguments, name)
    ]
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        command = [*CLOCKHEAD, "render", arguments.film, "-q", arguments.quality, *options]
        cost = timed(command, Path(folder), root)
        clips = list(Path(folder).glob("media/*/*/clips/*.mp4"))
        print(f"{root}: {cost.wall:.1f} s, {len(clips)} clips", file=sys.stderr)
        return Run(cost, sum(map(_frames, clips)))


def _frames(clip: Path) -> int:
    with av.open(str(clip)) as container:
        return sum(packet.size > 0 for packet in container.demux(video=0))


def measure(film: Film, look: Look, quality: str, folder: Path) -> str:
    """Do everything once, in `folder`; the table as Markdown."""
    stock = render_stock(film, look, folder / "stock")
    ours = Rendering(film, look, quality, folder / "ours")
    cold = ours.render()
    ours.change_a_caption()
    changed = ours.render()
    unchanged = ours.render()
    frames, floor = encode_alone(ours.clips(), look)
    return tabulate(
        film,
        look,
        frames,
        [
            ("stock Manim, one scene after another", stock),
            (f"Clockhead, {default_workers()} workers, nothing rendered before", cold),
            ("Clockhead, one caption changed", changed),
            ("Clockhead, nothing changed", unchanged),
            ("x264 alone, one core", floor),
        ],
    )


def render_stock(film: Film, look: Look, folder: Path) -> Cost:
    """Each shot through Manim's own command, with its defaults and caching off."""
    folder.mkdir()
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
        cost = timed(command, folder)
        print(f"stock: {shot.id} {cost.wall:.1f} s", file=sys.stderr)
        total += cost
    made = list(folder.glob("media/videos/film/*/Shot*.mp4"))
    if len(made) != len(film.shots):
        raise RuntimeError(f"stock Manim made {len(made)} of {len(film.shots)} scenes")
    return total


class Rendering:
    """The film as a storyboard of its own in a folder of its own, rendered by Clockhead."""

    def __init__(self, film: Film, look: Look, quality: str, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._quality = quality
        self._look = look
        self._storyboard = describe_recipe(film, look, [""] * len(film.shots))["storyboard"]

    def render(self) -> Cost:
        (self._folder / "film.yaml").write_text(json.dumps(self._storyboard))
        cost = timed([*CLOCKHEAD, "render", "film.yaml", "-q", self._quality], self._folder)
        print(f"clockhead: {cost.wall:.1f} s", file=sys.stderr)
        return cost

    def change_a_caption(self) -> None:
        """Change the last word of a caption, of the shot in the middle."""
        shots = self._storyboard["shots"]
        shot = shots[len(shots) // 2]
        shot["caption"] = shot["caption"].rstrip(".") + "!"

    def clips(self) -> list[Path]:
        return sorted((self._folder / "media" / "film" / self._look.folder / "clips").iterdir())


def encode_alone(clips: list[Path], look: Look) -> tuple[int, Cost]:
    """Decode the clips and time nothing but encoding their frames again, on one core."""
    frames, seconds = 0, 0.0
    for clip in clips:
        with av.open(str(clip)) as source, av.open(io.BytesIO(), "w", format="mp4") as target:
            stream = target.add_stream("libx264", rate=look.fps, options=OPTIONS)
            stream.width, stream.height, stream.pix_fmt = look.width, look.height, "yuv420p"
            for frame in source.decode(video=0):
                frame.pts, frame.time_base = None, Fraction(1, look.fps)
                frame.pict_type = 0
                seconds += _encode(stream, frame)
                frames += 1
            seconds += _encode(stream, None)
    return frames, Cost(seconds, seconds)


def _encode(stream: av.VideoStream, frame: av.VideoFrame | None) -> float:
    began = time.perf_counter()
    stream.encode(frame)
    return time.perf_counter() - began


def timed(command: list[str], folder: Path, root: Path = ROOT) -> Cost:
    """Run a command of the checkout at `root` in `folder`; wait for all that it started."""
    environment = os.environ | {"PYTHONPATH": str(root / "src")}
    before, began = _cpu(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}")
    _wait_for_orphans()
    return Cost(wall, _cpu() - before)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def adopt_orphans() -> None:
    """Become the parent of what our children leave behind, so that its CPU time is counted too."""
    if ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0):
        raise OSError("the CPU time of all processes can be counted on Linux only")


def _wait_for_orphans() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def tabulate(film: Film, look: Look, frames: int, rows: list[tuple[str, Cost]]) -> str:
    """A Markdown table; ratios are to the first row."""
    stock = rows[0][1]
    lines = [
        f"{film.name}: {len(film.shots)} shots, {frames} frames, {look.quality}, {look.width} x "
        f"{look.height}. {_machine()}",
        "",
        "| | wall s | CPU s | faster than stock, wall | CPU |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, cost in rows:
        ratios = f"{stock.wall / cost.wall:.1f}x | {stock.cpu / cost.cpu:.1f}x"
        lines.append(f"| {name} | {cost.wall:.1f} | {cost.cpu:.1f} | {ratios} |")
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


def write_down(film: str, table: str) -> None:
    """Put the table into the README, in place of the one for this film if there is one."""
    begin, end = f"<!-- render {film} -->", f"<!-- end of render {film} -->"
    section = f"{begin}\n{table}\n{end}"
    text = README.read_text() if README.exists() else "# Benchmarks\n"
    if begin in text:
        head, _, rest = text.partition(begin)
        text = head + section + rest.partition(end)[2]
    else:
        text = f"{text.rstrip()}\n\n{section}\n"
    README.write_text(text)


if __name__ == "__main__":
    main()
