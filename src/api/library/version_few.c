/* api/library/version_few.c: curl_version(3), curl_version_info(3) in a build without the part versions: of
 * this library alone. */
#include <curl/curl.h>
#include <mote/mote.h>

#include "parts.h"
#include "port/host.h"

static char text[] = "libcurl/" LIBCURL_VERSION " Mote/" MOTE_VERSION;

static const char *const protocols[] = {MOTE_SCHEME_NAMES NULL};

static const char *const no_features[] = {NULL};

static curl_version_info_data info = {
  .age = CURLVERSION_NOW,
  .version = LIBCURL_VERSION,
  .version_num = LIBCURL_VERSION_NUM,
  .host = MOTE_HOST,
  .features = MOTE_FEATURES,
  .protocols = protocols,
  .feature_names = no_features,
};

char *curl_version(void)
{
  return text;
}

curl_version_info_data *curl_version_info(CURLversion stamp)
{
  (void)stamp;
  return &info;
}
