"""Every awkward file is read exactly right, or refused with the row and the reason: none is silently wrong."""

import numpy as np
import pytest

from dolq_core.data import read_table
from dolq_core.data.findings import TableError
from dolq_core.inspection import inspect_table
from tests.data import corpus


def inspected(file):
    raw, name, rows = corpus.written(file)
    try:
        return inspect_table(read_table(raw, name)), rows
    except TableError as error:
        return error, rows


def name_of(ways):
    return " + ".join(ways)


def test_the_corpus_is_large():
    assert len(corpus.ALONE) + len(corpus.PAIRS) + len(corpus.BROKEN) > 1000


@pytest.mark.parametrize("ways", corpus.ALONE + corpus.PAIRS, ids=name_of)
def test_any_way_of_writing_gives_the_right_table(ways):
    file = corpus.made(*ways)
    found, _ = inspected(file)
    assert not isinstance(found, TableError), str(found)
    assert found.reading is not None, found.findings[-1]
    data = found.reading.dataset
    assert (data.time.name, *(state.name for state in data.states)) == file.own
    (run,) = data.trajectories
    np.testing.assert_array_equal(np.column_stack([run.t, run.x]), corpus.numbers(file))


@pytest.mark.parametrize(("fault", "way"), corpus.BROKEN)
def test_any_fault_is_refused_with_its_row_and_its_code(fault, way):
    change, code, place = corpus.FAULTS[fault]
    found, rows = inspected(change(corpus.made(way)))
    last = found.findings[-1]
    assert isinstance(found, TableError) or found.reading is None, found.reading.notes
    assert (last.code, rows[place] in last.rows) == (code, True), last
