/* port/lwip/names.c: lookups by lwIP's resolver, which does not block.
 *
 * lwIP keeps good answers for their time to live, but neither bad ones nor those that live for no time. So
 * the places here hold an answer until it is asked for again. A name that finds no place takes the oldest.
 * The lookup that loses its place asks again, and lwIP mostly knows the answer by then. */
#include <lwip/def.h>
#include <lwip/dns.h>
#include <string.h>

#include "port/embedded/ip4.h"
#include "port/lwip/internal.h"

enum state {
  IDLE,
  ASKED,
  FOUND,
  FAILED
};

static struct place {
  ip_addr_t ip;                   /* with FOUND */
  uint8_t state;                  /* enum state */
  char name[DNS_MAX_NAME_LENGTH];
} places[MOTE_LWIP_LOOKUPS];

static uint8_t oldest; /* the place that is taken next */
static bool ended;
static bool crowded; /* lwIP has had no room for the last question */

bool mote_lwip_lookup_ended(void)
{
  bool was = ended;
  ended = false;
  return was;
}

bool mote_lwip_lookup_crowded(void)
{
  bool was = crowded;
  crowded = false;
  return was;
}

/* arg: its place, which may have been taken over since. */
static void lwip_names_on_answer(const char *name, const ip_addr_t *ip, void *arg)
{
  struct place *p = arg;
  ended = true;
  if(p->state != ASKED || lwip_stricmp(p->name, name)) /* lwIP joins questions that differ in case */
    return;
  p->state = ip ? FOUND : FAILED;
  if(ip)
    p->ip = *ip;
}

static struct place *lwip_names_find(const char *name)
{
  struct place *p;
  for(p = places; p < places + MOTE_LWIP_LOOKUPS; p++)
    if(p->state != IDLE && !strcmp(p->name, name))
      return p;
  return NULL;
}

/* Asks for the first time, or again after the place was lost. */
static int lwip_names_ask(const char *name, ip_addr_t *ip)
{
  struct place *p = &places[oldest];
  err_t error = dns_gethostbyname_addrtype(name, ip, lwip_names_on_answer, p, LWIP_DNS_ADDRTYPE_IPV4);
  crowded = error == ERR_MEM;
  if(crowded)
    return MOTE_PORT_AGAIN; /* lwIP's table is full of questions: one of them will end */
  if(error == ERR_VAL)
    return EAGAIN; /* no server known yet */
  if(error != ERR_INPROGRESS)
    return error ? MOTE_PORT_NO_NAME : 0; /* too long; or known */
  p->state = ASKED;
  strcpy(p->name, name); /* fits: lwIP has refused what is longer */
  oldest = (uint8_t)((oldest + 1) % MOTE_LWIP_LOOKUPS);
  return MOTE_PORT_AGAIN;
}

int mote_embedded_lookup(const char *name, void *ip)
{
  struct place *p = lwip_names_find(name);
  ip_addr_t found;
  int error;
  if(!p)
    error = lwip_names_ask(name, &found);
  else if(p->state == ASKED)
    return MOTE_PORT_AGAIN;
  else {
    found = p->ip;
    error = p->state == FOUND ? 0 : MOTE_PORT_NO_NAME;
    p->state = IDLE;
  }
  if(!error)
    memcpy(ip, &ip_2_ip4(&found)->addr, 4);
  return error;
}
