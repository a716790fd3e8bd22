"""The launcher's set-up: what it makes, when it makes it anew, and what it says when it cannot."""

import re
import shutil

import pytest

from tests.launcher.conftest import APT, ROOT, Machine

WHOLE_SET_UP = [
    "venv",
    "pip --require-hashes requirements-build.lock",
    "pip --require-hashes requirements.lock",
]
STUDIO, VOICE = (f"pip --require-hashes extra-{name}.lock" for name in ("studio", "voice"))
DEV_PACKAGES = "pip --require-hashes requirements-dev.lock"
CHECKS = ["ruff", "ruff", "mypy", "lint-imports"]


def without(machine: Machine, needed: str) -> str:
    """A stand-in for a Python that lacks what is asked for with this word."""
    ours = (machine.bin / "python3").read_text()
    return ours.replace('case "$*" in', f'case "$*" in *{needed}*) exit 1 ;;', 1)


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """A machine on which everything is set up."""
    machine.run()
    machine.steps()
    return machine


def test_first_run_sets_up_and_hands_over(machine: Machine) -> None:
    done = machine.run("render", "my film.yaml")
    assert machine.steps() == WHOLE_SET_UP
    assert done.stdout == f"{machine.home}|{machine.launcher}|render|my film.yaml\n"
    assert "ready after" in done.stderr
    assert all(line.startswith("clockhead: ") for line in done.stderr.splitlines())
    assert done.returncode == 0


def test_second_run_starts_at_once_and_passes_the_status_on(ready: Machine) -> None:
    done = ready.run("fail")
    assert (ready.steps(), done.stderr, done.returncode) == ([], "", 3)


def test_a_shell_that_completes_a_line_waits_for_no_set_up(machine: Machine) -> None:
    done = machine.run(_CLOCKHEAD_COMPLETE="bash_complete")
    assert (machine.steps(), done.stdout, done.stderr, done.returncode) == ([], "", "", 0)
    machine.run()
    done = machine.run(_CLOCKHEAD_COMPLETE="bash_complete")
    assert (done.stdout, done.stderr) == (f"{machine.home}|{machine.launcher}\n", "")


def test_starts_through_a_symbolic_link(machine: Machine) -> None:
    link = machine.home / "link"
    (machine.home / "hop").symlink_to(machine.project / "clockhead")
    link.symlink_to("hop")
    assert machine.run("--help", at=link).stdout == f"{machine.home}|{link}|--help\n"
    assert (machine.project / ".venv").is_dir()


def test_packages_in_the_users_folder_do_not_get_in_the_way(machine: Machine) -> None:
    (machine.home / "clockhead").mkdir(parents=True)
    (machine.home / "clockhead/cli.py").write_text("raise SystemExit('not this one')")
    done = machine.run(PYTHONPATH=str(machine.home))
    assert (done.returncode, done.stdout) == (0, f"{machine.home}|{machine.launcher}\n")


def test_says_what_is_missing_without_root(machine: Machine) -> None:
    (machine.bin / "cc").unlink()
    (machine.bin / "pkg-config").unlink()
    machine.tool("apt-get", APT)
    done = machine.run()
    assert done.returncode == 1
    assert machine.steps() == []
    assert "a C compiler" in done.stderr
    for command in ("sudo apt-get install", "sudo dnf install", "brew install", "micromamba"):
        assert command in done.stderr
    assert "libpango1.0-dev" in done.stderr


def test_the_documentation_names_the_same_packages(machine: Machine) -> None:
    (machine.bin / "cc").unlink()
    machine.tool("python3", without(machine, "Python.h"))
    documented = (ROOT / "docs/install.md").read_text()
    commands = re.findall("(?:sudo|brew|micromamba) .*", machine.run().stderr)
    assert len(commands) == 5
    for command in commands:
        general = re.sub(r"python3\.\d+-(\w+)", r"python3-\1", command)
        assert general.replace(f"'{machine.project}'", ".") in documented


@pytest.mark.parametrize("how", ["root", "sudo"])
def test_installs_what_is_missing_when_it_may(machine: Machine, how: str) -> None:
    (machine.bin / "cc").unlink()
    (machine.bin / "pkg-config").unlink()
    machine.tool("apt-get", APT)
    if how == "root":
        machine.tool("id", "#!/bin/sh\necho 0\n")
    else:
        machine.tool("sudo", '#!/bin/sh\n[ "$1" = -n ] && shift && exec "$@"\n')
    assert machine.run().returncode == 0
    update, install, *rest = machine.steps()
    assert update.endswith("update")
    assert "install --no-install-recommends" in install
    assert rest == WHOLE_SET_UP


def test_it_says_what_apt_will_install_before_it_does(machine: Machine) -> None:
    (machine.bin / "cc").unlink()
    apt = APT.replace('case "$*"', 'echo "apt begins" >&2\ncase "$*"', 1)
    machine.tool("apt-get", apt)
    machine.tool("id", "#!/bin/sh\necho 0\n")
    said = machine.run().stderr
    missing, about, how, *_ = said.splitlines()
    assert missing == "clockhead: missing: a C compiler"
    assert "about to run: apt-get install --no-install-recommends" in about
    assert "libpango1.0-dev" in about
    assert "CLOCKHEAD_SYSTEM_PACKAGES=no" in how


