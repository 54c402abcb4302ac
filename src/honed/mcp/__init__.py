"""MCP over standard streams: memory as ten tools (docs/decisions/0006)."""
