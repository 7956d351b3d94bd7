/* api/options.h: what the library tells about its options.
 *
 * Tests: tests/unit/api/test_options.c */
#ifndef MOTE_API_OPTIONS_H
#define MOTE_API_OPTIONS_H

#include <curl/curl.h>
#include <stddef.h>

/* Every CURLOPT_ name by ASCII order, aliases included; the last row has name NULL. */
extern const struct curl_easyoption mote_easy_options[];
extern const size_t mote_easy_option_count; /* without the last row */

#endif
