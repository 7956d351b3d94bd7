/* codec/ftp/wildcard.h: compares a name with a pattern of the shell's kind, as CURLOPT_WILDCARDMATCH(3)
 * describes it.
 *
 * `*` matches any bytes, `?` any one byte, `[set]` one byte of a set, `[^set]` and `[!set]` one byte that
 * is not in it. A set has bytes, ranges (a-z) and classes ([:alpha:]); a `]` that comes first in it is a
 * byte. `\` takes the meaning of the byte after it. A `[` without its `]` is a byte; a `\` at the end
 * matches nothing. Neither a slash nor a leading dot is special, and no locale matters (as libcurl 8.23 was
 * seen to match).
 *
 * Bounds: a comparison takes at most the product of the two lengths in steps, whatever the pattern is, and
 *         reads at most MOTE_WILDCARD_SET_MAX bytes in a step.
 * Tests:  tests/unit/codec/test_wildcard.c, fuzz/fuzz_wildcard.c */
#ifndef MOTE_CODEC_FTP_WILDCARD_H
#define MOTE_CODEC_FTP_WILDCARD_H

#include <stdbool.h>

#include "base/text.h"

/* Longest set in bytes, brackets included: each byte there is, escaped. What is longer is no set, so that
 * brackets without an end cannot make each step read the whole pattern. */
#define MOTE_WILDCARD_SET_MAX 520u

bool mote_wildcard_match(struct mote_slice pattern, struct mote_slice name);

#endif
