"""A command of the user's own as an arm."""
