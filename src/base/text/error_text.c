/* base/text/error_text.c: a text for each error code. Obsolete codes have that of unknown ones. The tables
 * hold places in one string, since pointers would take four times as much and be relocated at each start.
 * */
#include "base/text/error_text.h"

#include <stddef.h>
#include <stdint.h>

/* All texts, one after the other. */
struct texts {
  char unknown[sizeof "Unknown error"];
#define EASY(code, text) char easy_##code[sizeof(text)];
#define MULTI(code, text) char multi_##code[sizeof(text)];
#define SHARE(code, text) char share_##code[sizeof(text)];
#define URL(code, text) char url_##code[sizeof(text)];
#include "base/text/error_texts.inc"
};

static const struct texts texts = {
  .unknown = "Unknown error",
#define EASY(code, text) .easy_##code = text,
#define MULTI(code, text) .multi_##code = text,
#define SHARE(code, text) .share_##code = text,
#define URL(code, text) .url_##code = text,
#include "base/text/error_texts.inc"
};

/* By code: where in `texts` its text begins; 0 is that of unknown ones. */
static const uint16_t easy_at[CURL_LAST] = {
#define EASY(code, text) [CURLE_##code] = offsetof(struct texts, easy_##code),
#include "base/text/error_texts.inc"
};

static const uint16_t multi_at[CURLM_LAST] = {
#define MULTI(code, text) [CURLM_##code] = offsetof(struct texts, multi_##code),
#include "base/text/error_texts.inc"
};

static const uint16_t share_at[CURLSHE_LAST] = {
#define SHARE(code, text) [CURLSHE_##code] = offsetof(struct texts, share_##code),
#include "base/text/error_texts.inc"
};

static const uint16_t url_at[CURLUE_LAST] = {
#define URL(code, text) [CURLUE_##code] = offsetof(struct texts, url_##code),
#include "base/text/error_texts.inc"
};

static const char *base_error_text(const uint16_t *at, unsigned last, int code)
{
  return (const char *)&texts + (code >= 0 && (unsigned)code < last ? at[code] : 0);
}

const char *mote_error_text(CURLcode error)
{
  return base_error_text(easy_at, CURL_LAST, (int)error);
}

const char *mote_error_multi_text(CURLMcode error)
{
  if(error == CURLM_CALL_MULTI_PERFORM)
    return "Call curl_multi_perform() again";
  return base_error_text(multi_at, CURLM_LAST, (int)error);
}

const char *mote_error_share_text(CURLSHcode error)
{
  return base_error_text(share_at, CURLSHE_LAST, (int)error);
}

const char *mote_error_url_text(CURLUcode error)
{
  return base_error_text(url_at, CURLUE_LAST, (int)error);
}
