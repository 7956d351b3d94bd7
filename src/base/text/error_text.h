/* base/text/error_text.h: the texts of error codes (curl_easy_strerror(3) and relatives): constants, never
 * NULL.
 *
 * Without part texts an error has no text of its own.
 * Tests: tests/unit/api/test_strerror.c */
#ifndef MOTE_BASE_TEXT_ERROR_TEXT_H
#define MOTE_BASE_TEXT_ERROR_TEXT_H

#include <curl/curl.h>

#include "parts.h"

#if MOTE_HAS_TEXTS
const char *mote_error_text(CURLcode code);
const char *mote_error_multi_text(CURLMcode code);
const char *mote_error_share_text(CURLSHcode code);
const char *mote_error_url_text(CURLUcode code);
#else
static inline const char *mote_error_any(int code)
{
  return code ? "Error" : "No error";
}

#define mote_error_text(code) mote_error_any((int)(code))
#define mote_error_multi_text(code) mote_error_any((int)(code))
#define mote_error_share_text(code) mote_error_any((int)(code))
#define mote_error_url_text(code) mote_error_any((int)(code))
#endif

#endif
