/* roots.h: what tools/roots writes. */
#ifndef DEVICE_EXAMPLES_ROOTS_H
#define DEVICE_EXAMPLES_ROOTS_H

#include <curl/curl.h>

CURLcode roots_use(CURL *curl);

#endif
