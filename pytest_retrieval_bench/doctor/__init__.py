"""What is wrong with a benchmark before anything is measured on it: pure checks of its rows and its snapshots."""
