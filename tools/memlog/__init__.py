"""Reads the memory log of the log build (src/log/log.h) and of libcurl's own debug build: tools/memanalyze is the
command, reader.read(path) the way in for other programs."""
