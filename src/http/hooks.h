/* http/hooks.h: where a feature takes part in requests and responses.
 *
 * A feature is a row of mote_http_hooks[], which its part adds (ROWS in cmake/parts.cmake). request.c calls
 * the rows and knows none of them by name. HSTS, Alt-Svc and entity tags come in here, and the cookie jar in
 * cookies.c.
 *
 * Ownership: a row is const; its state lies in the transfer.
 * Errors:    the first one is the writer's rc.
 * Tests:     tests/e2e */
#ifndef MOTE_HTTP_HOOKS_H
#define MOTE_HTTP_HOOKS_H

#include "http/request.h"

/* Where in the list of fields a feature writes its own. Within a place, rows are in the order of parts. */
enum mote_http_place {
  MOTE_HTTP_AFTER_HOST,
  MOTE_HTTP_AFTER_ACCEPT,
  MOTE_HTTP_AFTER_REFERER
};

/* The bit of an option in mote_http_hook.options, which is that of mote_options.seen. */
#define MOTE_HTTP_WHEN(option) ((uint64_t)1 << (MOTE_OPT_ID(option) & 63u))

struct mote_http_hook {
  const char *name;    /* the feature */
  uint64_t options;    /* MOTE_HTTP_WHEN of each option that asks for it. No other request calls it */
  bool login;          /* also called when the URL has credentials */
  uint8_t place;       /* enum mote_http_place */
  /* Writes the feature's fields, if the request has any. */
  void (*request)(struct mote_http_writer *w);
};

/* The features of this build; NULL ends them. There are at most 32. */
extern const struct mote_http_hook *const mote_http_hooks[];

#endif
