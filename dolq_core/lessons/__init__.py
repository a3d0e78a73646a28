"""Lessons: guided demonstrations on runs of the real engine, written as files that a teacher can share.

format     what a lesson is made of
reading    a file to a lesson, with every problem named by file, line, place and way out
glossary   the program's own words, each in a sentence
bundled    the lessons that come with the program
attempts   one learner's way through a lesson: answers and runs, kept as an append-only file
acts       what a step does with a run: iterations, a person's word, a fork
figures    numbers and words that a lesson reads off a run, so that no result stands in a file
sheet      a lesson on paper: worksheet and answer key
truth      found terms against the known law: precision, recall, and both simulated
classes    one link for a room: a place for each, answers together, cleared in one go
checking   a lesson walked from its first to its last step with the real engine
"""

from dolq_core.lessons.attempting import Attempt, attempt, attempts, begin
from dolq_core.lessons.bundled import BundledLesson, bundled, plans
from dolq_core.lessons.classes import (
    Class,
    Place,
    Tally,
    answers_table,
    class_of,
    clear,
    has_key,
    join,
    open_class,
    owner_of,
    place_of,
    places,
    reveal,
    runs_archive,
    tally,
    taught_by,
    ways,
)
from dolq_core.lessons.figures import identified
from dolq_core.lessons.format import Lesson, View, views_of
from dolq_core.lessons.glossary import new_words
from dolq_core.lessons.reading import LessonError, read
from dolq_core.lessons.sheet import answer_key, minutes, worksheet
from dolq_core.lessons.truth import Truth, beside_truth
from dolq_core.lessons.walking import Asked, Standing, answer, move, press, run_for, score, seen_for, stand

__all__ = [
    "Asked", "Attempt", "BundledLesson", "Class", "Lesson", "LessonError", "Place", "Standing", "Tally", "Truth",
    "View", "answer", "answer_key", "answers_table", "attempt", "attempts", "begin", "beside_truth", "bundled",
    "class_of", "clear", "has_key", "identified", "join", "minutes", "move", "new_words", "open_class", "owner_of",
    "place_of", "places", "plans", "press", "read", "reveal", "run_for", "runs_archive", "score", "seen_for", "stand",
    "tally", "taught_by", "views_of", "ways", "worksheet",
]  # fmt: skip
