/* curl/urlapi.h: parsing and building URLs (RFC 3986, with libcurl's leniency). */
#ifndef CURLINC_URLAPI_H
#define CURLINC_URLAPI_H

#include "curl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CURLUE_OK = 0,
  CURLUE_BAD_HANDLE = 1,
  CURLUE_BAD_PARTPOINTER = 2,
  CURLUE_MALFORMED_INPUT = 3,
  CURLUE_BAD_PORT_NUMBER = 4,
  CURLUE_UNSUPPORTED_SCHEME = 5,
  CURLUE_URLDECODE = 6,        /* a %-sequence is wrong or decodes to what cannot be */
  CURLUE_OUT_OF_MEMORY = 7,
  CURLUE_USER_NOT_ALLOWED = 8, /* CURLU_DISALLOW_USER */
  CURLUE_UNKNOWN_PART = 9,
  CURLUE_NO_SCHEME = 10,       /* this and the next eight: the part is not there */
  CURLUE_NO_USER = 11,
  CURLUE_NO_PASSWORD = 12,
  CURLUE_NO_OPTIONS = 13,
  CURLUE_NO_HOST = 14,
  CURLUE_NO_PORT = 15,
  CURLUE_NO_QUERY = 16,
  CURLUE_NO_FRAGMENT = 17,
  CURLUE_NO_ZONEID = 18,
  CURLUE_BAD_FILE_URL = 19,
  CURLUE_BAD_FRAGMENT = 20,
  CURLUE_BAD_HOSTNAME = 21,
  CURLUE_BAD_IPV6 = 22,
  CURLUE_BAD_LOGIN = 23,
  CURLUE_BAD_PASSWORD = 24,
  CURLUE_BAD_PATH = 25,
  CURLUE_BAD_QUERY = 26,
  CURLUE_BAD_SCHEME = 27,
  CURLUE_BAD_SLASHES = 28,
  CURLUE_BAD_USER = 29,
  CURLUE_LACKS_IDN = 30,       /* international host names are not built in */
  CURLUE_TOO_LARGE = 31,
  CURLUE_BACKSLASH = 32,       /* a backslash where a slash belongs */
  CURLUE_LAST = 33
} CURLUcode;

typedef enum {
  CURLUPART_URL = 0,
  CURLUPART_SCHEME = 1,
  CURLUPART_USER = 2,
  CURLUPART_PASSWORD = 3,
  CURLUPART_OPTIONS = 4, /* login options: imap://user;options@host */
  CURLUPART_HOST = 5,
  CURLUPART_PORT = 6,
  CURLUPART_PATH = 7,
  CURLUPART_QUERY = 8,
  CURLUPART_FRAGMENT = 9,
  CURLUPART_ZONEID = 10  /* of an IPv6 address */
} CURLUPart;

/* Flags of curl_url_get() and curl_url_set(). */
#define CURLU_DEFAULT_PORT (1 << 0)       /* get: the scheme's port when none is set */
#define CURLU_NO_DEFAULT_PORT (1 << 1)    /* get: no port when it is the scheme's */
#define CURLU_DEFAULT_SCHEME (1 << 2)     /* "https" when there is no scheme */
#define CURLU_NON_SUPPORT_SCHEME (1 << 3) /* set: schemes that this build cannot do are welcome */
#define CURLU_PATH_AS_IS (1 << 4)         /* set: leave ../ and ./ alone */
#define CURLU_DISALLOW_USER (1 << 5)      /* set: a user name is an error */
#define CURLU_URLDECODE (1 << 6)          /* get: percent-decode */
#define CURLU_URLENCODE (1 << 7)          /* percent-encode */
#define CURLU_APPENDQUERY (1 << 8)        /* set: add to the query after an & */
#define CURLU_GUESS_SCHEME (1 << 9)       /* set: guess from the host name when there is no scheme */
#define CURLU_NO_AUTHORITY (1 << 10)      /* set: an empty authority is allowed for unknown schemes */
#define CURLU_ALLOW_SPACE (1 << 11)       /* set: spaces are allowed, except in scheme and host */
#define CURLU_PUNYCODE (1 << 12)          /* get: an international host name in its ASCII form */
#define CURLU_PUNY2IDN (1 << 13)          /* get: an ASCII form as the international name */
#define CURLU_GET_EMPTY (1 << 14)         /* get: empty query and fragment count as present */
#define CURLU_NO_GUESS_SCHEME (1 << 15)   /* get: a guessed scheme counts as absent */

typedef struct Curl_URL CURLU;

/* An empty one; NULL when memory ran out. */
CURL_EXTERN CURLU *curl_url(void);

/* NULL is allowed. */
CURL_EXTERN void curl_url_cleanup(CURLU *u);

/* NULL when memory ran out. */
CURL_EXTERN CURLU *curl_url_dup(const CURLU *in);

/* A part as a new string, for curl_free(). *part is NULL when the result is not CURLUE_OK. */
CURL_EXTERN CURLUcode curl_url_get(const CURLU *u, CURLUPart what, char **part, unsigned int flags);

/* Set a part, copied; NULL removes it. CURLUPART_URL on top of an earlier URL resolves a relative one.
 * On an error nothing has changed. */
CURL_EXTERN CURLUcode curl_url_set(CURLU *u, CURLUPart what, const char *part, unsigned int flags);

/* A constant text. */
CURL_EXTERN const char *curl_url_strerror(CURLUcode error);

#ifdef __cplusplus
}
#endif

#endif
