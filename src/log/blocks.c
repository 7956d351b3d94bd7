/* log/blocks.c: the allocator, logged. */
#define MOTE_LOG_ITSELF
#include "log/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log/inner.h"

#define ADDRESS(p) ((unsigned long)(uintptr_t)(p))

void *mote_log_malloc(size_t size)
{
  void *p = mote_log_fails(MOTE_LOG_MALLOC) ? NULL : malloc(size);
  if(!mote_log_enter())
    return p;
  if(p)
    mote_log_hold(p, size);
  mote_log_put("MEM", "malloc(%zu) = 0x%lx", size, ADDRESS(p));
  mote_log_leave();
  return p;
}

void *mote_log_calloc(size_t count, size_t size)
{
  void *p = mote_log_fails(MOTE_LOG_CALLOC) ? NULL : calloc(count, size);
  if(!mote_log_enter())
    return p;
  if(p)
    mote_log_hold(p, count * size);
  mote_log_put("MEM", "calloc(%zu,%zu) = 0x%lx", count, size, ADDRESS(p));
  mote_log_leave();
  return p;
}

/* The lock is held throughout, so that no other thread logs the old block's memory between the call and its
 * line. */
void *mote_log_realloc(void *old, size_t size)
{
  bool fails = mote_log_fails(MOTE_LOG_REALLOC);
  bool logged = mote_log_enter();
  size_t before = 0;
  bool known = !old || !logged || mote_log_drop(old, &before);
  void *p = fails || !known ? NULL : realloc(old, size);
  if(!logged)
    return p;
  if(p)
    mote_log_hold(p, size);
  else if(old && known)
    mote_log_hold(old, before);
  mote_log_put("MEM", "realloc(0x%lx, %zu) = 0x%lx", ADDRESS(old), size, ADDRESS(p));
  mote_log_leave();
  return p;
}

char *mote_log_strdup(const char *s)
{
  size_t size = strlen(s) + 1;
  char *p = mote_log_fails(MOTE_LOG_STRDUP) ? NULL : malloc(size);
  if(p)
    memcpy(p, s, size);
  if(!mote_log_enter())
    return p;
  if(p)
    mote_log_hold(p, size);
  mote_log_put("MEM", "strdup(0x%lx) (%zu) = 0x%lx", ADDRESS(s), size, ADDRESS(p));
  mote_log_leave();
  return p;
}

/* A block that is not held is logged and not freed, so that the process goes on to its report. */
void mote_log_free(void *p)
{
  size_t size;
  bool known = true;
  if(!p)
    return;
  if(mote_log_enter()) {
    mote_log_put("MEM", "free(0x%lx)", ADDRESS(p));
    known = mote_log_drop(p, &size);
    mote_log_leave();
  }
  if(known)
    free(p);
}
