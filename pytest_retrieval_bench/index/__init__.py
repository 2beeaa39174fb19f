"""What is counted once per file content and used by every lexical arm."""
