"""Suites that nobody who worked on the search had read or run, each run once: `python -m lab unseen`, and so on.

What a suite showed may be mended afterwards; its page is of the program before, and a second run would be one on
systems that were seen.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from textwrap import fill
from typing import Final

from lab import campaign
from lab.benchmarks import settled
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row

NOISE = (0.0, 0.02)
HOW: Final = """Nobody who worked on the search had read or run it. One run of its data, clean and with 2 % noise, with
its description and without; all else as on the page [settled](settled.md)."""


def measure(suite: str) -> Iterator[Row]:
    """Run every system."""
    cases = campaign.read_suite(suite)
    tasks = [
        campaign.Task(suite, case, noise=noise, words=words, seed=settled.draw(case.id, 0))
        for noise, words, case in product(NOISE, ("given", "none"), cases)
    ]
    yield from pooled(settled.outcome, tasks)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and what was settled and is not the law."""
    return settled.page(rows)[:3]


def _once(name: str, suite: str, title: str, what: str, when: str) -> Benchmark:
    how = fill(" ".join(f"The suite `{suite}`: {what} {HOW} {when}".split()), 120, break_on_hyphens=False)
    return Benchmark(name, title, f"{title}: `python -m lab {name}`.\n\n{how}", measure, page, {"suite": suite})


