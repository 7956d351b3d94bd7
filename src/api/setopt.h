/* api/setopt.h: how curl_easy_setopt(3) checks and changes the value of each option before it stores it.
 *
 * The option's row (transfer/options.h) has its kind, its default and whether this build has it. An option
 * that does not take every value of its kind has a rule, which is one byte.
 *
 * Errors:  the codes of curl_easy_setopt(3); the value that was set before stays.
 * Tests:   tests/unit/api/test_setopt.c */
#ifndef MOTE_API_SETOPT_H
#define MOTE_API_SETOPT_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

struct mote_easy;

#define MOTE_INPUT_MAX 8000000 /* bytes of a string or blob (curl_easy_setopt(3)) */

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
  MOTE_RULE_CONNECT_ONLY, /* 2 is for WebSocket, whose URLs are refused, and does the same as 0 */
  MOTE_RULE_PROXYTYPE,   /* 0 to 8 */
  MOTE_RULE_AUTH,        /* CURLAUTH_* bits; those of schemes that are not built in are dropped */
  MOTE_RULE_SOCKS_AUTH,  /* CURLAUTH_BASIC and _GSSAPI, no other */
  MOTE_RULE_HTTP_VERSION, /* a version that the server may decline is stored as none */
  MOTE_RULE_SSLVERSION,
  MOTE_RULE_VERIFYHOST,  /* stored as 0 or 2 */
  MOTE_RULE_PROTOCOLS,   /* a list of scheme names, stored as a CURLPROTO_* mask */
  MOTE_RULE_INTERFACE,   /* CURLOPT_INTERFACE(3), at most 512 bytes */
  MOTE_RULE_ANY_LENGTH,  /* a text that is ignored */
  MOTE_RULE_COOKIE_FILE,
  MOTE_RULE_COOKIE_LIST, /* commands for a cookie jar that does not exist */
  MOTE_RULE_USERPWD,     /* stored as user name and password */
  MOTE_RULE_SHARE,

  /* Options that set the method (setopt.c). */
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

/* The rule of an option number that has a row. */
enum mote_rule mote_rule_of(uint16_t id);

/* The option number under which values of RULE_SECONDS, RULE_LARGE and RULE_PROTOCOLS are stored. */
uint16_t mote_rule_target(uint16_t id);

/* Check a number, and clip or mask it where its rule says so. CURLE_OK for rules that are not about numbers.
 * CURLE_NOT_BUILT_IN: it asks for what this build lacks. */
CURLcode mote_rule_check(enum mote_rule rule, long *value);

/* Check a text. CURLE_BAD_FUNCTION_ARGUMENT: too long, or not of its form. */
CURLcode mote_rule_text(enum mote_rule rule, const char *text);
/* The text asks for nothing that this build lacks. */
bool mote_rule_asks_nothing(enum mote_rule rule, const char *text);

/* The CURLPROTO_* mask of a list of scheme names (CURLOPT_PROTOCOLS_STR(3)). CURLE_BAD_FUNCTION_ARGUMENT:
 * the list has no name. CURLE_UNSUPPORTED_PROTOCOL: a name is not a scheme of this build; *mask has the
 * others. */
CURLcode mote_rule_protocols(const char *names, long *mask);

/* A multipart form is to be sent, a request that fails with CURLE_NOT_BUILT_IN (protocol/h1_send.c). */
CURLcode mote_setopt_form(struct mote_easy *e);

#endif
