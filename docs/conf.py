"""How the documentation becomes a site: `python -m sphinx -W -q docs site`. All it needs is on this machine."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

project = "DoLQ"
author = "The DoLQ authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["results/runs"]
html_theme = "furo"
html_title = "DoLQ"
html_show_sourcelink = False
html_theme_options = {"light_css_variables": {"color-brand-primary": "#1f4e79", "color-brand-content": "#1f4e79"}}
myst_heading_anchors = 3
smartquotes = False  # x' is a derivative
suppress_warnings = ["toc.not_included"]
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "inherited-members": True, "exclude-members": "set_params, get_params"}
