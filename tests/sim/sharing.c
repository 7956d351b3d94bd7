/* sharing.c: CURLSH with lock functions. One thread uses it, so a lock that is held when another call asks
 * for it would never be given. */
#include "sharing.h"

#include <stddef.h>

#include "port/sim/sim.h"

static unsigned held[CURL_LOCK_DATA_LAST];

static void on_lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *arg)
{
  (void)easy;
  (void)access;
  (void)arg;
  if(data >= CURL_LOCK_DATA_LAST || held[data])
    mote_sim_broken("a lock of a share is taken that is held");
  held[data] = 1;
}

static void on_unlock(CURL *easy, curl_lock_data data, void *arg)
{
  (void)easy;
  (void)arg;
  if(data >= CURL_LOCK_DATA_LAST || !held[data])
    mote_sim_broken("a lock of a share is given back that is not held");
  held[data] = 0;
}

void sharing_look(void)
{
  size_t i;
  for(i = 0; i < CURL_LOCK_DATA_LAST; i++)
    if(held[i])
      mote_sim_broken("a lock of a share is held where the application runs, or waits");
}

CURLSH *sharing_begin(void)
{
  static const curl_lock_data data[] = { CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_COOKIE,
                                         CURL_LOCK_DATA_SSL_SESSION };
  CURLSH *share;
  size_t i;
  if(mote_sim_draw("a share", 4) < 3)
    return NULL;
  for(i = 0; i < CURL_LOCK_DATA_LAST; i++)
    held[i] = 0;
  share = curl_share_init();
  if(!share)
    return NULL;
  (void)curl_share_setopt(share, CURLSHOPT_LOCKFUNC, on_lock);
  (void)curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, on_unlock);
  for(i = 0; i < sizeof data / sizeof *data; i++)
    if(mote_sim_draw("what is shared", 2))
      (void)curl_share_setopt(share, CURLSHOPT_SHARE, data[i]);
  return share;
}

void sharing_end(CURLSH *share)
{
  if(share && curl_share_cleanup(share))
    mote_sim_broken("a share that is not used cannot be freed");
}
