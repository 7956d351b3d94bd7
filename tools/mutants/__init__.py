"""What tools/mutation.py is made of: places that can be changed, and what notices a change."""
