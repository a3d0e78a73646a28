"""Every language that a law can be exported to keeps to one contract."""

import pytest

from dolq_core.export.targets import LANGUAGES
from dolq_core.views import system
from tests.contracts.export_contract import ExportContract
from tests.export.laws import by_hand, network


class TestLanguages(ExportContract):
    @pytest.fixture(params=LANGUAGES)
    def name(self, request):
        return request.param

    @pytest.fixture
    def language(self, name):
        return LANGUAGES[name]

    @pytest.fixture
    def law(self, name):
        return system.law(network()) if name == "sbml" else by_hand()
