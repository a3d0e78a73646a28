"""`bench`, as a person types it."""

from click.testing import CliRunner

from dolq_core.cli import main
from dolq_core.cli.codes import BAD_DATA, USAGE


def said(*command):
    done = CliRunner().invoke(main, ["bench", *command], catch_exceptions=False)
    return done.exit_code, done.output


def test_a_campaign_from_a_file_of_ones_own_to_its_tables(tmp_path):
    suite, folder, page = tmp_path / "mine.toml", tmp_path / "runs", tmp_path / "tables.md"
    suite.write_text(said("example")[1], encoding="utf-8")
    assert said("check", str(suite))[1].endswith("2 systems, all can be used.\n")
    command = ("run", str(folder), "--suite", str(suite), "--serial", "--points", "100", "--iterations", "1")
    status, words = said(*command)
    assert status == 0
    assert "2 of 2 runs have ended" in words
    assert said("tables", str(folder), "--out", str(page), "--title", "Mine")[0] == 0
    text = page.read_text(encoding="utf-8")
    assert "# Mine" in text
    assert "## Suite mine: built-in agents" in text
    assert "| yeast | built-in agents | given | yeast |" in text


def test_what_comes_with_the_program_is_listed():
    words = said("list")[1]
    assert "suite paper      8 systems" in words
    assert "study paper" in words


def test_no_list_names_the_systems_that_were_put_aside():
    lines = said("list")[1].splitlines()
    assert "suite aside      20 systems: put aside" in lines
    assert "suite sealed     20 systems: put aside" in lines
    assert "suite trades-aside 20 systems: put aside" in lines
    assert any(line.startswith("suite fields     20 systems: ") and "laser" in line for line in lines)


def test_wrong_input_is_one_sentence_and_an_exit_status_of_its_own(tmp_path):
    assert said("check", "nothing-there") == (
        BAD_DATA,
        "Error: The suite 'nothing-there': there is no such file. "
        "Name a file, or one of aside, audit-aside, benchtop, benchtop-aside, bookshelf, bookshelf-aside, changed, "
        "clinic, clinic-aside, college, college-aside, disciplines, disciplines-aside, examiners-aside, fields, "
        "judges, judges-aside, notebooks, notebooks-aside, open, panel, panel-aside, paper, practice, practice-aside, "
        "real, referees, referees-aside, sealed, seminar, seminar-aside, strangers, textbook, trades, trades-aside, "
        "typed, typed-aside, viva-aside, workshop.\n",
    )
    status, words = said("tables", str(tmp_path))
    assert (status, "holds no campaign" in words) == (USAGE, True)
