"""Labels of terms in a chart: names as elsewhere, short, and never two alike."""

import pytest

from dolq_core.terms import Names
from dolq_core.views.labels import labels

PLANKTON = Names(("algae density", "rotifers per (ml)"), ("algae_density", "rotifers_per"))
BEAM = Names(("beam deflection (mm)", "beam_deflection_dot"), ("beam_deflection", "beam_deflection_dot"))
EATEN = "algae_density*rotifers_per/(params[0] + algae_density)"
CROWDED = "algae_density*rotifers_per/(params[0] + params[1]*rotifers_per + algae_density)"


@pytest.mark.parametrize(
    ("names", "skeletons", "said"),
    [
        (PLANKTON, ("algae_density", "algae_density**2"), ("algae density", "algae density**2")),
        (PLANKTON, (EATEN, CROWDED), ("alga…*roti…/(p1 + alga…)", "alga…*roti…/(p1 + p2*roti… + alga…)")),
        (BEAM, ("beam_deflection_dot",), ("beam_deflection_dot",)),
        (Names(("x",), ("x",), "day"), ("sin(params[0]*t)",), ("sin(p1*day)",)),
        (
            BEAM, ("beam_deflection**2*sin(params[0]*t)", "beam_deflection_dot**2*sin(params[0]*t)"),
            ("beam…tion**2*sin(p1*t)", "beam…_dot**2*sin(p1*t)"),
        ),
    ],
)  # fmt: skip
def test_terms_that_begin_and_end_alike_have_labels_that_differ(names, skeletons, said):
    assert labels(skeletons, names, 24) == said
