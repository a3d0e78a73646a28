"""What a run is: started or imported, loaded, stepped, spoken to, forked, kept. What a page shows of it: `views`."""

from dolq_core.fitting import with_rates
from dolq_core.numerics.machine import one_thread
from dolq_core.runs.allowance import allowed
from dolq_core.runs.importing import import_run, twin_of
from dolq_core.runs.naming import download_name
from dolq_core.runs.places import default_database, memory_store, open_standby, open_store, owner_folder
from dolq_core.runs.problems import (
    find_problem,
    held_from,
    inspect,
    opened,
    with_blocks,
    with_choices,
    with_library,
    with_second_order,
    with_words,
)
from dolq_core.runs.recent import Recent
from dolq_core.runs.recording import likeness_in_words, play, played_in_words, record, recorded_run, where_computed
from dolq_core.runs.running import (
    Keys,
    Run,
    asks_person,
    auto,
    bench_of,
    environment_key,
    fork,
    id_of,
    intervene,
    list_runs,
    load,
    override,
    reason_to_stop,
    remove,
    rename,
    start,
    step_once,
    store_log,
    take_back,
    try_model,
    workbench,
)

__all__ = [
    "Keys", "Recent", "Run", "allowed", "asks_person", "auto", "bench_of", "default_database", "download_name",
    "environment_key", "find_problem", "fork", "held_from", "id_of", "import_run", "inspect", "intervene",
    "likeness_in_words", "list_runs", "load", "memory_store", "one_thread", "open_standby", "open_store", "opened",
    "override", "owner_folder", "play", "played_in_words", "reason_to_stop", "record", "recorded_run", "remove",
    "rename", "start", "step_once", "store_log", "take_back", "twin_of", "try_model", "where_computed", "with_blocks",
    "with_choices", "with_library", "with_rates", "with_second_order", "with_words", "workbench",
]  # fmt: skip
