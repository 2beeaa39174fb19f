"""A report as one HTML file that opens from the disk: figures, charts, and a browser of samples."""
