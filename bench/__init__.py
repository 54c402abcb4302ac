"""Benchmarks: each prints what it measured, on what, against what, in one run.  None is a test."""
