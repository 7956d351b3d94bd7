/* curl/header.h: the response headers of a transfer, by name or one after another. */
#ifndef CURLINC_HEADER_H
#define CURLINC_HEADER_H

#include "curl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Belongs to the easy handle: valid until its next transfer or the next call of these functions. */
struct curl_header {
  char *name;          /* as the server wrote it */
  char *value;         /* without blanks at either end */
  size_t amount;       /* how many headers of this name there are in this request and these origins */
  size_t index;        /* which of them this is: 0 to amount - 1 */
  unsigned int origin; /* one CURLH_* bit */
  void *anchor;        /* the library's */
};

/* Where a header came from; the functions take any number of them. */
#define CURLH_HEADER (1 << 0)  /* the final response */
#define CURLH_TRAILER (1 << 1) /* after the body */
#define CURLH_CONNECT (1 << 2) /* a proxy's answer to CONNECT */
#define CURLH_1XX (1 << 3)     /* an informational response */
#define CURLH_PSEUDO (1 << 4)  /* HTTP/2 and HTTP/3 fields that begin with a colon */

typedef enum {
  CURLHE_OK = 0,
  CURLHE_BADINDEX = 1,  /* the header exists, but not with that index */
  CURLHE_MISSING = 2,   /* no such header */
  CURLHE_NOHEADERS = 3, /* no headers at all */
  CURLHE_NOREQUEST = 4, /* no request of that number */
  CURLHE_OUT_OF_MEMORY = 5,
  CURLHE_BAD_ARGUMENT = 6,
  CURLHE_NOT_BUILT_IN = 7
} CURLHcode;

/* The header `name` number `nameindex` of those origins. request: 0 for the first request of a redirect
 * chain, 1 for the second, and so on; -1 for the last. */
CURL_EXTERN CURLHcode curl_easy_header(CURL *curl, const char *name, size_t nameindex, unsigned int origin,
                                       int request, struct curl_header **hout);

/* The header after prev in order of arrival; the first for NULL, NULL after the last. */
CURL_EXTERN struct curl_header *curl_easy_nextheader(CURL *curl, unsigned int origin, int request,
                                                     struct curl_header *prev);

#ifdef __cplusplus
}
#endif

#endif
