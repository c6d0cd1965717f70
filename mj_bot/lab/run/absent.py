"""Placeholders for packages that are not installed, so that the --help of every command works without them."""

import contextlib
import importlib.machinery
import sys
import types


class Absent(types.ModuleType):
    """A module, and any value got from it: it takes every call, index, operator and subclass, and is False."""

    __path__, __version__ = (), "0"

    def __init__(self, name="", *_, **options):
        super().__init__(str(name))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent()

    def __bool__(self):
        return False

    def __int__(self):
        return 1

    __hash__ = types.ModuleType.__hash__
    __len__ = __index__ = __int__

    def __iter__(self):
        return iter((Absent(), Absent()))  # two, for `row, column = numpy.nonzero(...)`

    def __mro_entries__(self, bases):
        return ()


for _name in ("call getitem setitem eq ne lt le gt ge add radd sub rsub mul rmul matmul truediv rtruediv floordiv mod "
              "pow rpow and rand or ror xor lshift rlshift rshift neg invert enter exit "
              "instancecheck subclasscheck").split():
    setattr(Absent, "__%s__" % _name, lambda *_, **options: Absent())


class _Finder:
    """Finds the packages of `names`; last in sys.meta_path, so that installed ones are found first."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name.partition(".")[0] in self.names else None

    def create_module(self, spec):
        return Absent(spec.name)

    def exec_module(self, module):
        pass


@contextlib.contextmanager
def placeholders(names):
    """A context in which an import of a package of `names` that is not installed gives a placeholder."""
    finder = _Finder(names)
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, Absent)]:
            del sys.modules[name]
