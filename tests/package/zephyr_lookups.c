/* Two threads look names up by src/port/zephyr, and the second one takes the first one's place over. Prints
 * how many milliseconds a minute's wait of the first one takes, when nothing happens and when that does. */
#include "port/zephyr/names.c"
#include "port/zephyr/poll.c"

#include <stdio.h>

static unsigned waited; /* milliseconds */
static bool other_asks;

int64_t k_uptime_get(void)
{
  return waited;
}

mote_time mote_port_now(void)
{
  return k_uptime_get() * MOTE_MS + 1;
}

int dns_get_addr_info(const char *query, enum dns_query_type type, uint16_t *dns_id, dns_resolve_cb_t cb,
                      void *user_data, int32_t timeout)
{
  struct dns_addrinfo info = {.ai_family = AF_INET};
  (void)type;
  (void)timeout;
  *dns_id = 1;
  if(!strcmp(query, "other")) { /* Zephyr knows that one already */
    cb(DNS_EAI_INPROGRESS, &info, user_data);
    cb(DNS_EAI_ALLDONE, NULL, user_data);
  }
  return 0;
}

int dns_cancel_addr_info(uint16_t dns_id)
{
  (void)dns_id;
  return 0;
}

int32_t k_sleep(k_timeout_t timeout)
{
  uint8_t ip[4];
  waited += (unsigned)timeout.ticks;
  if(other_asks)
    (void)mote_embedded_lookup("other", ip);
  other_asks = false;
  return 0;
}

int zsock_poll(struct zsock_pollfd *fds, int nfds, int timeout)
{
  (void)fds;
  (void)nfds;
  (void)timeout;
  return 0;
}

void mote_port_lock(struct mote_mutex *m)
{
  (void)m;
}

void mote_port_unlock(struct mote_mutex *m)
{
  (void)m;
}

int main(void)
{
  uint8_t ip[4];
  int i;
  for(i = 0; i < 2; i++) {
    unsigned ready;
    waited = 0;
    other_asks = i != 0;
    (void)mote_embedded_lookup("mine", ip);
    (void)mote_port_poll(NULL, 0, 60000, &ready);
    printf("%u\n", waited);
  }
  return 0;
}
