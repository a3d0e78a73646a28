"""The data sets that come with the program: measured, computed from the paper's systems, and without any law."""

from dolq_core.bundled.descriptions import Bundled
from dolq_core.bundled.sets import SamplePlan, bundled, load_bundled
from dolq_core.bundled.systems import PAPER_SYSTEMS, System, generate, system

__all__ = ["PAPER_SYSTEMS", "Bundled", "SamplePlan", "System", "bundled", "generate", "load_bundled", "system"]
