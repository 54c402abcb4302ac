"""The hot path: what every hook command starts."""
