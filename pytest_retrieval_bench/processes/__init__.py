"""Children that end when they should, and a folder that goes when its process does."""
