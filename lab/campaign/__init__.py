"""Campaigns: many runs of known systems, scored as in the paper, and the paper's tables with ours beside them.

suite (a file) --grid--> tasks --pool--> results (a folder) --tables--> Markdown
                           |       |
                           |       `-- processes here, or a Dask cluster: the same function, plain data in and out
                           `-- complete in themselves, so a run that is lost is done again
"""

from lab.campaign.ledger import Ledger
from lab.campaign.records import Case, Result, Task
from lab.campaign.running import Progress, run_campaign
from lab.campaign.studies import Study, bundled_studies, read_study, study_of
from lab.campaign.suites import EXAMPLE, PUT_ASIDE, bundled_suites, check, read_suite
from lab.campaign.tables import page
from lab.campaign.tasks import TaskGrid, name_of, task_id, tasks_of, unique
from lab.campaign.worker import alike, do

__all__ = [
    "Case", "EXAMPLE", "Ledger", "PUT_ASIDE", "Progress", "Result", "Study", "Task", "TaskGrid", "alike",
    "bundled_studies", "bundled_suites", "check", "do", "name_of", "page", "read_study", "read_suite", "run_campaign",
    "study_of", "task_id", "tasks_of", "unique",
]  # fmt: skip