@pytest.mark.parametrize("sudo", [False, True])
def test_apt_can_be_forbidden(machine: Machine, sudo: bool) -> None:
    (machine.bin / "cc").unlink()
    machine.tool("apt-get", APT)
    if sudo:
        machine.tool("sudo", '#!/bin/sh\necho sudo >>"$JOURNAL"\n')
    else:
        machine.tool("id", "#!/bin/sh\necho 0\n")
    done = machine.run(CLOCKHEAD_SYSTEM_PACKAGES="no")
    assert (done.returncode, machine.steps()) == (1, [])
    assert "sudo apt-get install" in done.stderr
    assert "micromamba create -n clockhead -c conda-forge python=3.13" in done.stderr


def test_a_password_is_never_asked_for(machine: Machine) -> None:
    (machine.bin / "cc").unlink()
    machine.tool("apt-get", APT)
    machine.tool("sudo", '#!/bin/sh\n[ "$1" = -n ] && exit 1\necho asked >>"$JOURNAL"\n')
    assert machine.run().returncode == 1
    assert machine.steps() == []


def test_says_when_there_is_no_python_for_it(machine: Machine) -> None:
    machine.tool("python3", "#!/bin/sh\nexit 1\n")
    done = machine.run()
    assert done.returncode == 1
    assert "needs Python 3.11 to 3.14" in done.stderr
    assert "CLOCKHEAD_PYTHON" in done.stderr


def test_refuses_a_named_python_that_will_not_do(machine: Machine) -> None:
    done = machine.run(CLOCKHEAD_PYTHON="/bin/false")
    assert done.returncode == 1
    assert "/bin/false is not a Python 3.11 to 3.14" in done.stderr
    assert not (machine.project / ".venv").exists()


def test_finds_a_python_under_its_versioned_name(machine: Machine) -> None:
    (machine.bin / "python3").rename(machine.bin / "python3.12")
    assert machine.run().returncode == 0


@pytest.mark.parametrize("lacks", ["ensurepip", "Python.h"])
def test_the_first_complete_python_is_taken_or_else_the_first(machine: Machine, lacks: str) -> None:
    lacking, ours = without(machine, lacks), (machine.bin / "python3").read_text()
    for name, script in (("python3", lacking), ("python3.12", lacking), ("python3.11", ours)):
        machine.tool(name, script)
    assert f"(Python: {machine.bin}/python3.11)" in machine.run().stderr
    (machine.bin / "python3.11").unlink()
    shutil.rmtree(machine.project / ".venv")
    done = machine.run()
    assert "missing: Python's" in done.stderr
    assert done.returncode == 1


def test_a_killed_set_up_is_made_anew(machine: Machine) -> None:
    assert machine.run(PIP_IS="killed").returncode == -9
    machine.steps()
    assert machine.run().returncode == 0
    assert machine.steps() == WHOLE_SET_UP


def test_a_failed_set_up_says_why_and_is_made_anew(machine: Machine) -> None:
    done = machine.run(PIP_IS="failing")
    assert done.returncode == 1
    assert "no matching distribution" in done.stderr
    assert str(machine.project / ".venv.log") in done.stderr
    machine.steps()
    assert machine.run().returncode == 0
    assert machine.steps() == WHOLE_SET_UP


