/* port/zephyr/names.c: lookups by Zephyr's resolver; they do not block. The answer comes in a thread of
 * Zephyr's.
 *
 * A place holds an answer until it is asked for. A name that finds no place takes the oldest, whose question
 * is cancelled; the lookup that loses its place asks again. An answer carries the number of its question,
 * because one that was cancelled may still be on its way. */
#include "port/zephyr/internal.h"

#include <string.h>
#include <zephyr/net/dns_resolve.h>

#include "port/embedded/ip4.h"
#include "port/lock.h"

#define NAME_MAX_BYTES 255
#define QUESTION_MS 10000 /* the transfer's own deadline is mostly shorter */

enum state {
  IDLE,
  ASKED,
  FOUND,
  FAILED,
  AGAIN_LATER /* no server is known yet, or none answers */
};

static struct place {
  uint16_t id;          /* Zephyr's, of the question */
  uint16_t number;      /* ours, of the question */
  uint8_t state;        /* enum state */
  bool reported;        /* a wait has ended for it */
  uint8_t ip[4];        /* with FOUND; network order */
  char name[NAME_MAX_BYTES + 1];
} places[MOTE_ZEPHYR_LOOKUPS];

static uint16_t numbers; /* of questions so far */
static uint8_t oldest;   /* the place that is taken next */
static struct mote_mutex guard;

enum mote_zephyr_lookup mote_zephyr_lookups(void)
{
  enum mote_zephyr_lookup found = MOTE_ZEPHYR_NO_LOOKUP;
  struct place *p;
  mote_port_lock(&guard);
  for(p = places; p < places + MOTE_ZEPHYR_LOOKUPS; p++) {
    if(p->state == ASKED && !found)
      found = MOTE_ZEPHYR_LOOKING;
    if(p->state > ASKED && !p->reported) {
      p->reported = true;
      found = MOTE_ZEPHYR_ENDED;
    }
  }
  mote_port_unlock(&guard);
  return found;
}

static void zephyr_names_answer(struct place *p, enum dns_resolve_status status,
                                const struct dns_addrinfo *info)
{
  if(status == DNS_EAI_INPROGRESS && info && info->ai_family == AF_INET) {
    struct sockaddr_in in;
    memcpy(&in, &info->ai_addr, sizeof in);
    memcpy(p->ip, &in.sin_addr, 4);
    p->state = FOUND; /* the first of the addresses */
  }
  else if(status != DNS_EAI_INPROGRESS)
    p->state = status == DNS_EAI_CANCELED ? AGAIN_LATER : FAILED;
}

/* arg: the number of the question. DNS_EAI_CANCELED also says that the time is over. */
static void zephyr_names_on_answer(enum dns_resolve_status status, struct dns_addrinfo *info, void *arg)
{
  struct place *p;
  mote_port_lock(&guard);
  for(p = places; p < places + MOTE_ZEPHYR_LOOKUPS; p++)
    if(p->state == ASKED && p->number == (uint16_t)(uintptr_t)arg)
      zephyr_names_answer(p, status, info);
  mote_port_unlock(&guard);
}

static struct place *zephyr_names_find(const char *name)
{
  struct place *p;
  for(p = places; p < places + MOTE_ZEPHYR_LOOKUPS; p++)
    if(p->state != IDLE && !strcmp(p->name, name))
      return p;
  return NULL;
}

/* What has become of the place's lookup; an answer is taken out. */
static int zephyr_names_take(struct place *p, uint8_t *ip)
{
  enum state state = p->state;
  if(state == ASKED)
    return MOTE_PORT_AGAIN;
  memcpy(ip, p->ip, sizeof p->ip);
  p->state = IDLE;
  return state == FOUND ? 0 : state == FAILED ? MOTE_PORT_NO_NAME : EAGAIN;
}

/* The place of a new question. *cancel: the identity of the one that loses it. */
static struct place *zephyr_names_new_place(const char *name, bool *cancel, uint16_t *id)
{
  struct place *p = &places[oldest];
  *cancel = p->state == ASKED;
  *id = p->id;
  p->state = ASKED;
  p->reported = false;
  p->number = ++numbers;
  strcpy(p->name, name); /* fits: the caller has seen to it */
  oldest = (uint8_t)((oldest + 1) % MOTE_ZEPHYR_LOOKUPS);
  return p;
}

/* Asks without the mutex: Zephyr may call zephyr_names_on_answer() from inside of the call. */
static int zephyr_names_ask(struct place *p, const char *name, uint16_t number, uint8_t *ip)
{
  uint16_t id = 0;
  void *arg = (void *)(uintptr_t)number;
  int error = dns_get_addr_info(p->name, DNS_QUERY_TYPE_A, &id, zephyr_names_on_answer, arg, QUESTION_MS);
  int found = MOTE_PORT_AGAIN;
  mote_port_lock(&guard);
  if(p->number == number && !strcmp(p->name, name)) {
    p->id = id;
    if(error && p->state == ASKED)
      p->state = error == -EAGAIN || error == -ENOENT ? AGAIN_LATER : FAILED;
    if(p->state != IDLE)
      found = zephyr_names_take(p, ip);
  }
  mote_port_unlock(&guard);
  return found;
}

int mote_embedded_lookup(const char *name, void *ip)
{
  struct place *p, *asked = NULL;
  uint16_t id = 0, number = 0;
  bool cancel = false;
  int error = MOTE_PORT_AGAIN;
  if(strlen(name) > NAME_MAX_BYTES)
    return MOTE_PORT_NO_NAME;
  mote_port_lock(&guard);
  p = zephyr_names_find(name);
  if(p)
    error = zephyr_names_take(p, ip);
  else {
    asked = zephyr_names_new_place(name, &cancel, &id);
    number = asked->number;
  }
  mote_port_unlock(&guard);
  if(cancel)
    (void)dns_cancel_addr_info(id);
  return asked ? zephyr_names_ask(asked, name, number, ip) : error;
}
