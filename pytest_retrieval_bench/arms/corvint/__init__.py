"""corvint's four verbs as arms: `corvint` (its query verb), `context`, `impact`, `affected`."""
