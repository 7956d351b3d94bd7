/* transfer/options/option_rows.h: what is known of each option of curl_easy_setopt(3) when the library is
 * built: the columns of its row (transfer/options/option_rows.inc), and how code names and reads an option
 * (transfer/options/options.h).
 *
 * Tests: tests/unit/transfer/test_options.c, tests/tools/test_option_rows.py */
#ifndef MOTE_TRANSFER_OPTIONS_OPTION_ROWS_H
#define MOTE_TRANSFER_OPTIONS_OPTION_ROWS_H

#include <curl/curl.h>
#include <stdint.h>

#include "parts.h"

/* The number of an option without its type class. */
#define MOTE_OPT_ID(option) ((uint16_t)((unsigned)(option) % 10000u))

enum mote_option_kind {
  MOTE_KIND_NONE,  /* no such option */
  MOTE_KIND_LONG,
  MOTE_KIND_OFF,   /* curl_off_t */
  MOTE_KIND_STR,   /* NUL-terminated, copied */
  MOTE_KIND_PTR,   /* never dereferenced here: user data, FILE, error buffer, slist, … */
  MOTE_KIND_FN,    /* a callback */
  MOTE_KIND_BLOB   /* struct curl_blob; copied or borrowed by its flag */
};

/* The kind of each type (enum curl_easytype). */
enum {
  MOTE_TYPE_LONG = MOTE_KIND_LONG,
  MOTE_TYPE_VALUES = MOTE_KIND_LONG,
  MOTE_TYPE_OFF_T = MOTE_KIND_OFF,
  MOTE_TYPE_STRING = MOTE_KIND_STR,
  MOTE_TYPE_OBJECT = MOTE_KIND_PTR,
  MOTE_TYPE_SLIST = MOTE_KIND_PTR,
  MOTE_TYPE_CBPTR = MOTE_KIND_PTR,
  MOTE_TYPE_FUNCTION = MOTE_KIND_FN,
  MOTE_TYPE_BLOB = MOTE_KIND_BLOB
};

enum mote_method {
  MOTE_METHOD_GET,
  MOTE_METHOD_HEAD,
  MOTE_METHOD_POST,     /* with a body from POSTFIELDS or the read callback */
  MOTE_METHOD_PUT,      /* UPLOAD, with a body from the read callback */
  MOTE_METHOD_MIME      /* MIMEPOST, HTTPPOST */
};

typedef void (*mote_fn)(void); /* any callback; cast back to its own type before a call */

union mote_option_value {
  curl_off_t off;
  long num;
  const char *str;
  void *ptr;
  mote_fn fn;
};

/* An option as it is shown. */
struct mote_option {
  uint16_t id;       /* MOTE_OPT_ID */
  uint8_t kind;      /* enum mote_option_kind; decides which member of v */
  uint8_t borrowed;  /* 1: v.str or v.ptr is the application's */
  uint32_t size;     /* STR: bytes with the NUL; BLOB: bytes */
  union mote_option_value v;
};

static inline bool mote_option_has_bytes(const struct mote_option *e)
{
  return e->kind == MOTE_KIND_STR || e->kind == MOTE_KIND_BLOB;
}

/* Pseudo-options: numbers that no CURLOPT has. */
enum {
  MOTE_OPT_METHOD = 900, /* long: enum mote_method, by the last option that chooses one */
  MOTE_OPT_LAST_URL,     /* the last transfer's URL, since replaced, for getinfo */
  MOTE_OPT_NO_AUTH,      /* long: no scheme of the last CURLOPT_HTTPAUTH is built in */
  MOTE_OPT_AUTH,         /* the scheme that a server chose (struct mote_auth_memory) */
  MOTE_OPT_SHOWN_URL = 905, /* CURLOPT_URL without credentials, for getinfo before a transfer */
  MOTE_OPT_PROXY_AUTH,   /* the scheme that a proxy chose; likewise */
  MOTE_OPT_NO_PROXY_AUTH, /* long: no scheme of the last CURLOPT_PROXYAUTH is built in */
  MOTE_OPT_SIGV4 = 917,  /* the key that signed the last request (http/auth/sigv4.c) */
  MOTE_OPT_COOKIES = 918, /* the cookie engine (http/cookies/cookies.h); shares COOKIE's bit in `seen` */
  MOTE_OPT_HSTS = 936,   /* the HSTS engine (http/hosts/hsts.h). Its bit in `seen`, MOTE_OPT_ID 40, is that of
                            rare options alone: it is asked for with each request */
  MOTE_OPT_SOURCE = 942, /* the block of what is sent (transfer/upload/source.c); shares UPLOAD's bit */
  MOTE_OPT_NETRC = 947,  /* the answer of a netrc file (http/auth/netrc.c); shares NETRC's bit in `seen` */
  MOTE_OPT_ALTSVC = 955, /* the engine of alternative services (http/altsvc/altsvc.h); likewise, 59 */
  MOTE_OPT_RTSP = 957,   /* the numbers of RTSP's requests (protocol/rtsp/rtsp.h); RTSP_REQUEST's bit */
  MOTE_OPT_COPIED_URL = 962, /* the effective URL of the handle that this one is a copy of, before a transfer;
                                shares CURLOPT_URL's bit in `seen` */
  MOTE_OPT_SPARE_URL = 965, /* room for the next URL; shares MOTE_OPT_LAST_URL's bit in `seen` */
  MOTE_OPT_RETIRED = 0   /* a replaced string that the running transfer may read */
};

