"""One random generator per seed, iteration and purpose, so that no draw depends on another."""

import zlib

import numpy as np


def generator(seed: int, iteration: int, purpose: str) -> np.random.Generator:
    """Return the generator of one purpose in one iteration; the same on every machine."""
    return np.random.default_rng([seed, iteration, zlib.crc32(purpose.encode())])
