"""The noise floor: how far the figures of identical runs lie apart, and what that says of a difference."""
