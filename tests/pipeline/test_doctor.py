"""The doctor: what is missing is found, and what mends it is said."""

import sys

import pytest
from click.testing import CliRunner

from pipeline import doctor
from pipeline.cli import cli


def findings(tmp_path):
    return {finding.name: finding for finding in doctor.examine(tmp_path / "media")}


def test_here_everything_is_in_order(tmp_path):
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
    assert "apt-get install" in finding.mend
    assert "libpango1.0-dev" in finding.mend
    assert "brew install" in finding.mend


def test_a_package_that_is_not_there_is_said_to_be_missing_or_optional(monkeypatch, tmp_path):
    monkeypatch.setitem(doctor._NEEDED, "no-such-package", "no_such_package")
    monkeypatch.setitem(doctor._FOR_CLUSTERS, "nor-this", "nor_this")
    found = findings(tmp_path)
    assert str(found["no-such-package"]).startswith("missing  no-such-package")
    assert str(found["nor-this"]).startswith("absent   nor-this")
    assert f"{sys.executable} -m pip install" in found["nor-this"].mend


def test_a_trial_that_crashes_is_a_finding_and_not_a_crash(monkeypatch):
    monkeypatch.setattr(doctor, "_TRIAL", "import os; os.abort()")
    wrong = doctor._try_imports(["manim"])
    assert wrong["manim"].startswith("the trial did not end well")


def test_a_folder_that_cannot_be_made_is_found(tmp_path):
    (tmp_path / "file").touch()
    found = {finding.name: finding for finding in doctor.examine(tmp_path / "file" / "media")}
    assert not found["films"].ok


@pytest.mark.parametrize(
    ("broken", "code", "verdict"), [(False, 0, "all is well"), (True, 1, "something is missing")]
)
def test_the_exit_code_says_whether_films_can_be_made(monkeypatch, broken, code, verdict):
    wrong = {"manim": "ImportError: no"} if broken else {}
    monkeypatch.setattr(doctor, "_try_imports", lambda modules: wrong)
    result = CliRunner().invoke(cli, ["doctor"], standalone_mode=False)
    assert result.return_value == code
    assert verdict in result.output
