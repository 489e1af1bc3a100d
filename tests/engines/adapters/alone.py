"""Runs a module of a package by itself: without the rest of it, and without what that needs.

Engines are large programs that bring many packages with them; the function that fills in a prompt
is one module of them. Stand-ins are there in the place of what it imports but does not use.
"""

import importlib
import json
import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path


def stand_in(name, **members):
    """Puts a module in the place of another one, with these members. Others it has, too, as
    classes without anything in them."""
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
    """Imports a module from a folder of packages, and runs nothing of the packages it is in."""
    sys.meta_path.insert(0, Bare(folder))
    return importlib.import_module(name)


def answer(fill_in):
    """Answers the cases on each line with what a function makes of them: a dictionary for each.

    `inputs` are a text of JSON, which this language reads as its own.
    """
    for line in sys.stdin:
        cases = json.loads(line)
        inputs = json.loads(cases["inputs"])
        filled_in = [fill_in(template, inputs) for template in cases["templates"]]
        print(json.dumps(filled_in), flush=True)
