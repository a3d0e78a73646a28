import json
import math
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dolq_core import records as module
from dolq_core.arrays import frozen
from dolq_core.errors import StoreError
from dolq_core.records import Entry, FittedTerm, Intervention, ModelCall, Start, TargetInfo, Trajectory, Verdict
from dolq_core.store.codec import SCHEMA, from_json, to_json
from tests.store.examples import intervention, iteration, records, start

NOT_STORED = {"RunState"}  # the fold of a log
KINDS = [k for k in vars(module).values() if is_dataclass(k) and isinstance(k, type) and k.__name__ not in NOT_STORED]
TERM = FittedTerm("x0", 1.5)


def changed(record, **values):
    """The text of the record with other values at its top level."""
    return json.dumps(json.loads(to_json(record)) | values)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_every_record_comes_back_as_it_went(kind, data):
    record = data.draw(records(kind))
    text = to_json(record)
    assert from_json(kind, text) == record
    assert to_json(from_json(kind, text)) == text


def test_no_kind_of_record_is_forgotten():
    assert {Start, module.Iteration, Intervention, module.Pause, module.Undo} <= set(KINDS)


@pytest.mark.parametrize("entry", [start(), iteration(3), intervention("why")], ids=lambda e: type(e).__name__)
def test_an_entry_knows_what_it_is(entry):
    assert from_json(Entry, to_json(entry)) == entry


@pytest.mark.parametrize("number", [0.1, -0.0, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, 1 / 3])
def test_a_number_is_kept_to_the_last_bit(number):
    back = from_json(FittedTerm, to_json(replace(TERM, coefficient=number, inner=(number,))))
    assert back.coefficient.hex() == back.inner[0].hex() == number.hex()


@given(st.lists(st.floats(), min_size=1))
def test_an_array_is_kept_to_the_last_bit_with_its_nan(values):
    t = frozen(values)
    back = from_json(Trajectory, to_json(Trajectory(t, t.reshape(-1, 1))))
    assert back.t.tobytes() == t.tobytes()
    assert back.x.shape == (len(values), 1)
    assert not back.x.flags.writeable


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 2)])
def test_an_array_keeps_its_shape_also_when_it_is_empty(shape):
    back = from_json(Trajectory, to_json(Trajectory(frozen([]), frozen(np.ones(shape)))))
    assert back.x.shape == shape


def test_an_array_is_packed_when_that_pays():
    noise, zeros = np.random.default_rng(0).normal(size=500), np.zeros(500)
    text = json.loads(to_json(Trajectory(frozen(noise), frozen(zeros))))
    assert "raw" in text["t"]
    assert "zlib" in text["x"]


def test_numpy_scalars_become_plain_ones():
    fitted = FittedTerm(np.str_("x0"), np.float64(2.5), np.float32(0.5), (np.float64(1), 2))
    back = from_json(FittedTerm, to_json(fitted))
    assert [type(v) for v in (back.skeleton, back.coefficient, back.std_error, *back.inner)] == [str] + [float] * 4
    call = from_json(ModelCall, to_json(ModelCall("a", "b", "c", "d", "e", tokens_in=np.int64(3))))
    assert type(call.tokens_in) is int


def test_nan_is_refused_outside_arrays_and_its_place_is_named():
    with pytest.raises(StoreError, match=r"TargetInfo\.floor\[1\]: it should be a number .*, not nan"):
        to_json(TargetInfo("weak", "", (0.0, math.nan), ()))


@pytest.mark.parametrize(
    "record",
    [
        replace(TERM, coefficient="1"),
        replace(TERM, coefficient=True),
        replace(TERM, skeleton=1),
        replace(TERM, inner=(None,)),
        ModelCall("a", "b", "c", "d", "e", tokens_in=1.5),
        Trajectory(np.array([1, 2]), frozen([1.0])),
        Intervention(overrides=(TERM,)),
    ],
    ids=["text", "flag", "no text", "none", "half a token", "whole numbers", "other record"],
)
def test_a_value_that_does_not_fit_its_hint_is_refused_when_it_is_written(record):
    with pytest.raises(StoreError):
        to_json(record)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed(TERM, colour="red"), "it has colour, which this program does not know. It was written by a newer"),
        (changed(TERM, schema=SCHEMA + 1), f"its schema is {SCHEMA + 1}, and this program reads up to {SCHEMA}"),
        (changed(TERM, schema=None), "its schema is None"),
        (changed(TERM, type="Spline"), "'Spline' is none of FittedTerm. It was written by a newer"),
        (changed(TERM, coefficient=None), "FittedTerm.coefficient: it should be a number, not None"),
        (changed(TERM, inner=3), "FittedTerm.inner: it should be a list, not 3"),
        ("[1]", "is not an object"),
        ("{", "it is not JSON"),
        ('{"a": NaN}', "it is not JSON"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_with_the_reason(text, said):
    with pytest.raises(StoreError) as caught:
        from_json(FittedTerm, text)
    assert said in str(caught.value)


def test_a_word_that_is_not_in_the_list_is_refused():
    text = to_json(Verdict(module.TermKey(0, "x0"), "good", "good", "keep", 0, ""))
    with pytest.raises(
        StoreError,
        match=r"Verdict\.action: it should be 'keep', 'hold' or 'remove', not 'burn'. It was written by a newer",
    ):
        from_json(Verdict, text.replace('"keep"', '"burn"'))


def test_a_field_that_is_missing_takes_its_default_if_it_has_one():
    plain = json.loads(to_json(TERM))
    del plain["inner"]
    assert from_json(FittedTerm, json.dumps(plain)) == TERM
    del plain["coefficient"]
    with pytest.raises(StoreError, match="it lacks coefficient"):
        from_json(FittedTerm, json.dumps(plain))


def test_a_default_is_written_too_so_that_a_later_default_changes_no_old_run():
    written = json.loads(to_json(start()))["problem"], json.loads(to_json(start()))["settings"]
    assert written[1].keys() == {f.name for f in fields(module.Settings)}


@pytest.mark.parametrize("array", [{"shape": [2], "raw": "AAAA"}, {"shape": [2], "zlib": "AAAA"}, {"shape": [1]}, "x"])
def test_a_damaged_array_is_refused(array):
    with pytest.raises(StoreError, match=r"Trajectory\.t"):
        from_json(Trajectory, changed(Trajectory(frozen([1.0]), frozen([[1.0]])), t=array))
