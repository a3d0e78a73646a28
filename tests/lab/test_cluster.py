"""A cluster: behind TLS, asked for its versions, and asked of SLURM as the page says."""

import os
import socket
import subprocess
import sys
from types import SimpleNamespace

import dask
import pytest
from distributed.security import Security

from lab import campaign
from lab.campaign import pools
from lab.campaign.records import CampaignError
from tests.lab.small import tasks
from tests.test_docs import blocks
from tests.waiting import LONGEST_S


@pytest.fixture(scope="module")
def secured(tmp_path_factory):
    """The address of a scheduler that speaks TLS alone, with a worker, and Dask's settings of a client of it."""
    place = tmp_path_factory.mktemp("tls")
    made = Security.temporary()
    for name, text in (("ca.pem", made.tls_ca_file), ("node.pem", made.tls_scheduler_cert)):
        (place / name).write_text(text, encoding="utf-8")
    (place / "node.key").write_text(made.tls_scheduler_key, encoding="utf-8")
    files = [f"--tls-{what}={place / name}" for what, name in TLS_FILES]
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    address = f"tls://127.0.0.1:{port}"
    alone = ["--no-dashboard", "--host", "127.0.0.1", *files]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": os.environ}
    command = [sys.executable, "-m", "dask"]
    head = subprocess.Popen([*command, "scheduler", "--protocol", "tls", "--port", str(port), *alone], **quiet)
    worker = subprocess.Popen([*command, "worker", address, *alone, "--nthreads", "1", "--no-nanny"], **quiet)
    said = {"ca-file": "ca.pem", "client.cert": "node.pem", "client.key": "node.key"}
    yield address, {f"distributed.comm.tls.{what}": str(place / name) for what, name in said.items()}
    for process in (worker, head):
        process.kill()
        process.wait()


TLS_FILES = (("ca-file", "ca.pem"), ("cert", "node.pem"), ("key", "node.key"))


def test_a_campaign_runs_behind_tls_with_the_certificates_of_dask(secured, tmp_path):
    address, settings = secured
    with dask.config.set(settings):
        pool = pools.cluster(address, patience_s=LONGEST_S)
        assert pool.words == f"the cluster at {address}"
        done = campaign.run_campaign(campaign.Ledger(tmp_path), tasks(2), pool)
    assert (done.done, done.failed) == (2, 0)


def test_another_version_of_the_program_on_a_machine_is_refused(secured, monkeypatch):
    address, settings = secured
    monkeypatch.setattr(pools, "VERSION", "99.0")
    with dask.config.set(settings), pytest.raises(CampaignError, match=r"has dolq .*\(here dolq 99.0\)"):
        pools.cluster(address, patience_s=LONGEST_S)


def test_machines_with_other_libraries_are_named_once():
    ours = {"dolq": "1.0", "numpy": "2.4"}
    theirs = {"a": dict(ours), "b": ours | {"numpy": "2.3"}, "c": ours | {"numpy": "2.3"}, "d": {"dolq": "1.0"}}
    assert pools.differing(theirs, ours) == [
        "b and 1 more, has numpy 2.3 (here numpy 2.4)",
        "d has numpy not at all (here numpy 2.4)",
    ]


def test_the_page_asks_slurm_for_what_a_worker_needs(monkeypatch, capsys):
    asked = {}

    class Cluster:
        scheduler_address = "tcp://10.0.0.1:8786"

        def __init__(self, **said):
            asked.update(said)

        def scale(self, jobs):
            asked["jobs"] = jobs

    monkeypatch.setitem(sys.modules, "dask_jobqueue", SimpleNamespace(SLURMCluster=Cluster))
    (text,) = [code for _, code in blocks("scaling.md", "python")]
    exec(compile(text, "scaling.md", "exec"), {})  # noqa: S102  what is tested is that the page's code runs
    assert capsys.readouterr().out == "tcp://10.0.0.1:8786\n"
    assert (asked["cores"], asked["processes"]) == (1, 1)
    assert "OPENBLAS_NUM_THREADS=1" in asked["job_script_prologue"][0]
