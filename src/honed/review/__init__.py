"""Optional model help: off until the owner says which model is asked, and counted before each call."""
