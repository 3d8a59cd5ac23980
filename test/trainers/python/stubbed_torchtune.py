"""
Makes torchtune importable beside the PyTorch that the other trainers run with: the versions of torchao, by which it quantizes, that
fit the one exclude the other. Nothing here is quantized, so that names of it suffice; of torchvision too, which reads pictures.
"""

import importlib.abc
import importlib.util
import sys
import types

ABSENT = ("torchao", "torchvision")


class Names(types.ModuleType):
    """A module that has every name: a class, or what stands before a function as its decorator."""

    __version__ = "0.12.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {}) if name[0].isupper() else lambda *_, **__: lambda function: function
        setattr(self, name, made)
        return made


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname, path=None, target=None):
        is_absent = fullname.split(".")[0] in ABSENT
        return importlib.util.spec_from_loader(fullname, self, is_package=True) if is_absent else None

    def create_module(self, spec):
        return Names(spec.name)

    def exec_module(self, module):
        module.__path__ = []


sys.meta_path.insert(0, Finder())
