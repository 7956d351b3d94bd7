/* api/strequal.c: curl_strequal(3), curl_strnequal(3). Two NULL pointers are equal; one is equal to nothing
 * else. */
#include <curl/curl.h>

#include "base/text.h"

int curl_strequal(const char *s1, const char *s2)
{
  if(!s1 || !s2)
    return s1 == s2;
  return mote_equal_nocase(s1, s2);
}

int curl_strnequal(const char *s1, const char *s2, size_t n)
{
  if(!s1 || !s2)
    return s1 == s2 && n;
  return mote_equal_nocase_n(s1, s2, n);
}
