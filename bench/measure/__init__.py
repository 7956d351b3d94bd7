"""The figures: what a libcurl.so.4 and a command cost, by programs that use the public interface only.

A figure whose transfers did not all end well with the right number of bytes is not a figure: its function raises Void.
The names of the figures are those of the rows of budgets.toml; table.py has the functions. figure.py says what such a
function is, programs.py, subject.py and watch.py what all of them use, and each other file has those of one subject.
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "tools"), os.path.join(ROOT, "tests")]  # server, structs; listener, preload