def test_two_first_runs_at_once_set_up_once(machine: Machine) -> None:
    both = [machine.start(PIP_TAKES="0.2") for _ in range(2)]
    said = [process.communicate(timeout=60)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert machine.steps() == WHOLE_SET_UP
    assert sum("waiting for another set-up" in err for err in said) == 1


@pytest.mark.parametrize("name", ["Anna's talks", "a:b", 'so "called"', "back\\slash"])
def test_a_path_that_packages_cannot_be_compiled_in_is_told_at_once(
    machine: Machine, name: str
) -> None:
    machine.project = machine.project.rename(machine.project.with_name(name))
    done = machine.run()
    assert (done.returncode, machine.steps()) == (1, [])
    [line] = done.stderr.splitlines()
    assert str(machine.project) in line
    assert not (machine.project / ".venv").exists()


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-build.lock"])
def test_a_changed_lock_makes_it_anew(ready: Machine, lock: str) -> None:
    (ready.project / lock).write_text("# other versions\n")
    ready.run()
    assert ready.steps() == WHOLE_SET_UP


def test_a_moved_project_makes_it_anew(ready: Machine) -> None:
    moved = ready.project.rename(ready.project.with_name("moved"))
    assert ready.run(at=moved / "clockhead").returncode == 0
    assert ready.steps() == WHOLE_SET_UP


def test_another_python_makes_it_anew(ready: Machine) -> None:
    ours = (ready.bin / "python3").read_text()
    other = ours.replace('case "$*" in', 'case "$*" in *cache_tag*) echo another ;;', 1)
    ready.tool("other-python", other)
    ready.run(CLOCKHEAD_PYTHON=str(ready.bin / "other-python"))
    assert ready.steps() == WHOLE_SET_UP


def test_a_python_that_is_gone_makes_it_anew(ready: Machine) -> None:
    python = ready.project / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert ready.run().returncode == 0
    assert ready.steps() == WHOLE_SET_UP


def test_tests_get_their_packages_on_top_and_once(ready: Machine) -> None:
    done = ready.run("test", "-k", "two words")
    assert ready.steps() == [DEV_PACKAGES, *CHECKS]
    assert done.stdout.splitlines() == ["pytest -n auto -k two words", "1 passed"]
    assert done.returncode == 0
    assert ready.run("test", "src/clockhead/cli.py::test_it").returncode == 0
    assert ready.run().returncode == 0
    assert ready.steps() == [], "the code is not checked when files are named"


def test_all_tests_on_a_fresh_clone_set_up_everything_and_check_the_code(machine: Machine) -> None:
    assert machine.run("test").returncode == 0
    assert machine.steps() == [*WHOLE_SET_UP[:2], DEV_PACKAGES, *CHECKS]


@pytest.mark.parametrize("tool", ["ruff", "mypy", "lint-imports"])
def test_one_failing_check_fails_the_tests(machine: Machine, tool: str) -> None:
    done = machine.run("test", BROKEN=tool)
    assert done.returncode == 1
    assert re.search(f"{tool}.*: failed", done.stderr)
    assert done.stdout.endswith("1 passed\n")


def test_an_extra_is_added_once_with_what_it_needs(machine: Machine) -> None:
    assert machine.run("add", "studio").returncode == 0
    assert machine.steps() == [*WHOLE_SET_UP, STUDIO]
    chosen = (machine.project / ".venv/extra-studio.lock").read_text()
    lines = chosen.replace("\\\n", "").splitlines()
    assert [line.partition("==")[0] for line in lines] == ["base", "server", "sockets", "threads"]
    assert lines[1].split() == ["server==1.1", "--hash=sha256:1a", "--hash=sha256:1b"]
    assert "; python_full_version >= '3.11' " in lines[2]
    assert machine.run("render").stdout.endswith("|render\n")
    assert machine.steps() == []


def test_extras_are_kept_when_the_environment_is_made_anew(machine: Machine) -> None:
    machine.run("add", "studio")
    machine.run("add", "voice", "studio")
    machine.steps()
    (machine.project / "requirements.lock").write_text("# other versions\n")
    assert machine.run("render").returncode == 0
    assert machine.steps() == [*WHOLE_SET_UP, STUDIO, VOICE]
    machine.run("render")
    machine.run("test", "src")
    assert machine.steps() == [DEV_PACKAGES]
    machine.run("render")
    assert machine.steps() == []


def test_a_changed_lock_of_extras_is_followed(machine: Machine) -> None:
    machine.run("add", "studio")
    machine.steps()
    lock = machine.project / "requirements-extras.lock"
    lock.write_text(lock.read_text().replace("server==1.1", "server==1.2"))
    machine.run("render")
    assert machine.steps() == [STUDIO]
    assert "server==1.2" in (machine.project / ".venv/extra-studio.lock").read_text()


@pytest.mark.parametrize("name", ["stdio", "dev", "../x"])
def test_an_unknown_extra_is_refused_before_anything_is_added(ready: Machine, name: str) -> None:
    done = ready.run("add", "studio", name)
    assert (done.returncode, ready.steps()) == (1, [])
    assert all(word in done.stderr for word in (name, "studio", "voice"))


def test_an_extra_that_fails_is_said_and_not_kept(ready: Machine) -> None:
    done = ready.run("add", "studio", PIP_LACKS="extra-studio")
    assert done.returncode == 1
    assert "no matching distribution" in done.stderr
    assert ready.run("render").returncode == 0
    assert ready.steps() == [STUDIO], "what was there is not made anew"


def test_an_extra_that_cannot_be_had_any_more_is_in_nobody_s_way(machine: Machine) -> None:
    machine.run("add", "studio", "voice")
    machine.steps()
    (machine.project / "requirements.lock").write_text("# other versions\n")
    done = machine.run("render", PIP_LACKS="extra-studio")
    assert (done.returncode, machine.steps()) == (0, [*WHOLE_SET_UP, STUDIO, VOICE])
    assert f"{machine.launcher} add studio" in done.stderr
    done = machine.run("render")
    assert (done.returncode, machine.steps(), done.stderr) == (0, [], "")


def test_help_and_a_list_of_extras_are_the_command_s(machine: Machine) -> None:
    for args in (["add"], ["add", "--help"]):
        assert machine.run(*args).stdout.strip().endswith("|".join(args))


def test_a_shell_that_completes_a_line_waits_for_no_extra(machine: Machine) -> None:
    machine.run("add", "studio")
    (machine.project / ".venv/added-extras").unlink()
    machine.steps()
    machine.run(_CLOCKHEAD_COMPLETE="bash_complete")
    assert machine.steps() == []
