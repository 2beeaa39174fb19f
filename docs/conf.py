"""How the site is built: `python -m sphinx -W docs site`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

from pytest_retrieval_bench.version import __version__ as release

project = "pytest-retrieval-bench"
version = release
extensions = ["myst_parser", "sphinx.ext.autodoc", "option_table"]
exclude_patterns = ["extensions"]
myst_heading_anchors = 3
# Docstrings set code in single backticks.
default_role = "code"
autodoc_typehints_format = "short"
autodoc_type_aliases = {"Json": "Json"}
# Blocks without a language are commands and what they print.
highlight_language = "text"
smartquotes = False
html_theme = "furo"
html_title = project
html_copy_source = False
html_show_copyright = False
