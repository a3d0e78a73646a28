"""What every export of a law keeps to. A test class derives from this and has the fixture it names."""

import re
from dataclasses import replace

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029]")


def doubled(law):
    """Return the law with twice its first coefficient."""
    first, *rest = law.fits
    term, *others = first.terms
    twice = replace(term, coefficient=2.0 * term.coefficient)
    return replace(law, fits=(replace(first, terms=(twice, *others)), *rest))


class ExportContract:
    """Fixtures: language, one of `LANGUAGES`, and law, which it can write."""

    def test_the_same_law_makes_the_same_text(self, language, law):
        assert language.write(law, "sure") == language.write(law, "sure")

    def test_the_text_is_utf_8_in_whole_lines_without_control_characters(self, language, law):
        text = language.write(law, "sure")
        assert text.encode("utf-8").decode("utf-8") == text
        assert text.endswith("\n")
        assert not CONTROL.search(text)

    def test_another_coefficient_is_another_text(self, language, law):
        assert language.write(doubled(law), "sure") != language.write(law, "sure")

    def test_the_file_has_an_ending_a_kind_and_a_name_in_the_menu(self, language):
        assert language.label.strip()
        assert re.fullmatch(r"[a-z]+", language.ending)
        assert re.fullmatch(r"[a-z]+/[\w.+-]+", language.media)
