"""A copy of the launcher in a folder of its own, on a machine whose tools are stand-ins."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REAL_PYTHON = getattr(sys, "_base_executable", sys.executable)
TOOLS = (
    *("cat", "chmod", "cksum", "cp", "date", "env"),
    *("readlink", "rm", "sh", "tail", "true"),
)
LOCKS = (
    *("requirements.lock", "requirements-dev.lock"),
    *("requirements-build.lock", "requirements-extras.lock"),
)

PYPROJECT = """\
[project.optional-dependencies]
studio = ["server>=1"]
voice = ["Speech[fast]>=2"]
dev = ["tests"]
"""
EXTRAS_LOCK = """\
# Made by a command.
base==1 \\
    --hash=sha256:0a
    # via clockhead (pyproject.toml), server
server==1.1 \\
    --hash=sha256:1a \\
    --hash=sha256:1b
    # via clockhead (pyproject.toml)
sockets==3 ; python_full_version >= '3.11' \\
    --hash=sha256:3a
    # via threads
speech==2 \\
    --hash=sha256:2a
    # via clockhead (pyproject.toml)
threads==4 \\
    --hash=sha256:4a
    # via server, -c requirements-dev.lock
"""

# Journals what it is asked to make; makes a real environment, with a stand-in for pip inside.
FAKE_PYTHON = """#!/bin/sh
case "$*" in
    *_base_executable*) echo "$0" ;;
    *ensurepip*|*Python.h*) ;;
    "-m venv "*)
        echo venv >>"$JOURNAL"
        "{python}" -m venv --without-pip "$3"
        cp -R "{site}/." "$3"/lib/python3*/site-packages/
        ;;
    *) exec "{python}" "$@" ;;
esac
"""

FAKE_PIP = """
import os, pathlib, signal, sys, time

lock = sys.argv[-1]
with open(os.environ["JOURNAL"], "a") as journal:
    hashed = " ".join(word for word in sys.argv if word == "--require-hashes")
    journal.write(f"pip {hashed} {pathlib.Path(lock).name}\\n")
if os.environ.get("PIP_LACKS", "nothing") in lock:
    sys.exit("no matching distribution")
time.sleep(float(os.environ.get("PIP_TAKES", 0)))
if os.environ.get("PIP_IS") == "killed":
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit(1)
if os.environ.get("PIP_IS") == "failing":
    sys.exit("no matching distribution")
for tool in ("ruff", "mypy", "lint-imports"):
    script = pathlib.Path(sys.prefix, "bin", tool)
    script.write_text(f'#!/bin/sh\\necho {tool} >>"$JOURNAL"\\n[ {tool} != "$BROKEN" ]\\n')
    script.chmod(0o755)
"""

FAKE_PYTEST = """
import sys
print("pytest", *sys.argv[1:])
print("1 passed")
"""

CLI = """
import os, sys

def main():
    print(os.getcwd(), *sys.argv, sep="|")
    return 3 if "fail" in sys.argv else 0
"""

APT = """#!/bin/sh
echo "apt-get $*" >>"$JOURNAL"
case "$*" in *install*) cp "$BIN/id" "$BIN/cc"; cp "$BIN/id" "$BIN/pkg-config" ;; esac
"""


class Machine:
    """A PATH of stand-ins, and a project folder with spaces in its name."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.journal = folder / "journal"
        self.project = folder / "a folder of lectures"
        self.home = folder / "elsewhere"
        for made in (self.bin, self.project / "src/clockhead", self.home):
            made.mkdir(parents=True)
        self.journal.touch()
        shutil.copy(ROOT / "clockhead", self.project)
        for lock in LOCKS:
            (self.project / lock).write_text(f"# {lock}\n")
        (self.project / "requirements-extras.lock").write_text(EXTRAS_LOCK)
        (self.project / "pyproject.toml").write_text(PYPROJECT)
        package = self.project / "src/clockhead"
        (package / "__init__.py").touch()
        (package / "cli.py").write_text(CLI)
        (package / "__main__.py").write_text("from clockhead.cli import main\n")
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool) or tool)
        for name, code in (("pip", FAKE_PIP), ("pytest", FAKE_PYTEST)):
            (folder / "site" / name).mkdir(parents=True)
            (folder / "site" / name / "__main__.py").write_text(code)
        self.tool("python3", FAKE_PYTHON.format(python=REAL_PYTHON, site=folder / "site"))
        self.tool("uname", '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo x86_64\n')
        self.tool("id", "#!/bin/sh\necho 1000\n")
        self.tool("cc")
        self.tool("pkg-config")

    @property
    def launcher(self) -> Path:
        return self.project / "clockhead"

    def tool(self, name: str, script: str = "#!/bin/sh\n") -> None:
        """Put a stand-in on the PATH."""
        (self.bin / name).write_text(script)
        (self.bin / name).chmod(0o755)

    def start(self, *arguments: str, at: Path | None = None, **env: str) -> subprocess.Popen[str]:
        """Start the launcher from another folder, `at` the given path or the project's own."""
        return subprocess.Popen(
            [at or self.launcher, *arguments],
            cwd=self.home,
            env={"PATH": str(self.bin), "JOURNAL": str(self.journal), "BIN": str(self.bin)} | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, *arguments: str, at: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the launcher to its end."""
        process = self.start(*arguments, at=at, **env)
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def steps(self) -> list[str]:
        """What was made and installed since this was last asked."""
        lines = self.journal.read_text().splitlines()
        os.truncate(self.journal, 0)
        return lines


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)
