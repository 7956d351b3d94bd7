/* roots.h: the roots that the image trusts, two made for the check (tools/device.py), or none without TLS. */
#ifndef MOTE_DEVICE_ROOTS_H
#define MOTE_DEVICE_ROOTS_H

#include <curl/curl.h>

/* Root 0 signs the peer's certificates; root 1 is another. */
CURLcode roots_set(CURL *curl, unsigned which);

#endif