PAGES: Final = (
    _once(
        "unseen",
        "aside",
        "Systems that nobody had seen",
        "20 systems of further fields, written together with `fields` and divided at random.",
        """It was run once, after the search was finished, and nothing was changed for it before this page was
        written.""",
    ),
    _once(
        "sealed",
        "sealed",
        "The second suite that nobody had seen",
        """20 systems with sources, names, units and descriptions as people write them, by somebody who had not read
        the search, divided at random from `strangers`; one description is wrong about a mechanism.""",
        """It was run once, after the changes that `strangers` brought and those that name equal laws once
        (decision 016), and nothing was changed for it before this page was written.""",
    ),
    _once(
        "trades",
        "trades-aside",
        "The third suite that nobody had seen",
        """20 systems of the sciences, engineering and teaching, by somebody who had not read the search, divided at
        random from `trades`; some descriptions are vague or wrong.""",
        """It was run once, after the changes that `trades` and `workshop` brought (decision 016), and nothing was
        changed for it before this page was written.""",
    ),
    _once(
        "typed",
        "typed-aside",
        "Descriptions as people type them",
        """17 systems by somebody who had not read the search, with descriptions as exact or as loose as people type
        them, some vague or wrong; the other half, divided by turns, is `typed`.""",
        """It was run once, after the phrases that name the shape of a term (decision 007); what it showed was mended
        afterwards (decision 016), and these rows are of the program before.""",
    ),
    _once(
        "disciplines",
        "disciplines-aside",
        "The fifth suite that nobody had seen",
        """18 systems of further subjects by somebody who had not read the search, with descriptions from careful to
        vague and wrong; the other half, divided by turns, is `disciplines`.""",
        """It was run once, after what `disciplines` brought (decision 016, rhythms whose phase is free), and nothing
        was changed for it before this page was written.""",
    ),
    _once(
        "notebooks",
        "notebooks-aside",
        "The sixth suite that nobody had seen",
        """20 systems of many fields with the short names of a lab notebook, by somebody who had not read the search;
        some descriptions are sloppy, empty or wrong. The other half, divided at random, is `notebooks`.""",
        """It was run once, after what `notebooks` brought (a rhythm beside many kin, drag in thinning air, a gate with
        its driving force, two camps), and nothing was changed for it before this page was written.""",
    ),
    _once(
        "practice",
        "practice-aside",
        "The seventh suite that nobody had seen",
        """12 systems as scientists, engineers, doctors and teachers bring them, by somebody who had not read the
        search; the other half, divided at random, is `practice`.""",
        """It was run once, after what `practice` brought (numbers between two of their starts, a flow that runs
        whichever way, a central force with a soft core), and nothing was changed for it before this page was
        written.""",
    ),
    _once(
        "benchtop",
        "benchtop-aside",
        "The eighth suite that nobody had seen",
        """12 more systems as scientists, engineers, doctors and teachers bring them, by somebody who had not read the
        search; one description is wrong. The other half, divided at random, is `benchtop`.""",
        """It was run once, after what `benchtop` brought (a fast state that follows a slow drive), and nothing was
        changed for it before this page was written.""",
    ),
    _once(
        "college",
        "college-aside",
        "The ninth suite that nobody had seen",
        """12 systems out of textbooks and the literature of many fields, by somebody who had not read the search; the
        other half, divided at random, is `college`.""",
        """It was run once, after what `college` brought (falling powers, a rhythm over a variable, S-shaped curves of
        two others, longitudes as angles), and nothing was changed for it before this page was written.""",
    ),
    _once(
        "seminar",
        "seminar-aside",
        "The tenth suite that nobody had seen",
        """12 systems as they come up in a seminar, of many fields, by somebody who had not read the search; two
        descriptions are wrong, one is empty. The other half, divided at random, is `seminar`.""",
        """It was run once, after what `seminar` brought (kinetics of Avrami, conversions that heat drives, a pull of
        one strength, uptake that another chokes, a drug that wears off), and nothing was changed for it before this
        page was written.""",
    ),
    _once(
        "bookshelf",
        "bookshelf-aside",
        "The eleventh suite that nobody had seen",
        """16 models out of books of many fields, with numbers of their own, by somebody who had not read the search;
        three descriptions are partly wrong, one is about something else, one is a bare line. `bookshelf` are 24 more
        of the same kind.""",
        """It was run once, after what `bookshelf` brought, and nothing was changed for it before this page was
        written.""",
    ),
    _once(
        "examiners",
        "examiners-aside",
        "The twelfth suite that nobody had seen",
        """16 systems as an outside examiner would choose them, of textbooks, papers and workshops, half of them
        polynomials, by somebody who had not read the search.""",
        """It was run once, after the terms that no mechanism writes down (decision 017); what it showed was mended
        afterwards, and these rows are of the program before.""",
    ),
    _once(
        "judges",
        "judges-aside",
        "The thirteenth suite that nobody had seen",
        """24 systems as a judge picks them out of the sciences and engineering, half of them polynomials, by two people
        who had not read the search; descriptions are good, short, vague, empty or wrong. The other half, divided at
        random, is `judges`.""",
        """It was run once, after `judges`, for which nothing was changed; what it showed was mended afterwards, and
        these rows are of the program before.""",
    ),
    _once(
        "clinic",
        "clinic-aside",
        "The fourteenth suite that nobody had seen",
        """24 systems as an exacting judge picks them, of physiology, engineering and many fields between, mostly with
        curves and 84 to 500 samples, by somebody who had not read the search; 4 descriptions are wrong. The other half,
        divided by chance, is `clinic`.""",
        """It was run once, after what `clinic` showed was mended; the two laws that were settled and wrong were mended
        afterwards, and these rows are of the program before.""",
    ),
    _once(
        "panel",
        "panel-aside",
        "The fifteenth suite that nobody had seen",
        """24 systems as a panel of two referees picks them, one of the life sciences and one of physics and
        engineering, out of little known models; descriptions are good, vague or wrong. The other half, divided by
        chance, is `panel`.""",
        """It was run once, after what `panel` showed on clean samples was mended; of one law the text was read before
        the run, because its numbers, 1e12 to 1e15, went beyond what a campaign allowed.""",
    ),
    _once(
        "viva",
        "viva-aside",
        "The sixteenth suite that nobody had seen",
        """24 systems as an exacting examiner picks them out of the literature of 24 fields, with names as people have
        them in tables (`E`, `I`, `S`, `temp (°C)`), by somebody who had not read the search; four descriptions name no
        mechanism, two are sloppy.""",
        """It was run on two programs of one day, with other draws of noise, and nothing was changed for it before or
        between; these rows are of the second.""",
    ),
    _once(
        "audit",
        "audit-aside",
        "The seventeenth suite that nobody had seen",
        """24 systems that textbooks have and suites of equations seldom do, by somebody who had not read the search:
        forced, saturating, steep and with products of three states, with names as people have them; three descriptions
        are German, three are missing and two are wrong.""",
        """It was run once, after fits that run out of steps were begun again on stretches, and nothing was changed for
        it before; what it showed was mended afterwards.""",
    ),
)
"""In the order in which they were run."""
