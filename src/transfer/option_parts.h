/* transfer/option_parts.h: what is known of an option when the library is built: whether its part is there
 * (cmake/options.cmake) and its default.
 *
 * An option whose part is left out is not set, for sure: where it is read by its name the compiler knows what it
 * stands for, and drops what would have used another value. Part quick_options: whether an option is set is
 * looked at in line, before a search is called.
 * Tests: tests/parts/test_parts.py */
#ifndef MOTE_TRANSFER_OPTION_PARTS_H
#define MOTE_TRANSFER_OPTION_PARTS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts.h"

#if defined(__GNUC__)
#define MOTE_OPT_INLINE __attribute__((always_inline)) inline /* the option's name is a constant there */
#else
#define MOTE_OPT_INLINE inline
#endif

/* Is its part in this build? id: a number without its type class. */
MOTE_OPT_INLINE bool mote_option_has_part(unsigned id)
{
#define HAVE(name, kind, identity, value) case CURLOPT_##name % 10000: return MOTE_WITH_##name;
#define HARMLESS(name, kind, identity, value)
#define LACK(name, kind, identity, value)
  switch(id) {
#include "transfer/option_rows.h"
  default:
    return true;
  }
#undef HAVE
}

/* The default of a number: what the option stands for while it is not set. */
MOTE_OPT_INLINE int32_t mote_option_preset(unsigned id)
{
#define HAVE(name, kind, identity, value) case CURLOPT_##name % 10000: return value;
  switch(id) {
#include "transfer/option_rows.h"
  default:
    return 0;
  }
#undef HAVE
#undef HARMLESS
#undef LACK
}

#endif
