/* api/easy/option_names.c: the names and argument types of all options (curl_easy_option_by_name(3),
 * curl_easy_option_by_id(3), curl_easy_option_next(3)), from transfer/options/option_rows.inc.
 *
 * Tests: tests/unit/api/test_option_names.c, which compares the table with the interface's own */
#include <curl/curl.h>
#include <stddef.h>

#include "base/text.h"

/* By ASCII order, aliases included (cmake/select.cmake). The last row, without a name, is the end. */
static const struct curl_easyoption options[] = {
#include "option_names.inc"
  {NULL, CURLOPT_LASTENTRY, CURLOT_LONG, 0},
};

/* < 0, 0 or > 0, as strcmp() returns it, but without regard to case. Names in the table are in upper case. */
static int option_names_compare(const char *name, const char *row)
{
  while(*name && mote_to_upper(*name) == *row) {
    name++;
    row++;
  }
  return (unsigned char)mote_to_upper(*name) - (unsigned char)*row;
}

const struct curl_easyoption *curl_easy_option_by_name(const char *name)
{
  size_t low = 0;
  size_t high = sizeof options / sizeof options[0] - 1;
  while(name && low < high) {
    size_t middle = low + (high - low) / 2;
    int order = option_names_compare(name, options[middle].name);
    if(!order)
      return &options[middle];
    if(order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

const struct curl_easyoption *curl_easy_option_by_id(CURLoption id)
{
  const struct curl_easyoption *o;
  for(o = options; o->name; o++)
    if(o->id == id && !(o->flags & CURLOT_FLAG_ALIAS))
      return o;
  return NULL;
}

const struct curl_easyoption *curl_easy_option_next(const struct curl_easyoption *prev)
{
  const struct curl_easyoption *o = prev ? prev + 1 : options;
  if(prev && !prev->name)
    return NULL;
  return o->name ? o : NULL;
}
