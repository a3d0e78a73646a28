"""How the server is set up: on this machine only as it comes, and without the details of errors in the profile."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def effective(environment: dict[str, str]) -> dict[str, str]:
    """Return what the server would take of our files and an environment, by section and name; defaults are left out."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    command = [sys.executable, "-m", "streamlit", "config", "show"]  # reads the environment as `streamlit run` does
    said = {**kept, **environment, "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, env=said, capture_output=True, text=True, check=True)
    found: dict[str, str] = {}
    section = ""
    for line in done.stdout.splitlines():
        if line.startswith("["):
            section = line.strip("[] ")
        elif " = " in line and not line.startswith("#"):
            name, value = line.split(" = ", 1)
            found[f"{section}.{name}"] = value.strip('"')
    return found


def profile() -> dict[str, str]:
    lines = (ROOT / ".streamlit" / "deployment.env").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_server_answers_this_machine_only_and_reports_nothing():
    found = effective({})
    assert found["server.address"] == "127.0.0.1"
    assert found["browser.gatherUsageStats"] == "false"
    assert found.get("server.enableXsrfProtection", "true") == "true", "it is on unless somebody says otherwise"
    assert found.get("server.enableAgentApi", "false") == "false"


def test_the_server_does_not_walk_all_of_its_objects_after_each_click():
    """Numpy, scipy and plotly have so many that it takes longer than most pages; Python collects by itself."""
    asked = "from streamlit import config; print(config.get_option('runner.postScriptGC'))"  # `config show` hides it
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"


def test_the_profile_keeps_the_details_of_errors_off_the_page():
    found = effective(profile())
    assert found["client.showErrorDetails"] == "none"
    assert found["client.showErrorLinks"] == "false"
    assert found.get("server.enableXsrfProtection", "true") == "true"
    assert found["server.address"] == "127.0.0.1", "a proxy with HTTPS stands in front of it"