/* Which values of its type curl_easy_setopt() accepts, and what it makes of them (api/easy/setopt.c).
 * Ranges are those of the options' manual pages, and those seen with libcurl 7.88 where a page gives none.
 * */
enum mote_rule {
  MOTE_RULE_ANY,

  /* Numbers: a range. */
  MOTE_RULE_UP,          /* 0 and up, clipped at 2^31 - 1 */
  MOTE_RULE_MINUS_UP,    /* the same, and -1 */
  MOTE_RULE_0_1,
  MOTE_RULE_0_2,
  MOTE_RULE_0_3,
  MOTE_RULE_PORT,        /* 0 to 65535 */
  MOTE_RULE_PERMS,       /* 0 to 0777 */
  MOTE_RULE_SCOPE,       /* 0 to 2^32 - 1, as far as a long goes */
  MOTE_RULE_RTSP,        /* 1 to 11 */
  MOTE_RULE_REDIRS,      /* -1 and up, clipped at what a transfer can count, 2^15 - 1 */
  MOTE_RULE_BUFFER,      /* 1 KB to 10 MB, clipped; below 0 is an error (CURLOPT_BUFFERSIZE(3)) */
  MOTE_RULE_UPLOAD_BUFFER, /* 16 KB to 2 MB, likewise (CURLOPT_UPLOAD_BUFFERSIZE(3)) */
  MOTE_RULE_RANGES,      /* not a rule; the rules above have a range */

  /* Sizes and speeds (curl_off_t). */
  MOTE_RULE_SIZE,        /* 0 and up */
  MOTE_RULE_SIZE_UNSET,  /* 0 and up, -1: not known */
  MOTE_RULE_SPEED,       /* 0 and up, clipped */

  /* Numbers under another option's name. */
  MOTE_RULE_SECONDS,     /* stored in milliseconds, clipped at 2^31 - 1 of them */
  MOTE_RULE_LARGE,       /* stored as the _LARGE option, under that one's rule */

  /* Bit masks and names of their own kind. */
  MOTE_RULE_BOOL,        /* 0, or 1 for any other number */
  MOTE_RULE_CONNECT_ONLY, /* 0, 1, or 2 for WebSocket, which does the same as 0 for other schemes */
  MOTE_RULE_PROXYTYPE,   /* 0 to 8 */
  MOTE_RULE_AUTH,        /* CURLAUTH_* bits; those of schemes that are not built in are dropped */
  MOTE_RULE_SOCKS_AUTH,  /* CURLAUTH_BASIC and _GSSAPI, no other */
  MOTE_RULE_HTTP_VERSION, /* a version that the server may decline is stored as none */
  MOTE_RULE_SSLVERSION,
  MOTE_RULE_VERIFYHOST,  /* stored as 0 or 2 */
  MOTE_RULE_PROTOCOLS,   /* a list of scheme names, stored as a CURLPROTO_* mask */
  MOTE_RULE_INTERFACE,   /* CURLOPT_INTERFACE(3), at most 512 bytes */
  MOTE_RULE_ANY_LENGTH,  /* a text that is ignored */
  MOTE_RULE_COOKIE,      /* set by the cookie engine (http/cookies/cookies.h) */
  MOTE_RULE_COOKIE_LIST, /* likewise; a line or a command */
  MOTE_RULE_HSTS,        /* set by the HSTS engine (http/hosts/hsts.h) */
  MOTE_RULE_ALTSVC,      /* set by the engine of alternative services (http/altsvc/altsvc.h) */
  MOTE_RULE_USERPWD,     /* stored as user name and password */
  MOTE_RULE_PROXYUSERPWD, /* the same for the proxy, percent-encoded */
  MOTE_RULE_TRUST,       /* NULL is stored as an empty text: none, and not the system's certificates */
  MOTE_RULE_FILE,        /* NULL is a value; the default is stdin or stdout */
  MOTE_RULE_HAPROXY_IP,  /* also sets HAPROXYPROTOCOL */
  MOTE_RULE_HTTPSIG,     /* 0 to 2; also sets HTTPAUTH, or takes that back */
  MOTE_RULE_SIGV4,       /* also sets HTTPAUTH, or takes that back */
  MOTE_RULE_SHARE,

  /* Options that set the method (api/easy/setopt.c). */
  MOTE_RULE_GET,
  MOTE_RULE_NOBODY,
  MOTE_RULE_POST,
  MOTE_RULE_UPLOAD,
  MOTE_RULE_FIELDS,
  MOTE_RULE_COPY_FIELDS,
  MOTE_RULE_FORM,

