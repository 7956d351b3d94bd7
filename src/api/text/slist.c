/* api/text/slist.c: curl_slist_append(3), curl_slist_free_all(3). */
#include <curl/curl.h>
#include <string.h>

#include "base/containers/slist.h"

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *data)
{
  size_t size;
  struct curl_slist *node;
  struct curl_slist *last;
  if(!data)
    return NULL;
  size = strlen(data) + 1;
  node = mote_slist_node(size);
  if(!node)
    return NULL;
  memcpy(node->data, data, size);
  if(!list)
    return node;
  for(last = list; last->next; last = last->next)
    ;
  last->next = node;
  return list;
}

void curl_slist_free_all(struct curl_slist *list)
{
  mote_slist_free(list);
}
