/* transfer/multi_sessions.c: the TLS sessions of a multi, for those who do not look into it. */
#include "transfer/multi.h"

struct mote_session_cache *mote_multi_sessions(struct mote_multi *m)
{
  return &m->sessions;
}
