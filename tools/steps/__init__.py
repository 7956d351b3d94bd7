"""The steps of tools/check.py.

Each file imports only those before it: base (a command, what it came to, a build), records and lanes (how a table of steps
is run, and what of it again), ways (which tests a run takes), suites (unit tests and pytest); then the steps, by what
they do: builds, cases, figures, machines, syntax.
"""
