/* base/containers/slist.h: lists of the application (curl_slist_append(3)).
 *
 * A node and its string are two blocks of public memory: an application may give the string to curl_free(3)
 * and put another one, or NULL, into the node.
 * Tests: tests/unit/api/test_slist.c */
#ifndef MOTE_BASE_CONTAINERS_SLIST_H
#define MOTE_BASE_CONTAINERS_SLIST_H

#include <curl/curl.h>

#include "base/memory.h"

/* A node whose string is size bytes that the caller fills in, or NULL without memory. */
static inline struct curl_slist *mote_slist_node(size_t size)
{
  struct curl_slist *node = mote_mem_public_alloc(sizeof *node);
  if(!node)
    return NULL;
  node->next = NULL;
  node->data = mote_mem_public_alloc(size);
  if(node->data)
    return node;
  mote_mem_public_free(node);
  return NULL;
}

static inline void mote_slist_free(struct curl_slist *list)
{
  while(list) {
    struct curl_slist *next = list->next;
    mote_mem_public_free(list->data);
    mote_mem_public_free(list);
    list = next;
  }
}

#endif
