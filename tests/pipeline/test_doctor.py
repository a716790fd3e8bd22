"""The doctor: what is missing is found, and what mends it is said."""

import importlib.metadata
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement

from clockhead import doctor, release
from clockhead.cli import cli
from clockhead.places import PACKAGE
from tests.pipeline.project import run_module

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = {"films": ("dask>=1",), "more": ("clockhead[films]", "no-such-package>=3")}


def findings(tmp_path):
    return {finding.name: finding for finding in doctor.examine(tmp_path / "media")}


def test_this_environment_is_complete(tmp_path):
    found = findings(tmp_path)
    assert [name for name, finding in found.items() if finding.needed and not finding.ok] == []
    assert found["manim"].found.startswith("0.22.")
    assert found["H.264 encoder"].found == "libx264"


def test_a_library_that_does_not_load_is_named_with_its_package(monkeypatch, tmp_path):
    error = "ImportError: libpangocairo-1.0.so.0: cannot open shared object file: No such file"
    monkeypatch.setattr(doctor, "_try_imports", lambda modules: {"manim": error})
    finding = findings(tmp_path)["manim"]
    assert not finding.ok
    assert "libpangocairo" in str(finding)
    assert "apt-get install" in finding.repair
    assert "libpango1.0-dev" in finding.repair
    assert "brew install" in finding.repair


@pytest.fixture
def quick(monkeypatch):
    """Nothing is imported to try it."""
    monkeypatch.setattr(doctor, "_try_imports", lambda modules: {})


@pytest.fixture
def requiring(monkeypatch, tmp_path, quick):
    """A checkout with other requirements."""

    def require(*packages, python=">=3.11", **extras):
        lines = [f"{name} = {list(needs)}" for name, needs in extras.items()]
        (tmp_path / "pyproject.toml").write_text(
            f'[project]\nname = "clockhead"\nversion = "7.8"\nrequires-python = "{python}"\n'
            f"dependencies = {list(packages)}\n[project.optional-dependencies]\n" + "\n".join(lines)
        )
        monkeypatch.setattr(release, "ROOT", tmp_path)
        monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
        return findings(tmp_path)

    return require


def test_every_requirement_is_checked(quick, tmp_path):
    found = findings(tmp_path)
    assert {Requirement(text).name for text in PYPROJECT["dependencies"]} <= found.keys()
    assert {f"{name} (optional)" for name in PYPROJECT["optional-dependencies"]} <= found.keys()


@pytest.mark.parametrize(
    ("need", "found"),
    [
        ("no-such-package>=3", "not installed"),
        ("numpy>=999", "does not fit: >=999 is needed"),
        ("numpy<1", "does not fit: <1 is needed"),
    ],
)
def test_a_missing_or_unfit_package_is_reported_with_its_repair(requiring, need, found):
    finding = requiring("click>=8", need)[Requirement(need).name]
    assert not finding.ok
    assert found in finding.found
    assert finding.repair.startswith(f"{sys.executable} -m pip install")
    assert finding.repair.endswith(f"'{need}'")


def test_requirements_of_other_systems_are_ignored(requiring):
    found = requiring("no-such-package; sys_platform == 'none'", "click")
    assert "no-such-package" not in found
    assert found["click"].ok


def test_a_python_that_is_too_old_is_found(requiring):
    assert not requiring("click", python=">=99")["Python"].ok
    assert requiring("click", python=">=3.9")["Python"].ok


def test_indirect_requirements_are_checked(requiring, monkeypatch, tmp_path):
    package = tmp_path / "site/outer-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: outer\nVersion: 1.0\nProvides-Extra: fast\n"
        "Requires-Dist: click>=999\nRequires-Dist: no-such-package; extra == 'fast'\n"
        "Requires-Dist: nor-this-one; extra == 'slow'\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "site")
    found = requiring("outer[fast]==1.*")
    assert found["outer"].ok
    assert found["click"].found.endswith("does not fit: >=999 is needed (required by outer)")
    assert found["no-such-package"].found == "not installed (required by outer)"
    assert "nor-this-one" not in found


def test_missing_packages_are_not_imported(monkeypatch, quick, tmp_path):
    monkeypatch.setattr(doctor, "_misfit", lambda need: "not installed")
    for module in ("av", "typst", "uharfbuzz"):
        monkeypatch.setitem(sys.modules, module, None)
    found = findings(tmp_path)
    assert not found["av"].ok
    assert {"H.264 encoder", "letters and formulas"}.isdisjoint(found)


def test_extras_are_optional_and_reported_with_their_command(requiring):
    found = requiring("click", **EXTRAS)
    assert found["films (optional)"].ok
    more = found["more (optional)"]
    assert (more.ok, more.needed) == (False, False)
    assert str(more).startswith("absent   more (optional)")
    assert "no-such-package (not installed)" in more.found
    assert "dask" not in more.found
    assert more.repair == f"{sys.executable} -m pip install --upgrade 'no-such-package>=3'"


