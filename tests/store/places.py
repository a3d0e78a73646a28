"""Places that take nothing: a small file system of its own that is full or read-only, as a disk would be."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class NoMount(Exception):
    """This program may not make file systems."""


class Place:
    """A file system in memory of this size, in kilobytes, mounted at `path`."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self._mount("-t", "tmpfs", "-o", f"size={size}k", "tmpfs")

    def fill(self) -> None:
        """Leave no room."""
        with (self.path / "filler").open("ab", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                return

    def free(self) -> None:
        """Give the room back."""
        (self.path / "filler").unlink()

    def forbid(self) -> None:
        """Make it read-only; no file in it may be open for writing."""
        self._mount("-o", "remount,ro")

    def allow(self) -> None:
        """Make it writable again."""
        self._mount("-o", "remount,rw")

    def _mount(self, *options: str) -> None:
        command = ["mount", *options, str(self.path)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            raise NoMount


@contextmanager
def place(path: Path, size: int = 1024) -> Iterator[Place]:
    """Yield a file system of its own at the folder `path`; raise NoMount where that is not allowed."""
    found = Place(path, size)
    try:
        yield found
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)
