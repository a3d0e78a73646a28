"""What every Store keeps to. A test class for a store derives from this and has a fixture `store`."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from dolq_core.errors import StoreError
from dolq_core.ports import LOCAL, Store, Used
from dolq_core.records import Undo
from tests.store.examples import intervention, iteration, start


def append_at_the_end(store: Store, run: str, reason: str) -> None:
    """Append one intervention, again and again until the place was not taken by somebody else."""
    while True:
        position = len(store.entries(run))
        try:
            return store.append(run, position, intervention(reason))
        except StoreError:
            if position == len(store.entries(run)):  # nobody took it, so it was refused for something else
                raise


class StoreContract:
    def test_a_new_run_holds_its_start(self, store):
        run = store.create(start(), "first")
        assert store.entries(run) == (start(),)

    def test_entries_come_back_equal_and_in_order(self, store):
        run = store.create(start(), "first")
        written = (iteration(1), intervention("no"), iteration(2))
        for position, entry in enumerate(written, 1):
            store.append(run, position, entry)
        assert store.entries(run) == (start(), *written)

    def test_runs_do_not_mix(self, store):
        one, other = store.create(start(), "one"), store.create(start("other data"), "other")
        store.append(one, 1, intervention("mine"))
        assert store.entries(one) == (start(), intervention("mine"))
        assert store.entries(other) == (start("other data"),)

    def test_a_taken_place_is_refused_and_the_log_stays(self, store):
        run = store.create(start(), "first")
        store.append(run, 1, intervention("first come"))
        with pytest.raises(StoreError, match="wrote its own first"):
            store.append(run, 1, intervention("too late"))
        assert store.entries(run) == (start(), intervention("first come"))

    def test_a_gap_is_refused(self, store):
        run = store.create(start(), "first")
        with pytest.raises(StoreError, match="number 1 comes next"):
            store.append(run, 2, iteration(1))
        assert store.entries(run) == (start(),)

    def test_a_second_start_is_refused(self, store):
        run = store.create(start(), "first")
        with pytest.raises(StoreError, match="one start"):
            store.append(run, 1, start())

    @pytest.mark.parametrize(
        "use",
        [
            lambda store: store.entries("nowhere"),
            lambda store: store.append("nowhere", 1, iteration(1)),
            lambda store: store.append("nowhere", 0, iteration(1)),
            lambda store: store.rename("nowhere", "x"),
            lambda store: store.remove("nowhere"),
        ],
        ids=["entries", "append", "append first", "rename", "remove"],
    )
    def test_a_run_that_is_not_there_is_named(self, store, use):
        store.create(start(), "first")
        with pytest.raises(StoreError, match="Run 'nowhere': there is no such run"):
            use(store)

    def test_an_empty_store_lists_nothing(self, store):
        assert store.runs() == ()

    def test_the_list_tells_what_a_run_is(self, store):
        run = store.create(start("yeast", agents="scripted"), "Ωmega")
        store.append(run, 1, iteration(1))
        store.append(run, 2, intervention("no"))
        store.append(run, 3, iteration(2))
        (info,) = store.runs()
        assert (info.id, info.name, info.dataset, info.agents) == (run, "Ωmega", "yeast", "scripted")
        assert (info.iterations, info.interventions, info.entries) == (2, 1, 4)
        assert info.created < info.changed
        assert info.created.endswith("+00:00")

    def test_what_was_taken_back_does_not_count_in_the_list(self, store):
        run, other = store.create(start(), "a"), store.create(start(), "b")
        log = (iteration(1), intervention("no"), Undo(), Undo(), Undo(), iteration(1))
        for position, entry in enumerate(log, 1):
            store.append(run, position, entry)
        store.append(other, 1, iteration(1))
        counts = {info.id: (info.iterations, info.interventions) for info in store.runs()}
        assert counts == {run: (1, 0), other: (1, 0)}
        assert store.entries(run)[1:] == log

    def test_the_last_changed_run_is_listed_first(self, store):
        a, b, c = (store.create(start(), name) for name in "abc")
        store.append(a, 1, iteration(1))
        assert [info.id for info in store.runs()] == [a, c, b]

    def test_a_run_can_be_renamed_and_keeps_its_place(self, store):
        a, b = store.create(start(), "a"), store.create(start(), "b")
        store.rename(a, "α")
        assert [(info.id, info.name) for info in store.runs()] == [(b, "b"), (a, "α")]
        assert store.entries(a) == (start(),)

    def test_a_run_is_removed_whole_and_the_others_stay(self, store):
        run, other = store.create(start(), "a"), store.create(start(), "b")
        store.append(run, 1, iteration(1))
        store.append(other, 1, iteration(1))
        store.remove(run)
        assert [info.id for info in store.runs()] == [other]
        with pytest.raises(StoreError, match="there is no such run"):
            store.entries(run)
        with pytest.raises(StoreError, match="there is no such run"):
            store.append(run, 2, Undo())
        assert store.entries(other) == (start(), iteration(1))
        store.append(other, 2, Undo())

    def test_a_run_does_not_exist_for_anybody_but_its_owner(self, store):
        ann, bob = store.seen_by("https://id.example ann"), store.seen_by("https://id.example bob")
        old, run = store.create(start(), "local"), ann.create(start(), "Ann's")
        ann.append(run, 1, iteration(1))
        for other in (bob, store, ann.seen_by("https://id.example AnN"), ann.seen_by("")):
            for ask in (
                lambda other=other: other.entries(run),
                lambda other=other: other.entries(run, since=1),
                lambda other=other: other.append(run, 2, Undo()),
                lambda other=other: other.rename(run, "mine"),
                lambda other=other: other.remove(run),
            ):
                with pytest.raises(StoreError, match="there is no such run"):
                    ask()
        assert (bob.runs(), [one.id for one in store.runs()]) == ((), [old])
        assert [(one.id, one.name, one.entries) for one in ann.runs()] == [(run, "Ann's", 2)]
        assert (store.owner, ann.owner) == (LOCAL, "https://id.example ann")

    def test_what_was_taken_back_is_counted_for_each_owner(self, store):
        ann = store.seen_by("ann")
        for one in (store, ann):
            run = one.create(start(), "a")
            one.append(run, 1, iteration(1))
            one.append(run, 2, Undo())
        assert [info.iterations for info in (*store.runs(), *ann.runs())] == [0, 0]

    def test_what_was_used_is_each_owners_own_and_never_becomes_less(self, store):
        store.spend(1.5, 10)
        store.spend(-5.0, -100)
        store.spend(0.5, 5)
        assert store.used() == Used(2.0, 15)
        assert store.seen_by("somebody else").used() == Used()

    def test_two_writers_never_take_the_same_place(self, store):
        run = store.create(start(), "shared")
        reasons = [str(n) for n in range(40)]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda reason: append_at_the_end(store, run, reason), reasons))
        assert sorted(e.reason for e in store.entries(run)[1:]) == sorted(reasons)
