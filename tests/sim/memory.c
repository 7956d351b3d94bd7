/* memory.c: the allocator that a program may give to curl_global_init_mem(). */
#include "memory.h"

#include <curl/curl.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "port/sim/sim.h"

static unsigned chance, refused;

static int refuses(void)
{
  int no = mote_sim_chance("an allocation that is refused", chance);
  refused += no != 0;
  return no;
}

static void *on_malloc(size_t size)
{
  return refuses() ? NULL : malloc(size);
}

static void *on_calloc(size_t count, size_t size)
{
  return refuses() ? NULL : calloc(count, size);
}

static void *on_realloc(void *block, size_t size)
{
  return refuses() ? NULL : realloc(block, size);
}

static char *on_strdup(const char *text)
{
  return refuses() ? NULL : strdup(text);
}

void memory_init(void)
{
  if(curl_global_init_mem(CURL_GLOBAL_ALL, on_malloc, free, on_realloc, on_strdup, on_calloc))
    mote_sim_broken("curl_global_init_mem fails");
}

void memory_begin(unsigned refuse)
{
  chance = refuse;
  refused = 0;
}

unsigned memory_refused(void)
{
  return refused;
}

size_t memory_held(void)
{
  struct mote_part_info info;
  size_t held = 0;
  int i;
  for(i = 0; mote_part_info(i, NULL, &info); i++)
    held += info.live;
  return held;
}
