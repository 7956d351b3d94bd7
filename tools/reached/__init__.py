"""What tools/coverage.py is made of: figures of llvm-cov, the page that shows them, and the suites that are counted."""
