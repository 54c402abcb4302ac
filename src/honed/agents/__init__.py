"""How each client is wired: its configuration, what its hooks carry and accept, what is checked."""