  /* The error of an option that is left out, where it is not CURLE_UNKNOWN_OPTION. */
  MOTE_RULE_NOT_BUILT_IN,
  MOTE_RULE_ENGINE       /* CURLE_SSL_ENGINE_NOTFOUND; at most 128 bytes */
};

/* When the option is part of a connection's key (connect/identity.h). */
enum mote_identity_when {
  MOTE_IDENTITY_NEVER = 1, /* does not concern the connection */
  MOTE_IDENTITY_ROUTE,     /* where the request goes is in the key, and the option is a part of the answer */
  MOTE_IDENTITY_ALWAYS,    /* connections that differ in it are different */
  MOTE_IDENTITY_TLS,       /* only when the connection uses TLS */
  MOTE_IDENTITY_CLIENT,    /* the same, but what identifies the client to the server: only for the origin that
                              it is for, and no redirect's other one */
  MOTE_IDENTITY_PROXY,     /* only when a proxy is used */
  MOTE_IDENTITY_AUTH       /* only with authentication that binds to the connection */
};

/* How a build treats an option (`built` of a row). */
enum mote_option_built {
  MOTE_OPTION_LACKING,  /* the feature is left out: accepts only the value that asks for nothing */
  MOTE_OPTION_BUILT,    /* works; the value is stored */
  MOTE_OPTION_HARMLESS, /* checked, accepted and not stored, since it changes nothing in this build */
  MOTE_OPTION_REFUSED   /* as LACKING, but it would change what is sent or checked. Transfers fail with
                           CURLE_NOT_BUILT_IN until it is set to ask for nothing. */
};

/* The columns that curl_easy_setopt() needs, in four bytes, since there are more than 300 rows. Column
 * `identity` has a table of its own, of the few options that distinguish connections. */
struct mote_option_row {
  unsigned kind : 3;      /* enum mote_option_kind of the canonical value */
  unsigned built : 3;     /* enum mote_option_built */
  unsigned rule : 6;      /* enum mote_rule */
  signed int preset : 20; /* default of LONG and OFF; the largest is 300,000 */
};

/* Returns the row of an option number (MOTE_OPT_ID). The kind of an unknown number is MOTE_KIND_NONE. */
const struct mote_option_row *mote_option_row(uint16_t id);

/* ---- constants ----
 *
 * An option whose part is left out is not set, for sure: where it is read by its name the compiler knows what
 * it stands for, and drops what would have used another value. */

/* An entry of the column `part` that is no part; parts.h has the others (cmake/parts.cmake,
 * mote_either()). */
#define MOTE_HAS_EVERY 1

/* The default of CURLOPT_MAXREDIRS, which a profile may lower (LIMITS). */
#ifndef MOTE_MAX_REDIRECTS
#define MOTE_MAX_REDIRECTS 30
#endif

/* MOTE_BUILT_CURLOPT_X is 1 if its part is in this build, else 0. MOTE_DEFAULT_CURLOPT_X is the value of a
 * number that is not set. */
enum {
#define HAVE(name, type, rule, part, identity, value) \
  MOTE_BUILT_CURLOPT_##name = MOTE_HAS_##part, MOTE_DEFAULT_CURLOPT_##name = (value),
#define HARMLESS(name, type, rule, part, identity, value) \
  MOTE_BUILT_CURLOPT_##name = MOTE_HAS_##part, MOTE_DEFAULT_CURLOPT_##name = 0,
#define LACK(name, type, rule, part, identity, value) \
  MOTE_BUILT_CURLOPT_##name = MOTE_HAS_##part, MOTE_DEFAULT_CURLOPT_##name = 0,
#define REFUSE(name, type, rule, part, identity, value) \
  MOTE_BUILT_CURLOPT_##name = MOTE_HAS_##part, MOTE_DEFAULT_CURLOPT_##name = 0,
#include "transfer/options/option_rows.inc"
};

/* Reading an option named by its constant. Returns its value, or its default while it is not set (NULL
 * except for numbers). */
#define mote_opt_long(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_long(o, MOTE_OPT_ID(option), MOTE_DEFAULT_##option) \
                             : (long)MOTE_DEFAULT_##option)
#define mote_opt_off(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_off(o, MOTE_OPT_ID(option), MOTE_DEFAULT_##option) \
                             : (curl_off_t)MOTE_DEFAULT_##option)
#define mote_opt_ptr(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_ptr(o, MOTE_OPT_ID(option)) : NULL)
/* Returns the value, which may be NULL, or `preset` while the option is not set. */
#define mote_opt_ptr_or(o, option, preset) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_ptr_or(o, MOTE_OPT_ID(option), preset) : (preset))
#define mote_opt_str(o, option) ((const char *)mote_opt_ptr(o, option))
#define mote_opt_fn(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_fn(o, MOTE_OPT_ID(option)) : (mote_fn)NULL)

#endif
