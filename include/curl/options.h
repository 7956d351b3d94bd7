/* curl/options.h: asking the library which options curl_easy_setopt() knows. */
#ifndef CURLINC_OPTIONS_H
#define CURLINC_OPTIONS_H

#include "curl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an option takes. */
typedef enum {
  CURLOT_LONG = 0,
  CURLOT_VALUES = 1,  /* long, of a set or of bits */
  CURLOT_OFF_T = 2,   /* curl_off_t */
  CURLOT_OBJECT = 3,  /* void * */
  CURLOT_STRING = 4,  /* const char * */
  CURLOT_SLIST = 5,   /* struct curl_slist * */
  CURLOT_CBPTR = 6,   /* void *: handed to a callback */
  CURLOT_BLOB = 7,    /* struct curl_blob * */
  CURLOT_FUNCTION = 8 /* a callback */
} curl_easytype;

/* The name is an older one for the same option. */
#define CURLOT_FLAG_ALIAS (1 << 0)

/* Constant data of the library. */
struct curl_easyoption {
  const char *name;   /* without CURLOPT_ */
  CURLoption id;
  curl_easytype type;
  unsigned int flags; /* CURLOT_FLAG_* */
};

/* By name, upper or lower case; aliases are found too. NULL: no such option. */
CURL_EXTERN const struct curl_easyoption *curl_easy_option_by_name(const char *name);

/* By number; never an alias. NULL: no such option. */
CURL_EXTERN const struct curl_easyoption *curl_easy_option_by_id(CURLoption id);

/* The option after prev, in alphabetical order; the first for NULL, NULL after the last. */
CURL_EXTERN const struct curl_easyoption *curl_easy_option_next(const struct curl_easyoption *prev);

#ifdef __cplusplus
}
#endif

#endif
