"""Writes the table of README.md on what devices pay: tools/devices/matrix.py. usage: matrix.py [ROW...]"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
from devices import matrix  # noqa: E402

if __name__ == "__main__":
    matrix.main()
