"""A unit behind the name of a column is filled in, said, and left out of the name."""

from tests.app.scenes import read
from tests.app.test_data import field, started, upload


def test_a_unit_behind_a_name_is_filled_in_and_said():
    at = upload(b"t s,v m/s\n" + b"".join(b"%d,%f\n" % (i, 10 * 0.9**i) for i in range(30)))
    assert field(at, "text_input", "Unit of v m/s").value == "m/s"
    assert field(at, "text_input", "Name of v m/s").value == "v"
    assert "Column 'v m/s': its name ends with a unit; 'm/s' was taken as its unit." in read(at)
    (speed,) = started(at).dataset.states
    assert (speed.name, speed.symbol, speed.unit, speed.title) == ("v", "v", "m/s", "v (m/s)")
