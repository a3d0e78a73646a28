"""Campaigns: many runs of known systems, scored as in the paper, and the paper's tables with ours beside them.

suite (a file) --grid--> tasks --pool--> results (a folder) --tables--> Markdown
                           |       |
                           |       `-- processes here, or a Dask cluster: the same function, plain data in and out
                           `-- complete in themselves, so a run that is lost is done again
"""

from dolq_core.campaign.ledger import Ledger
from dolq_core.campaign.records import NAMINGS, WORDS, Case, Result, Task, Variant
from dolq_core.campaign.running import Progress, run_campaign
from dolq_core.campaign.studies import Study, bundled_studies, read_study, study_of
from dolq_core.campaign.suites import EXAMPLE, PUT_ASIDE, bundled_suites, check, read_suite
from dolq_core.campaign.tables import page
from dolq_core.campaign.tasks import Grid, name_of, task_id, tasks_of, unique
from dolq_core.campaign.worker import alike, do, work

__all__ = [
    "Case",
    "EXAMPLE",
    "Grid",
    "Ledger",
    "NAMINGS",
    "PUT_ASIDE",
    "Progress",
    "Result",
    "Study",
    "Task",
    "Variant",
    "WORDS",
    "alike",
    "bundled_studies",
    "bundled_suites",
    "check",
    "do",
    "name_of",
    "page",
    "read_study",
    "read_suite",
    "run_campaign",
    "study_of",
    "task_id",
    "tasks_of",
    "unique",
    "work",
]
