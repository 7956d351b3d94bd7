"""Prints the table of docs/tls.md on what a handshake costs: tools/devices/handshake.py. usage: handshake.py [CHOICE...]"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
from devices import handshake  # noqa: E402

if __name__ == "__main__":
    handshake.main()
