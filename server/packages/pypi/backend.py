"""Builds the package of PyPI from the sources, for whoever installs the repository with pip, as
pre-commit does: the library by maturin, and the program, which goes along as a script.

`server/packages/make` builds the packages of a release, for all systems, and does not need this.
"""

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import maturin

ROOT = Path(__file__).resolve().parents[3]
# pyproject.toml tells maturin of the folder above.
SCRIPTS = Path(__file__).parent / "promptls.data/scripts"


get_requires_for_build_wheel = maturin.get_requires_for_build_wheel
get_requires_for_build_sdist = maturin.get_requires_for_build_sdist


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with scripts():
        return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_sdist(sdist_directory, config_settings=None):
    with scripts():
        return maturin.build_sdist(sdist_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with scripts():
        build_program()
        return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


@contextmanager
def scripts():
    """The folder of the program, which maturin wants to be there."""
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        shutil.rmtree(SCRIPTS.parent, ignore_errors=True)


def build_program():
    """The program, in the profile that maturin is told for the library."""
    arguments = shlex.split(os.environ.get("MATURIN_PEP517_ARGS", ""))
    told = dict(zip(arguments, arguments[1:])).get("--profile", "dist")
    env = dict(os.environ)
    if not shutil.which("cargo"):
        # What brings Rust where there is none, as maturin does for the library.
        from puccinialin import setup_rust

        env |= setup_rust()
    command = ["cargo", "build", "--locked", "--package", "promptls", "--profile", told]
    subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=sys.stderr)
    target = Path(env.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = "promptls.exe" if os.name == "nt" else "promptls"
    shutil.copy2(target / ("debug" if told == "dev" else told) / program, SCRIPTS)
