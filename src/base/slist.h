/* base/slist.h: lists of the application (curl_slist_append(3)). */
#ifndef MOTE_BASE_SLIST_H
#define MOTE_BASE_SLIST_H

#include <curl/curl.h>

#include "base/memory.h"

/* A node and its string are one block; an application may have put a string of its own into the node. */
static inline void mote_slist_free(struct curl_slist *list)
{
  while(list) {
    struct curl_slist *next = list->next;
    if(list->data != (char *)(list + 1))
      mote_mem_public_free(list->data);
    mote_mem_public_free(list);
    list = next;
  }
}

#endif
