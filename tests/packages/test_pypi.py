"""The wheels, installed with pip."""

import re
import sys
import tarfile
from zipfile import ZipFile

import pefile
import pytest
from conftest import MISTAKE, PACKAGES, PROFILE, ROOT


def test_pip_installs_a_program_and_a_module(mistaken):
    mistaken.run(sys.executable, "-m", "venv", mistaken.home / "venv")
    mistaken.first_on_path(mistaken.home / "venv/bin")
    mistaken.run("pip", "install", "--no-index", "--find-links", PACKAGES, "promptls")
    assert MISTAKE in mistaken.run("promptls", "check", status=1)
    assert MISTAKE in mistaken.run("python", "-m", "promptls", "check", status=1)
    for file in ["man/man1/promptls-check.1", "zsh/site-functions/_promptls", "bash-completion/completions/promptls"]:
        assert (mistaken.home / "venv/share" / file).read_text().strip(), file


def test_python_imports_what_pip_installs(mistaken):
    mistaken.run(sys.executable, "-m", "venv", mistaken.home / "venv")
    mistaken.first_on_path(mistaken.home / "venv/bin")
    mistaken.run("pip", "install", "--no-index", "--find-links", PACKAGES, "promptls")
    (mistaken.folder / "letter.adk.prompt").write_text("Dear {customer},")
    script = "import promptls; print(promptls.Prompt.load('letter.adk.prompt').render(customer='Ada'))"
    assert mistaken.run("python", "-c", script) == "Dear Ada,\n"
    for example in re.findall(r"```python\n(.*?)```", (ROOT / "server/python/README.md").read_text(), re.DOTALL):
        mistaken.run("python", "-c", example)
    version = mistaken.run("python", "-c", "import promptls; print(promptls.__version__)")
    assert mistaken.run("promptls", "--version") == f"promptls {version}"


def test_a_wheel_says_what_it_is():
    wheel = next(PACKAGES.glob("promptls-*linux*_x86_64.whl"))
    opened = ZipFile(wheel)
    folder = wheel.name.split("-cp310")[0]
    metadata = opened.read(f"{folder}.dist-info/METADATA").decode()
    for key in ["Classifier", "Summary", "License", "Project-URL", "Keywords", "Description-Content-Type"]:
        assert f"\n{key}: " in metadata, metadata
    assert "pytest11" in opened.read(f"{folder}.dist-info/entry_points.txt").decode()
    assert {"promptls/_promptls.pyi", "promptls/py.typed"} <= set(opened.namelist())
    assert "promptls=promptls.__main__:main" in opened.read(f"{folder}.dist-info/entry_points.txt").decode()
    # Only the library contains the program.
    large = [entry.filename for entry in opened.infolist() if entry.file_size > 1_000_000]
    assert large == ["promptls/_promptls.abi3.so"]


@pytest.mark.skipif(PROFILE == "dev", reason="what is not optimised is large")
@pytest.mark.parametrize("wheel", PACKAGES.glob("promptls-*.whl"), ids=lambda wheel: wheel.name)
def test_a_wheel_is_small(wheel):
    assert wheel.stat().st_size < 10_000_000


@pytest.mark.skipif(PROFILE == "dev", reason="the short form makes one wheel, for this machine")
def test_a_library_for_windows_exports_what_python_looks_for():
    wheel = ZipFile(next(PACKAGES.glob("promptls-*-win_amd64.whl")))
    library = pefile.PE(data=wheel.read("promptls/_promptls.pyd"))
    assert [symbol.name for symbol in library.DIRECTORY_ENTRY_EXPORT.symbols] == [b"PyInit__promptls"]


@pytest.mark.skipif(PROFILE == "dev", reason="the short form makes one wheel, for this machine")
@pytest.mark.parametrize("library", ["manylinux_2_17", "musllinux_1_2"])
@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
def test_there_is_a_wheel_for_each_c_library(library, processor):
    tags = [wheel.stem.split("-")[-1].split(".") for wheel in PACKAGES.glob("promptls-*.whl")]
    assert any(f"{library}_{processor}" in tag for tag in tags), tags


def test_the_source_distribution_has_what_the_package_is_built_from(shell):
    tarfile.open(next(PACKAGES.glob("promptls-[0-9]*.tar.gz"))).extractall(shell.folder, filter="data")
    (shell.folder,) = shell.folder.iterdir()
    # If a member of the workspace is missing, Cargo rejects the whole workspace.
    shell.run("cargo", "tree", "--locked", "--quiet", "--package", "promptls", "--package", "promptls-python")
    for file in ["PKG-INFO", "pyproject.toml", "server/page/dist/page.js"]:
        assert (shell.folder / file).is_file(), file
