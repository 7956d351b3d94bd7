"""Images for devices: what tools/device.py does.

Each file imports only those above it: base, sources and image (what an image is made of), sizes, build, emulator; peer,
certificates and nginx (what images talk to), images (all that there are), fetches; then examples, links, firmware,
handshake and matrix, of which checks.py makes the list for `device.py check` and figures.py that for `device.py all`.
"""
