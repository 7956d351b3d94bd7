"""What tools/platforms.py builds for: a module for each way of building."""
