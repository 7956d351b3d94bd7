/* api/options.c: curl_easy_option_by_name(3), curl_easy_option_by_id(3), curl_easy_option_next(3). */
#include "api/options.h"

#include "base/text.h"

/* < 0, 0, > 0, as strcmp; names in the table are in upper case. */
static int compare(const char *name, const char *row)
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
  size_t high = mote_easy_option_count;
  while(name && low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(name, mote_easy_options[middle].name);
    if(!order)
      return &mote_easy_options[middle];
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
  for(o = mote_easy_options; o->name; o++)
    if(o->id == id && !(o->flags & CURLOT_FLAG_ALIAS))
      return o;
  return NULL;
}

const struct curl_easyoption *curl_easy_option_next(const struct curl_easyoption *prev)
{
  const struct curl_easyoption *o = prev ? prev + 1 : mote_easy_options;
  if(prev && !prev->name)
    return NULL;
  return o->name ? o : NULL;
}
