"""Approvals that are signed: what a signature says, what it covers, and whether it holds."""
