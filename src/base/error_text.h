/* base/error_text.h: the texts of error codes (curl_easy_strerror(3) and relatives): constants, never NULL.
 *
 * Without part texts there are no functions, and what would use them reports nothing.
 * Tests: tests/unit/api/test_strerror.c */
#ifndef MOTE_BASE_ERROR_TEXT_H
#define MOTE_BASE_ERROR_TEXT_H

#include <curl/curl.h>

#include "parts.h"

#if MOTE_HAS_TEXTS
const char *mote_error_text(CURLcode code);
const char *mote_error_multi_text(CURLMcode code);
const char *mote_error_share_text(CURLSHcode code);
const char *mote_error_url_text(CURLUcode code);
#else
#define mote_error_text(code) ((void)(code), "")
#define mote_error_url_text(code) ((void)(code), "")
#endif

#endif
