"""A benchmark from issues and the patches that closed them, as SWE-bench and its kin publish them (MINDEX 5)."""
