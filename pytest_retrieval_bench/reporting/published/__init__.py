"""The few kilobytes behind each quoted number, and whether number, artefact and report still agree."""
