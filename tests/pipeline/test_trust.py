"""Stages are programs: a stranger's do not run, one's own do once they are trusted."""

import grp
import json
import os
import pwd
import shutil
import subprocess
from collections import namedtuple
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import clockhead
from clockhead import cli
from clockhead.libraries import PROJECT, show_notices_with, use_project
from clockhead.notebook import ClockheadError
from clockhead.testing import stage_near
from clockhead.trust import (
    TRUST,
    _is_private,
    _judge,
    reason_to_refuse,
    record_file,
    trust,
    trusted_projects,
)
from tests.pipeline.project import run_module
from tests.pipeline.test_libraries import STAGE, install_package

SPY = "open('ran-this', 'w').write('')\n"
SOUND = SPY + STAGE.replace(", beat\n\nfrom .names import TITLE", ", beat").replace(
    "= TITLE", "= 'A'"
)
FILM = "version: 1\ntitle: A film\nshots:\n- stage: "
COMMANDS = (
    "check film.yaml",
    "check inside/film.yaml",
    "numbers film.yaml",
    "stages",
    "stages sums.growing",
    "schema",
    "films",
    "export film.yaml --to numbers",
    "sheet film.yaml -ql",
)


User = namedtuple("User", "pw_name pw_uid pw_gid")
Group = namedtuple("Group", "gr_name gr_gid gr_mem")


