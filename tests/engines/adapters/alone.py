"""Runs a single module of a package, without the rest of it and without dependencies.

Engines are large programs with many dependencies; the function that resolves a prompt is in one
module. Stand-ins replace its unused imports.
"""

import importlib
import json
import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path


def stand_in(name, **members):
    """Replaces a module by one with these members. All other names are empty classes."""
    module = types.ModuleType(name)
    module.__getattr__ = lambda member: type(member, (), {})
    module.__dict__.update(members)
    sys.modules[name] = module


class Bare:
    """Finds the packages of a folder, and runs nothing when one of them is imported."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def find_spec(self, name, _path, _target=None):
        package = self.folder.joinpath(*name.split("."))
        if not package.is_dir():
            return None
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(package)]
        return spec


def import_alone(folder, name):
    """Imports a module from a folder of packages, without running its parent packages."""
    sys.meta_path.insert(0, Bare(folder))
    return importlib.import_module(name)


def answer(fill_in):
    """Responds to the cases on each line with the results of a function: a dictionary for each.

    `inputs` is a JSON text, which is parsed in this language.
    """
    for line in sys.stdin:
        cases = json.loads(line)
        inputs = json.loads(cases["inputs"])
        filled_in = [fill_in(template, inputs) for template in cases["templates"]]
        print(json.dumps(filled_in), flush=True)
