"""What runs inside the systems' own environments: the standard library, and the one system.

Every worker answers the same questions (see ``serving``), so that all are measured in the same way.
"""
