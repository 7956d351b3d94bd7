/* http/hooks.h: where a feature takes part in requests and responses.
 *
 * A feature is a row of mote_http_hooks[], which its part adds (ROWS in cmake/parts.cmake). request.c and
 * response.c call the rows and know none of them by name. What judges the URL of a request (HSTS, Alt-Svc) is
 * a row of mote_http_judges[].
 *
 * Ownership: a row is const; its state lies in the transfer.
 * Errors:    the writer's rc is the first one of a request; any code of a response ends the transfer.
 * Tests:     tests/unit/http, tests/e2e */
#ifndef MOTE_HTTP_HOOKS_H
#define MOTE_HTTP_HOOKS_H

#include "transfer/options/options.h"

struct mote_http_body;
struct mote_http_writer;
struct mote_slice;
struct mote_transfer;

/* Where in the list of fields a feature writes its own. Within a place, rows are in the order of parts. */
enum mote_http_place {
  MOTE_HTTP_AFTER_HOST,
  MOTE_HTTP_AFTER_ACCEPT,
  MOTE_HTTP_AFTER_REFERER,
  MOTE_HTTP_AFTER_CUSTOM
};

/* The bit of an option in mote_http_hook.options, which is that of mote_options.seen. */
#define MOTE_HTTP_WHEN(option) ((uint64_t)1 << (MOTE_OPT_ID(option) & 63u))

/* The bit of an enum mote_http1_field in mote_http_hook.fields. */
#define MOTE_HTTP_READS(field) ((uint32_t)1 << (field))

/* What a request may have besides options that asks for a feature. */
#define MOTE_HTTP_ALSO_LOGIN 1u     /* its URL has credentials */
#define MOTE_HTTP_ALSO_FORWARDED 2u /* an HTTP proxy passes it on */
#define MOTE_HTTP_ALSO_WEBSOCKET 8u /* its protocol goes on with WebSocket */
#define MOTE_HTTP_ALSO_H2 16u       /* its protocol would go on with HTTP/2 */
#define MOTE_HTTP_ALSO_ELSEWHERE 4u /* there is another place to connect to (transfer/elsewhere.h) */

/* Each function may be NULL where its condition is never true. */
struct mote_http_hook {
  const char *name;    /* the feature */
  uint64_t options;    /* MOTE_HTTP_WHEN of each option that asks for it. No other request calls it */
  uint8_t also;        /* MOTE_HTTP_ALSO_*, or'ed: what else asks for it */
  uint8_t place;       /* enum mote_http_place */
  uint32_t fields;     /* MOTE_HTTP_READS of each response field that it reads */
  /* Writes the feature's fields, if the request has any. */
  void (*request)(struct mote_http_writer *w);
  /* Reads a field of any response, before it is stored. */
  CURLcode (*field)(struct mote_transfer *t, struct mote_slice value);
  /* Judges a final head, when the request has asked for the feature. NULL: it has nothing to judge. */
  CURLcode (*head)(struct mote_transfer *t, const struct mote_http_body *body);
};

/* The features of this build; NULL ends them. There are at most 16. */
extern const struct mote_http_hook *const mote_http_hooks[];

/* Those that RTSP has as well (protocol/rtsp/rtsp.h). */
extern const struct mote_http_hook mote_http_auth;
extern const struct mote_http_hook mote_http_time_condition;

/* Takes the lowest bit out of those of hooks, which are not none. Returns its row. */
static inline const struct mote_http_hook *mote_http_first_hook(unsigned *bits)
{
  const struct mote_http_hook *hook = mote_http_hooks[__builtin_ctz(*bits)];
  *bits &= *bits - 1;
  return hook;
}

/* A feature that remembers something of hosts (struct mote_protocol.url). */
struct mote_http_judge {
  const char *name;    /* the feature */
  uint16_t option;     /* the pseudo-option of its engine, without which it is not asked */
  uint32_t fields;     /* MOTE_HTTP_READS of each response field that it reads */
  /* Judges the URL of a request before anything else is decided. It may replace it, or find another place to
   * connect to (transfer/elsewhere.h). After a redirect the URL may be of any scheme. */
  CURLcode (*url)(struct mote_transfer *t);
  /* Reads a field of any response, before it is stored. */
  CURLcode (*field)(struct mote_transfer *t, struct mote_slice value);
};

/* Those of this build; NULL ends them. They are only asked for a handle with one of MOTE_OPTION_JUDGES. */
extern const struct mote_http_judge *const mote_http_judges[];

#endif
