"""The plugin's version, alone in its file so that the build reads it without importing anything."""

__version__ = "0.1.0"
