"""Makes the part of XTuner importable that reads data: its packages import all of it, older Transformers included."""

import importlib.util
import os
import sys
import types

root = os.path.dirname(importlib.util.find_spec("xtuner").origin)
for name in ("xtuner", "xtuner.utils", "xtuner.dataset", "xtuner.dataset.map_fns"):
    place = os.path.join(root, *name.split(".")[1:])
    package = types.ModuleType(name)
    package.__path__ = [place]
    # mmengine asks where a module that a configuration imports is from.
    origin = os.path.join(place, "__init__.py")
    package.__spec__ = importlib.util.spec_from_loader(name, None, origin=origin, is_package=True)
    sys.modules[name] = package

from xtuner.utils import constants, templates

vars(sys.modules["xtuner.utils"]).update(vars(constants))