@pytest.fixture(autouse=True)
def record(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has trusted nothing yet."""
    folder = tmp_path_factory.mktemp("settings")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder / "clockhead/trusted.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a stranger sent: a film, its stage, and one called like a stage of Clockhead's."""
    project = tmp_path / "theirs"
    for film, stage, code in (("sums", "growing", SOUND), ("vectors", "keys", SPY)):
        (project / "stages" / film).mkdir(parents=True)
        (project / "stages" / film / f"{stage}.py").write_text(code)
    (project / "inside").mkdir()
    for folder in (project, project / "inside"):
        (folder / "film.yaml").write_text(f"{FILM}sums.growing\n")
        (folder / "shipped.yaml").write_text(f"{FILM}vectors.keys\n")
    monkeypatch.chdir(project)
    monkeypatch.delenv(PROJECT)
    return project


@pytest.fixture
def run(run) -> Callable[..., tuple[int, str]]:
    """Run a command: its exit code, and all that it printed."""

    def command(*args: str) -> tuple[int, str]:
        code, out, err = run(*args)
        return code, out + err

    return command


def has_run(project: Path) -> bool:
    return any(project.rglob("ran-this"))


def test_stages_of_an_untrusted_project_do_not_run(run, project: Path):
    assert run("check", "shipped.yaml")[0] == 0
    for line in COMMANDS:
        code, said = run(*line.split())
        needed = "film" in line or "growing" in line
        assert code == (2 if needed and line != "films" else 0), said
        assert f"clockhead trust {project}" in said
        assert "sums/growing.py" in said or not needed or line == "films"
        assert not has_run(project), line
    with pytest.raises(ClockheadError, match=f"clockhead trust {project}"):
        clockhead.film("film.yaml")
    with pytest.raises(ClockheadError, match=f"clockhead trust {project}"):
        clockhead.stage("sums.growing")
    assert not has_run(project)


def test_completion_does_not_run_untrusted_stages(project: Path, monkeypatch):
    monkeypatch.setenv("_CLOCKHEAD_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "clockhead\ncheck\nfilm.yaml\n--set\n")
    monkeypatch.setenv("COMP_CWORD", "4")
    done = run_module("clockhead", cwd=project)
    assert (done.returncode, done.stdout.strip()) == (0, "")
    assert not has_run(project)


def test_trusted_stages_run_until_the_project_is_forgotten(run, project: Path):
    assert run("trust", ".")[0] == 0
    assert run("check", "inside/film.yaml")[0] == 0
    assert has_run(project)
    assert run("trust", "--list") == (0, f"{project}\n")
    assert run("trust", "--forget", str(project))[0] == 0
    (project / "ran-this").unlink()
    code, said = run("check", "film.yaml")
    assert code == 2
    assert "growing.py" in said
    assert not has_run(project)
    assert run("trust", "--forget", ".")[0] == 1
    code, said = run("trust", "stages")
    assert code == 2
    assert str(project) in said


def test_the_environment_variable_trusts_full_paths_only(run, project: Path, monkeypatch):
    monkeypatch.setenv(TRUST, f"{project.parent}:.:")
    assert run("check", "film.yaml")[0] == 2
    monkeypatch.setenv(TRUST, f"/nowhere:{project}")
    assert run("check", "film.yaml") == (0, "film: 1 shot, in order\n")
    code, said = run("trust", "--forget", ".")
    assert code == 1
    assert TRUST in said


def test_a_project_replaces_no_stage_of_clockhead(run, project: Path):
    trust(project)
    code, said = run("check", "shipped.yaml")
    assert code == 0
    assert "stages/vectors/keys.py" in said
    assert run("stages")[0] == 0
    assert not any("vectors" in one for one in map(str, project.rglob("ran-this")))
    (project / "ran-this").unlink()
    assert "vectors.my_keys" in run("check", "shipped.yaml")[1]
    (project / "stages/vectors/keys.py").rename(project / "stages/vectors/my_keys.py")
    assert "not used" not in run("check", "shipped.yaml")[1]


def test_a_package_replaces_no_stage_of_clockhead(project: Path, tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    shutil.move(project / "stages", site / "theirs/stages")
    install_package(site, "theirs")
    paths = [Path(cli.__file__).parents[2], site]
    for film, runs in (("shipped", False), ("film", True)):
        done = run_module("clockhead", "check", f"{film}.yaml", cwd=project, paths=paths)
        assert done.returncode == 0, done.stderr
        assert has_run(project) == runs
        assert ("vectors/keys.py" in done.stderr) != runs


def test_a_project_that_others_can_write_to_is_refused_with_a_remedy(project: Path, tmp_path: Path):
    trust(project)
    for place in (
        project,
        project / "stages",
        project / "stages/sums",
        project / "stages/sums/growing.py",
    ):
        for bit in (0o020, 0o002):
            mode = place.stat().st_mode
            place.chmod(mode | bit)
            refused = weakness(project)
            assert str(place) in refused
            with pytest.raises(PermissionError):
                trust(project)
            subprocess.run(refused.partition("to prevent it: ")[2], shell=True, check=True)
            assert weakness(project) == ""
    tmp_path.chmod(0o777)
    assert str(tmp_path) in weakness(project)
    tmp_path.chmod(0o1777)
    assert weakness(project) == ""


def test_links_to_files_that_others_can_write_to_are_refused(project: Path, tmp_path: Path):
    trust(project)
    other = tmp_path / "other"
    other.mkdir()
    (other / "more.py").touch()
    (project / "stages/linked").symlink_to(other)
    (project / "stages/sums/more.py").symlink_to(other / "more.py")
    (project / "stages/sums/loop.py").symlink_to("loop.py")
    assert weakness(project) == ""
    (other / "more.py").chmod(0o666)
    assert "more.py" in weakness(project)
    (other / "more.py").chmod(0o644)
    other.chmod(0o777)
    assert str(other) in weakness(project)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_files_of_other_users_are_refused(project: Path):
    for place in (project / "stages/sums/growing.py", project / "stages", project):
        os.chown(place, 65534, -1)
        with pytest.raises(PermissionError, match="belongs to"):
            trust(project)
        os.chown(place, 0, -1)
    os.chown(project.parent, 65534, -1)
    with pytest.raises(PermissionError, match="belongs to"):
        trust(project)
    os.chown(project.parent, 0, -1)
    trust(project)


def test_another_folder_at_the_same_path_is_not_trusted(project: Path):
    trust(project)
    copy = shutil.copytree(project, project.with_name("copy"))
    assert reason_to_refuse(copy)
    project.rename(project.with_name("moved"))
    assert reason_to_refuse(project.with_name("moved"))
    copy.rename(project)
    assert weakness(project)
    shutil.rmtree(project)  # whose number a file system may give to the next
    project.with_name("moved").rename(project)
    assert weakness(project) == ""
    link = project.with_name("link")
    link.symlink_to(project)
    assert weakness(link) == ""
    for _ in range(3):
        shutil.rmtree(project)
        (project / "stages").mkdir(parents=True)
        assert weakness(project)


def test_the_record_is_private_and_safe_for_many_threads(
    project: Path, record: Path, tmp_path: Path
):
    projects = [tmp_path / str(number) for number in range(8)]
    for one in projects:
        (one / "stages").mkdir(parents=True)
    with ThreadPoolExecutor(8) as together:
        list(together.map(trust, projects))
    assert set(trusted_projects()) == set(projects)
    assert record == record_file()
    assert record.stat().st_mode & 0o777 == 0o600
    assert list(record.parent.iterdir()) == [record]
    record.chmod(0o666)
    assert all(map(weakness, projects))
    record.chmod(0o600)
    for odd in ("", "[]", '{"homes": 1}', json.dumps({"homes": {str(projects[0]): [1, 0, ""]}})):
        record.write_text(odd)
        assert all(map(weakness, projects))


def test_a_record_that_cannot_be_written_is_an_error(run, project: Path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(project / "film.yaml"))
    code, said = run("trust", ".")
    assert code == 1
    assert "film.yaml" in said
    assert weakness(project)


def test_a_new_stage_does_not_trust_older_stages_beside_it(
    run, project: Path, tmp_path: Path, monkeypatch
):
    before = set(project.rglob("*"))
    code, said = run("new", "stage", "mine.first")
    assert code == 2
    assert f"clockhead trust {project}" in said
    assert run("new", "plain")[0] == 0
    assert reason_to_refuse(project)
    assert not has_run(project)
    assert {path.parent.name for path in set(project.rglob("*.*")) - before} == {"storyboards"}
    monkeypatch.chdir(tmp_path)
    use_project(tmp_path)
    before = os.umask(0)
    try:
        assert run("new", "stage", "mine.first")[0] == 0
    finally:
        os.umask(before)
    assert reason_to_refuse(tmp_path) == ""
    assert run("check", "mine_first")[0] == 0


def test_tests_of_a_project_trust_it_in_their_process_only(project: Path):
    assert stage_near(project / "tests/test_growing.py", "sums.growing").title == "A"
    assert trusted_projects() == {}
    done = run_module("clockhead", "check", "film.yaml", cwd=project)
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("user", "group", "others", "is_private"),
    [
        (User("ann", 1000, 1000), Group("ann", 1000, []), [], True),
        (User("ann", 1000, 1000), Group("ann", 1000, ["ann"]), [], True),
        (User("ann", 1000, 1000), Group("ann", 1000, ["bob"]), [], False),
        (User("ann", 1000, 1000), Group("ann", 1000, []), [User("bob", 1001, 1000)], False),
        (User("ann", 1000, 1000), Group("staff", 1000, []), [], False),
        (User("ann", 1000, 1000), Group("ann", 1002, []), [], False),
        (User("root", 0, 0), Group("root", 0, []), [], False),
    ],
)
def test_write_permission_for_a_private_group_is_allowed(
    monkeypatch, user, group, others, is_private
):
    monkeypatch.setattr(os, "geteuid", lambda: user.pw_uid)
    monkeypatch.setattr(pwd, "getpwuid", lambda _: user)
    monkeypatch.setattr(pwd, "getpwall", lambda: [user, *others])
    monkeypatch.setattr(grp, "getgrgid", lambda _: group)
    assert _is_private.__wrapped__(group.gr_gid) == is_private


def weakness(project: Path) -> str:
    """Why the stages of a project are not run, judged anew."""
    _judge.cache_clear()
    return reason_to_refuse(project)


@pytest.fixture(autouse=True)
def _as_before():
    yield
    show_notices_with(lambda _: None)
    use_project(None)
