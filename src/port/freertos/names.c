/* port/freertos/names.c: lookups by lwIP's resolver, in its task or under its core lock; they do not block.
 *
 * lwIP keeps good answers for their time to live, but neither bad ones nor those that live for no time. So
 * the places here hold an answer until it is asked for again. A name that finds no place takes the oldest.
 * The lookup that loses its place asks again, and lwIP mostly knows the answer by then. The mutex guards the
 * places; the core lock is never taken while it is held. */
#include "port/freertos/internal.h"

#include <lwip/dns.h>
#include <lwip/tcpip.h>
#include <string.h>

#include "port/embedded/ip4.h"
#include "port/lock.h"

enum state {
  IDLE,
  ASKED,
  CROWDED, /* to be asked again: lwIP's table is full of questions, one of which will end */
  FOUND,
  FAILED,
  AGAIN_LATER /* no server is known yet */
};

static struct place {
  ip_addr_t ip;                   /* with FOUND */
  const void *task;               /* that asked last */
  uint8_t state;                  /* enum state */
  bool reported;                  /* a wait of the task has ended for it */
  char name[DNS_MAX_NAME_LENGTH];
} places[MOTE_FREERTOS_LOOKUPS];

static uint8_t oldest; /* the place that is taken next */
static struct mote_mutex guard;

enum mote_freertos_lookup mote_freertos_lookups(void)
{
  enum mote_freertos_lookup found = MOTE_FREERTOS_NO_LOOKUP;
  const void *task = mote_freertos_task();
  struct place *p;
  mote_port_lock(&guard);
  for(p = places; p < places + MOTE_FREERTOS_LOOKUPS; p++) {
    if(p->state == IDLE || p->task != task)
      continue;
    if(p->state == CROWDED)
      found = MOTE_FREERTOS_RETRY;
    else if(p->state == ASKED) {
      if(!found)
        found = MOTE_FREERTOS_LOOKING;
    }
    else if(!p->reported) {
      p->reported = true;
      found = MOTE_FREERTOS_ENDED;
    }
  }
  mote_port_unlock(&guard);
  return found;
}

/* ---- in lwIP's task, or under its core lock ---- */

/* arg: its place, which may have been taken over since. */
static void freertos_names_on_answer(const char *name, const ip_addr_t *ip, void *arg)
{
  struct place *p = arg;
  mote_port_lock(&guard);
  if(p->state == ASKED && !lwip_stricmp(p->name, name)) { /* lwIP joins questions that differ in case */
    p->state = ip ? FOUND : FAILED;
    if(ip)
      p->ip = *ip;
  }
  mote_port_unlock(&guard);
}

/* Asks for the name that is in the place now. lwIP does not call freertos_names_on_answer() in it. */
static void freertos_names_ask(void *arg)
{
  struct place *p = arg;
  err_t error;
  mote_port_lock(&guard);
  if(p->state == ASKED) {
    error = dns_gethostbyname_addrtype(p->name, &p->ip, freertos_names_on_answer, p, LWIP_DNS_ADDRTYPE_IPV4);
    if(error == ERR_MEM)
      p->state = CROWDED;
    else if(error != ERR_INPROGRESS)
      p->state = error == ERR_VAL ? AGAIN_LATER : error ? FAILED : FOUND;
  }
  mote_port_unlock(&guard);
}

/* ---- in the caller's task ---- */

static struct place *freertos_names_find(const char *name)
{
  struct place *p;
  for(p = places; p < places + MOTE_FREERTOS_LOOKUPS; p++)
    if(p->state != IDLE && !strcmp(p->name, name))
      return p;
  return NULL;
}

/* What has become of the place's lookup; an answer is taken out. */
static int freertos_names_take(struct place *p, ip_addr_t *ip)
{
  enum state state = p->state;
  p->task = mote_freertos_task();
  if(state <= CROWDED)
    return MOTE_PORT_AGAIN;
  *ip = p->ip;
  p->state = IDLE;
  return state == FOUND ? 0 : state == FAILED ? MOTE_PORT_NO_NAME : EAGAIN;
}

static struct place *freertos_names_new_place(const char *name)
{
  struct place *p = &places[oldest];
  p->state = ASKED;
  p->reported = false;
  p->task = mote_freertos_task();
  strcpy(p->name, name); /* fits: the caller has seen to it */
  oldest = (uint8_t)((oldest + 1) % MOTE_FREERTOS_LOOKUPS);
  return p;
}

static int freertos_names_look_up(const char *name, ip_addr_t *ip)
{
  struct place *p, *asked = NULL;
  int error;
  if(strlen(name) >= DNS_MAX_NAME_LENGTH)
    return MOTE_PORT_NO_NAME;
  mote_port_lock(&guard);
  p = freertos_names_find(name);
  if(!p)
    p = asked = freertos_names_new_place(name);
  else if(p->state == CROWDED) {
    p->state = ASKED;
    asked = p;
  }
  error = freertos_names_take(p, ip);
  mote_port_unlock(&guard);
  if(!asked)
    return error;
  error = mote_freertos_in_lwip(freertos_names_ask, asked) ? ENOMEM : MOTE_PORT_AGAIN;
  mote_port_lock(&guard);
  if(error == ENOMEM)
    asked->state = IDLE;
  else if(!strcmp(asked->name, name)) /* lwIP may have known the answer */
    error = freertos_names_take(asked, ip);
  mote_port_unlock(&guard);
  return error == ENOMEM ? MOTE_PORT_NO_MEMORY : error;
}

int mote_embedded_lookup(const char *name, void *ip)
{
  ip_addr_t found;
  int error = freertos_names_look_up(name, &found);
  if(!error)
    memcpy(ip, &ip_2_ip4(&found)->addr, 4);
  return error;
}
