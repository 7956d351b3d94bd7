/* net/names/preset.h: one line of CURLOPT_RESOLVE.
 *
 *   [+]HOST:PORT:ADDRESS[,ADDRESS]...   addresses; "+": they expire as looked-up ones do.
 *                                       HOST "*": any name
 *   -HOST:PORT                          drops them
 *
 * HOST and ADDRESS may stand in brackets when they are IPv6. Empty addresses between commas are skipped.
 *
 * Ownership: everything is the caller's; host points into the line.
 * Failure:   false.
 * Tests:     tests/unit/net/test_preset.c */
#ifndef MOTE_NET_NAMES_PRESET_H
#define MOTE_NET_NAMES_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "parts.h"
#include "port/addr.h"

#define MOTE_PRESET_MAX 32 /* addresses of one line; more would only be tried after minutes */

enum mote_preset_kind {
  MOTE_PRESET_KEEP,   /* never too old */
  MOTE_PRESET_MORTAL, /* "+" */
  MOTE_PRESET_REMOVE, /* "-" */
  MOTE_PRESET_IGNORE  /* a removal that names nothing, which libcurl accepts silently */
};

struct mote_preset {
  enum mote_preset_kind kind;
  struct mote_slice host;      /* without brackets; may be empty */
  uint16_t port;
  size_t count;                /* addresses; 0 for the last two kinds */
  struct mote_addr addrs[MOTE_PRESET_MAX];
};

/* CURLOPT_RESOLVE(3). False: malformed. */
#if MOTE_HAS_PRESETS
bool mote_preset_parse(const char *line, struct mote_preset *out);
#else
#define mote_preset_parse(line, out) ((void)(line), (void)(out), false)
#endif

#endif
