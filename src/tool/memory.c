#include "tool/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct kept {
  struct kept *next;
  max_align_t bytes[];
};

struct head { /* precedes each block */
  _Alignas(max_align_t) size_t size; /* bytes that the caller asked for */
};

static long fail_at;       /* this call from now on fails; 0: none */
static long blocks;        /* allocated now */
static size_t calls;       /* successful allocations ever */
static atomic_size_t held; /* bytes */
static void (*look)(void); /* called before each change, or NULL */
static struct kept *kept_list;

static int must_fail(void)
{
  if(!fail_at)
    return 0;
  return !--fail_at;
}

void *mote_cli_realloc(void *p, size_t size)
{
  struct head *old = p ? (struct head *)p - 1 : NULL, *head;
  size_t had = old ? old->size : 0;
  if(must_fail() || size > (size_t)-1 - sizeof *head)
    return NULL;
  if(look)
    look();
  head = realloc(old, sizeof *head + size);
  if(!head)
    return NULL;
  head->size = size;
  held += size - had; /* modulo SIZE_MAX + 1 */
  blocks += !old;
  calls++;
  return head + 1;
}

void *mote_cli_alloc(size_t size)
{
  void *p = mote_cli_realloc(NULL, size);
  return p ? memset(p, 0, size) : NULL;
}

void mote_cli_free(void *p)
{
  struct head *head = p;
  if(!head)
    return;
  if(look)
    look();
  head--;
  held -= head->size;
  blocks--;
  free(head);
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

size_t mote_cli_held(void)
{
  return held;
}

size_t mote_cli_calls(void)
{
  return calls;
}

void mote_cli_memory_watch(void (*watcher)(void))
{
  look = watcher;
}

void *mote_cli_pass_realloc(void *p, size_t size)
{
  return realloc(p, size ? size : 1);
}

void mote_cli_pass_free(void *p)
{
  free(p);
}
