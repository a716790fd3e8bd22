"""Shell completion: the words, how little is imported for them, and real shells."""

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from clockhead.cli import cli
from clockhead.commands.completion import (
    COMPLETE_VARIABLE,
    SCHEMA,
    SHELLS,
    quick_stage_names,
)
from clockhead.libraries import PROJECT
from clockhead.scenes.stage import stage_names
from clockhead.trust import TRUST

ROOT = Path(__file__).parents[2]
PROGRAM = f"""#!/bin/sh
PYTHONPATH='{ROOT}/src' exec '{sys.executable}' -P -c '
import sys
from clockhead.cli import main
del sys.argv[0]
sys.exit(main())' "$0" "$@"
"""
FILM = """\
version: 1
title: A film
shots:
- stage: rope.matrix
- {stage: rope.matrix, id: once_more}
- stage: previous_token.sub_diagonal
"""
ONEHOT = [name for name in stage_names() if name.startswith("onehot.")]
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with a film and a program `./clockhead`."""
    (tmp_path / "storyboards").mkdir()
    (tmp_path / "storyboards/mine.yaml").write_text(FILM)
    (tmp_path / "clockhead").write_text(PROGRAM)
    (tmp_path / "clockhead").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(PROJECT)
    return tmp_path


def completions(*words):
    """Completions of the last of these words, as for Fish."""
    *args, typed = words
    return [
        item.value if item.type == "plain" else item.type
        for item in SHELLS["fish"](cli, {}, "clockhead", COMPLETE_VARIABLE).get_completions(
            args, typed
        )
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ren"], ["render"]),
        ([""], list(cli.commands)),
        (["render", "previous"], ["previous_token"]),
        (["render", "mi"], ["mine"]),
        (["render", "mine", "mi"], ["file"]),
        (["numbers", "mi"], ["mine"]),
        (["check", "storyboards/mi"], ["file"]),
        (["render", "mine", "--shot", ""], ["matrix", "once_more", "sub_diagonal"]),
        (["render", "mine", "--shot", "matrix,on"], ["matrix,once_more"]),
        (["render", "storyboards/mine.yaml", "--shot=on"], ["--shot=once_more"]),
        (["render", "mine", "-ql", "--set", "d_"], ["d_head="]),
        (["numbers", "mine", "--set", "sub_diagonal.al"], ["sub_diagonal.alpha="]),
        (["numbers", "mine", "--set", "nothing.al"], []),
        (["render", "mine", "--set", "text="], []),
        (["render", "--set", "te"], []),
        (["render", "mine", "--sweep", "d_"], ["d_head="]),
        (["render", "mine", "--sweep", "sub_diagonal.al"], ["sub_diagonal.alpha="]),
        (["render", "mine", "--theme", "pa"], ["paper"]),
        (["render", "mine", "--output", ""], ["dir"]),
        (["render", "--sched"], ["--scheduler"]),
        (["stages", "previous_token.sub"], ["previous_token.sub_diagonal"]),
        (["stages", "oneh"], ["onehot_induction", "onehot", *ONEHOT]),
        (["completion", "b"], ["bash"]),
        (["nonsense", "mi"], []),
        (["render", "missing", "--shot", ""], []),
    ],
)
def test_matching_words_are_offered(words, expected):
    assert completions(*words) == expected


def test_inputs_are_offered_with_their_descriptions():
    complete = SHELLS["bash"](cli, {}, "clockhead", COMPLETE_VARIABLE)
    items = complete.get_completions(["render", "mine", "--set"], "")
    helped = {item.value: item.help for item in items}
    assert {"text=", "alpha=", "d_head="} <= helped.keys()
    assert all(helped.values())


def test_a_wrong_storyboard_offers_and_prints_nothing(here, capsys):
    (here / "storyboards/mine.yaml").write_text("shots: [")
    assert completions("render", "mine", "--set", "") == []
    assert capsys.readouterr() == ("", "")


def test_the_schema_has_exactly_the_stages():
    assert sorted(quick_stage_names()) == sorted(stage_names())


def test_own_stages_are_modules_with_a_class_of_their_name(here, monkeypatch):
    folder = here / "stages/mine"
    folder.mkdir(parents=True)
    (folder / "two_hands.py").write_text("class TwoHands(Stage):\n    raise SystemExit\n")
    (folder / "inputs.py").write_text("class HandInputs(StageInputs):\n    pass\n")
    assert "mine.two_hands" not in quick_stage_names()
    monkeypatch.setenv(TRUST, str(here))
    own = [name for name in quick_stage_names() if name.startswith("mine.")]
    assert own == ["mine.two_hands"]


def test_inputs_of_own_stages_come_from_the_schema_beside_the_films(here, monkeypatch):
    schema = {"$defs": {"mine.hand": {"properties": {"speed": {"description": "turns"}}}}}
    (here / "storyboards" / SCHEMA).write_text(json.dumps(schema))
    film = "version: 1\ntitle: A hand\nshots:\n- stage: mine.hand\n"
    (here / "storyboards/hand.yaml").write_text(film)
    (here / "stages").mkdir()
    assert completions("render", "hand", "--set", "") == []
    monkeypatch.setenv(TRUST, str(here))
    assert completions("render", "hand", "--set", "") == ["speed="]


ASKED = """
import sys, atexit
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from clockhead.cli import main
main()
"""


@pytest.mark.parametrize(
    ("line", "answer", "spared"),
    [
        ("clockhead re", "render", {"manim", "numpy", "pydantic", "yaml"}),
        ("clockhead --ver", "--version", {"manim", "numpy", "pydantic", "yaml"}),
        ("clockhead render mi", "mine", {"manim", "numpy", "pydantic", "yaml"}),
        ("clockhead render --asp", "--aspect", {"manim", "numpy", "pydantic", "yaml"}),
        ("clockhead stages rope.mat", "rope.matrix", {"manim", "numpy", "pydantic", "yaml"}),
        ("clockhead render mine --shot on", "once_more", {"manim", "numpy"}),
        ("clockhead render mine --set d_", "d_head=", {"manim", "numpy"}),
    ],
)
def test_completing_imports_little(line, answer, spared):
    words = line.split()
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    env = {COMPLETE_VARIABLE: "bash_complete", **asked, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], env=os.environ | env, capture_output=True, text=True
    )
    assert done.stdout == f"plain,{answer}\n"
    assert spared & set(done.stderr.split()) == set()


def test_clicks_own_variable_prints_the_same_script(here):
    env = os.environ | {COMPLETE_VARIABLE: "bash_source"}
    ours = subprocess.run(["./clockhead", "completion", "bash"], capture_output=True, check=True)
    clicks = subprocess.run(["./clockhead"], env=env, capture_output=True, check=True)
    assert ours.stdout.strip() == clicks.stdout.strip()


LINES = [
    ("./clockhead ren", "./clockhead render "),
    ("./clockhead render previous", "./clockhead render previous_token "),
    ("./clockhead render mine --shot matrix,on", "--shot matrix,once_more "),
    ("./clockhead render mine --set d_", "--set d_head="),
    ("./clockhead render mine --set=d_", "--set=d_head="),
    ("./clockhead render mine --aspect 9:", "--aspect 9:16 "),
    ("./clockhead check storyboards/mi", "storyboards/mine.yaml "),
    ("cd . && NOTHING=1 ~/clockhead render mine --them", "--theme "),
]


@pytest.mark.parametrize(
    ("shell", "options"), [("bash", ["--norc", "--noprofile", "-i"]), ("zsh", ["-i"])]
)
def test_bash_and_zsh_complete_a_line(here, shell, options):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (here / ".zshrc").touch()
    with Terminal(here, shell, *options) as terminal:
        terminal.type(f'eval "$(./clockhead completion {shell})"; echo re""ady\n', "ready")
        for typed, whole in LINES:
            value = "7" if whole.endswith("=") else ""  # to stand behind it without a blank
            terminal.type(f"{typed}\t{value}", whole + value)
            terminal.type("\x15echo cle''ared\n", "cleared")


def test_a_program_on_the_path_is_completed_too(here):
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    with Terminal(here, "bash", "--norc", "--noprofile", "-i") as terminal:
        path = 'PATH="$PWD:$PATH"; cd /; eval "$(clockhead completion bash)"; echo re""ady\n'
        terminal.type(path, "ready")
        terminal.type("clockhead render previous\t", "clockhead render previous_token ")


def test_fish_completes_a_line(here):
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    lines = [(typed, whole.split()[-1]) for typed, whole in LINES[:6]]
    script = "./clockhead completion fish | source\n" + "".join(
        f"complete -C '{typed}'\n" for typed, _ in lines
    )
    done = subprocess.run(
        ["fish", "-c", script], env=os.environ | {"HOME": str(here)}, capture_output=True, text=True
    )
    found = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert found == [word for _, word in lines[:-1]] + ["9:16"]


class Terminal:
    """An interactive shell in a terminal."""

    def __init__(self, home, *command):
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            plain = {"HOME": str(home), "TERM": "dumb", "PS1": "> ", "PATH": os.environ["PATH"]}
            os.execvpe(command[0], command, plain)
        termios.tcsetwinsize(self.screen, (50, 200))

    def type(self, keys, expected):
        """Type, and wait for the `expected` output; returns all output."""
        os.write(self.screen, keys.encode())
        shown, end = "", time.monotonic() + PATIENCE
        while expected not in shown:
            ready = select.select([self.screen], [], [], max(0, end - time.monotonic()))[0]
            assert ready, f"{expected!r} never came: {shown!r}"
            shown += os.read(self.screen, 65536).decode(errors="replace")
        return shown

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.screen)
        os.waitpid(self.pid, 0)
