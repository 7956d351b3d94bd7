/* api/easy/setopt.h: what curl_easy_setopt(3) shares with the functions that make forms.
 *
 * Errors:  the codes of curl_easy_setopt(3); the value that was set before stays.
 * Tests:   tests/unit/api/test_setopt.c */
#ifndef MOTE_API_EASY_SETOPT_H
#define MOTE_API_EASY_SETOPT_H

#include <curl/curl.h>

struct mote_easy;

#define MOTE_INPUT_MAX 8000000 /* bytes of a string or blob (curl_easy_setopt(3)) */

/* A multipart form is to be sent. Without part forms such a request fails with CURLE_NOT_BUILT_IN. */
CURLcode mote_setopt_form(struct mote_easy *e);

#endif
