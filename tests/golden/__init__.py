"""The golden runs: which there are (runs.txt), what came of them (results.json), and their data."""