def test_repairs_use_the_launcher_in_its_environment(requiring, tmp_path):
    (tmp_path / "clockhead").touch()
    (tmp_path / "env").mkdir()
    (tmp_path / "env/installed-requirements.lock").touch()
    extra = requiring("click", **EXTRAS)["more (optional)"]
    assert extra.repair == f"{tmp_path / 'clockhead'} add more"
    assert f"rm -r {tmp_path / 'env'}" in requiring("no-such-package")["no-such-package"].repair


def test_an_installed_clockhead_knows_the_same_requirements(monkeypatch, tmp_path):
    here = release.needs()
    info = tmp_path / "site/clockhead-7.8.dist-info"
    info.mkdir(parents=True)
    optional = PYPROJECT["optional-dependencies"]
    needs = [*PYPROJECT["dependencies"]]
    needs += [f'{need}; extra == "{name}"' for name, extra in optional.items() for need in extra]
    lines = ["Metadata-Version: 2.4", "Name: clockhead", "Version: 7.8", "Requires-Python: >=3.11"]
    lines += [f"Provides-Extra: {name}" for name in optional]
    lines += [f"Requires-Dist: {need}" for need in needs]
    (info / "METADATA").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert release.version() == "7.8"
    assert not release.is_checkout()
    installed = release.needs()
    assert installed.packages == here.packages
    assert installed.python == here.python
    names = {name: [need.name for need in extra] for name, extra in here.extras.items()}
    assert {name: [n.name for n in extra] for name, extra in installed.extras.items()} == names


def test_a_copy_without_metadata_is_reported(monkeypatch, tmp_path):
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(importlib.metadata.Distribution, "discover", lambda **_: iter(()))
    assert not findings(tmp_path)["clockhead"].ok


@pytest.mark.parametrize(
    "missing", [("packaging",), ("pydantic", "numpy", "rapidfuzz", "manim")], ids=" ".join
)
def test_the_doctor_runs_without_packages(missing, tmp_path):
    for name in missing:
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError({name!r}, name={name!r})")
    done = run_module("clockhead", "doctor", cwd=tmp_path, paths=[tmp_path, PACKAGE.parent])
    assert done.returncode == 1
    for name in missing:
        assert f"missing  {name}" in done.stdout
    assert done.stderr == "something is missing: see above\n"


def test_a_missing_package_refers_to_the_doctor(tmp_path):
    (tmp_path / "rapidfuzz.py").write_text(
        "raise ModuleNotFoundError('No module named rapidfuzz', name='rapidfuzz')"
    )
    paths = [tmp_path, PACKAGE.parent]
    done = run_module("clockhead", "check", "rop", cwd=tmp_path, paths=paths)
    assert (done.returncode, done.stdout) == (1, "")
    told, _, command = done.stderr.rpartition(": ")
    assert told == "No module named rapidfuzz; to see what is missing"
    assert command.endswith("-m clockhead doctor\n")


def test_a_crash_while_importing_is_reported(monkeypatch):
    monkeypatch.setattr(doctor, "_IMPORT_SCRIPT", "import os; os.abort()")
    wrong = doctor._try_imports(["manim"])
    assert wrong["manim"].startswith("the import test failed")


def test_a_folder_that_cannot_be_made_is_reported(quick, tmp_path):
    (tmp_path / "file").touch()
    found = {finding.name: finding for finding in doctor.examine(tmp_path / "file" / "media")}
    assert not found["films"].ok


def test_the_folder_of_films_is_checked(quick, tmp_path):
    result = CliRunner().invoke(cli, ["doctor", "-o", str(tmp_path)])
    assert f"GiB free for {tmp_path}" in result.output


def test_the_size_of_cached_clips_is_reported(quick, tmp_path):
    assert findings(tmp_path)["cached clips"].found.startswith("0.0 MB in ")
    for name in (".clips/a.clip", ".clips/b.clip", ".speech/c.speech"):
        path = tmp_path / "media" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(700_000))
    said = str(findings(tmp_path)["cached clips"])
    assert f"2.1 MB in {tmp_path / 'media'}; " in said
    assert said.endswith("clean removes what no film uses")


@pytest.mark.parametrize(
    ("broken", "code", "verdict"), [(False, 0, "all is well"), (True, 1, "something is missing")]
)
def test_the_exit_code_says_whether_films_can_be_made(monkeypatch, broken, code, verdict):
    wrong = {"manim": "ImportError: no"} if broken else {}
    monkeypatch.setattr(doctor, "_try_imports", lambda modules: wrong)
    result = CliRunner().invoke(cli, ["doctor"], standalone_mode=False)
    assert result.return_value == code
    assert verdict in result.output
