"""Servers that measured transfers talk to, besides nginx (tools/server.py)."""
