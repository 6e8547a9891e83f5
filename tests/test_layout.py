"""What holds of the package as a whole: light imports, small files, documented commands."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from bluered.cli.main import app

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "bluered").rglob("*.py"))
NEEDS_TORCH = ("bluered.models", "bluered.training", "bluered.export", "bluered.__main__")
REFERENCE = runpy.run_path(str(ROOT / "docs" / "generate_commands.py"))
COMMANDS = REFERENCE["commands"](app, "bluered")

WITHOUT_TORCH = """
import importlib, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers", "onnx", "onnxscript", "safetensors"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
for name in sys.argv[1:]:
    importlib.import_module(name)
"""

HELP = """
import sys

heavy = sys.argv[1:]
sys.argv = ["bluered", "--help"]
from bluered.cli.main import main

try:
    main()
finally:
    sys.stderr.write(" ".join(name for name in heavy if name in sys.modules))
"""


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


def test_every_module_that_runs_imports_without_torch() -> None:
    names = [name for name in map(module, SOURCES) if not name.startswith(NEEDS_TORCH)]
    assert len(names) > 20
    done = python(WITHOUT_TORCH, *names)
    assert done.returncode == 0, done.stderr


def test_help_imports_nothing_heavy() -> None:
    heavy = {"numpy", "onnxruntime", "lxml", "scipy", "jinja2", "requests", "tokenizers", "torch"}
    done = python(HELP, *heavy)
    assert "corpora" in done.stdout
    assert done.stderr.split() == []


def test_files_stay_small() -> None:
    lines = {module(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {name: count for name, count in lines.items() if count > 400} == {}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_a_help_text(name) -> None:
    assert COMMANDS[name].__doc__
    arguments, options = REFERENCE["parameters"](COMMANDS[name])
    assert [written for written, text in (*arguments, *options) if not text] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_names_the_options_the_program_takes(name) -> None:
    command = typer.main.get_command(app)
    for word in name.split()[1:]:
        command = command.commands[word]
    asked = [p for p in command.params if p.param_type_name == "option"]
    taken = {option for p in asked for option in (*p.opts, *p.secondary_opts)}
    _, options = REFERENCE["parameters"](COMMANDS[name])
    named = {
        word.strip(",") for written, _ in options for word in written.split() if word[0] == "-"
    }
    assert named == taken - {"--help", "-h"}


def test_the_page_of_commands_is_up_to_date() -> None:
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert page == REFERENCE["reference"](), "run `make docs`"


def test_the_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    verbs = {name.split()[1] for name in COMMANDS}
    assert [verb for verb in sorted(verbs) if f"bluered {verb}" not in readme] == []


def test_tables_of_facts_travel_with_the_package() -> None:
    data = [p for p in (ROOT / "src" / "bluered").rglob("*.toml") if p.is_file()]
    assert {p.name for p in data} >= {"biored.toml", "bc5cdr.toml"}
    ignored = subprocess.run(
        ["git", "check-ignore", *map(str, data)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ignored.stdout == ""
