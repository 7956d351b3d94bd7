#include "tool/memory.h"

#include <stdlib.h>
#include <string.h>

struct kept {
  struct kept *next;
  max_align_t bytes[];
};

static long fail_at;
static long blocks;
static struct kept *kept_list;

static int must_fail(void)
{
  if(!fail_at)
    return 0;
  return !--fail_at;
}

void *mote_cli_alloc(size_t size)
{
  void *p = must_fail() ? NULL : calloc(1, size ? size : 1);
  if(p)
    blocks++;
  return p;
}

void *mote_cli_realloc(void *p, size_t size)
{
  void *moved = must_fail() ? NULL : realloc(p, size ? size : 1);
  if(moved && !p)
    blocks++;
  return moved;
}

void mote_cli_free(void *p)
{
  if(p)
    blocks--;
  free(p);
}

char *mote_cli_strndup(const char *s, size_t len)
{
  char *copy = mote_cli_alloc(len + 1);
  if(copy)
    memcpy(copy, s, len);
  return copy;
}

char *mote_cli_strdup(const char *s)
{
  return mote_cli_strndup(s, strlen(s));
}

char *mote_cli_join(const char *a, const char *b, const char *c)
{
  size_t na = strlen(a), nb = strlen(b), nc = strlen(c);
  char *text = mote_cli_alloc(na + nb + nc + 1);
  if(!text)
    return NULL;
  memcpy(text, a, na);
  memcpy(text + na, b, nb);
  memcpy(text + na + nb, c, nc);
  return text;
}

void *mote_cli_keep(size_t size)
{
  struct kept *k = mote_cli_alloc(sizeof *k + size);
  if(!k)
    return NULL;
  k->next = kept_list;
  kept_list = k;
  return k->bytes;
}

void mote_cli_free_kept(void)
{
  while(kept_list) {
    struct kept *k = kept_list;
    kept_list = k->next;
    mote_cli_free(k);
  }
}

long mote_cli_fail_at(long call)
{
  long left = fail_at;
  fail_at = call;
  return left;
}

long mote_cli_blocks(void)
{
  return blocks;
}
