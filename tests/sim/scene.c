/* scene.c: draws the weather, the hosts, the plans and the way of driving of one world, and runs it.
 *
 * An ordinary draw, 0, is the simplest thing that can be: one small GET from one host in good weather. Most
 * worlds have few kinds of trouble, so that a code without a reason is noticed. */
#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "drive.h"
#include "http1_server.h"
#include "memory.h"
#include "plan.h"
#include "port/port.h"
#include "port/sim/sim.h"
#include "proxy_server.h"
#include "sharing.h"
#include "transfer.h"

struct plan plans[PLANS];

/* ---- weather ---- */

/* One kind of trouble: a field of the weather, and what it may be. */
static const struct trouble {
  const char *what;
  size_t field;
  unsigned values[3];
} troubles[] = {
#define TROUBLE(field, ...) { "weather: " #field, offsetof(struct mote_sim_weather, field), { __VA_ARGS__ } }
  TROUBLE(latency_us, 20000, 500, 400000),
  TROUBLE(piece, 1400, 100, 7),
  TROUBLE(window, 4096, 300, 65536),
  TROUBLE(at_once, 500, 999, 100),
  TROUBLE(short_read, 300, 900, 20),
  TROUBLE(short_write, 300, 900, 20),
  TROUBLE(reset, 300, 50, 900),
  TROUBLE(refuse, 300, 50, 900),
  TROUBLE(silent, 300, 50, 900),
  TROUBLE(unreachable, 300, 50, 900),
  TROUBLE(name_us, 50000, 3000000, 90000000),
  TROUBLE(no_name, 300, 50, 900),
  TROUBLE(no_thread, 300, 50, 900),
  TROUBLE(descriptors, 3, 1, 6),
  TROUBLE(new_numbers, 1, 1, 1),
  TROUBLE(no_random, 300, 50, 900),
  TROUBLE(no_option, 300, 50, 900),
  TROUBLE(interrupted, 300, 50, 900),
#undef TROUBLE
};
#define TROUBLES (sizeof troubles / sizeof *troubles)

static void draw_weather(void)
{
  struct mote_sim_weather *weather = mote_sim_weather();
  unsigned count = mote_sim_draw("how many kinds of trouble", 5);
  while(count--) {
    const struct trouble *t = &troubles[mote_sim_draw("a kind of trouble", TROUBLES)];
    unsigned value = t->values[mote_sim_draw(t->what, 3)];
    memcpy((char *)weather + t->field, &value, sizeof value);
  }
  if(weather->reset) {
    static const unsigned within[] = { 1000, 100, 20000, 200000 };
    weather->reset_within = within[mote_sim_draw("weather: reset_within", 4)];
  }
}

/* ---- hosts ---- */

const char *const host_names[HOSTS] = { "one.sim", "two.sim", "three.sim" };

/* An address has a server, or refuses connects. At least the last one of a host has a server. */
static void draw_host(unsigned host)
{
  static const unsigned numbers[HOSTS] = { 0, 1, 2 };
  struct mote_addr found[MOTE_SIM_ADDRESSES];
  unsigned i, count = 1 + mote_sim_draw("more addresses of a host", 4);
  memset(found, 0, sizeof found);
  for(i = 0; i < count; i++) {
    bool six = mote_sim_draw("an address is IPv6", 2) != 0;
    found[i].family = six ? MOTE_FAMILY_IP6 : MOTE_FAMILY_IP4;
    found[i].ip[0] = six ? 0xfd : 10;
    found[i].ip[six ? 15 : 2] = (uint8_t)(host + 1);
    found[i].ip[six ? 14 : 3] = (uint8_t)(i + 1);
    found[i].port = 80;
    if(i + 1 == count || !mote_sim_draw("an address without a server", 3))
      mote_sim_listen(&found[i], &http1_server, (void *)(uintptr_t)&numbers[host]);
    found[i].port = 0;
  }
  mote_sim_name(host_names[host], found, count);
}

static void draw_proxy(void)
{
  static const struct mote_addr proxy = { .family = MOTE_FAMILY_IP4, .port = 3128, .ip = { 10, 0, 9, 1 } };
  mote_sim_listen(&proxy, &proxy_server, NULL);
  mote_sim_name(PROXY_NAME, &proxy, 1);
  proxy_begin(mote_sim_draw("proxies are wrong", 4) == 3 ? 200 : 0);
}

/* ---- plans ---- */

static size_t draw_size(const char *what)
{
  static const uint32_t bounds[] = { 100, 1, 3000, 20000, 200000 };
  return mote_sim_draw(what, bounds[mote_sim_draw("how large", 5)]);
}

static void draw_answer(struct plan *p)
{
  static const int statuses[] = { 200, 404, 204, 304, 500 };
  p->status = mote_sim_draw("a status other than 200", 4) == 3 ? statuses[mote_sim_draw("status", 5)] : 200;
  p->framing = (enum framing)mote_sim_draw("framing", 3);
  p->length = draw_size("length of a body");
  p->old = p->framing != FRAMING_CHUNKS && mote_sim_draw("HTTP/1.0", 8) == 7;
  p->closes = p->framing == FRAMING_END || p->old || mote_sim_draw("the server closes", 4) == 3;
  p->expect = (enum expect)mote_sim_draw("answer to Expect", EXPECTS);
  p->early = p->method >= METHOD_PUT && mote_sim_draw("the answer comes early", 5) == 4;
  p->interims = mote_sim_draw("answers 103", 8) == 7 ? 2 : 0;
  if(p->method < METHOD_PUT && mote_sim_draw("redirects", 6) == 5)
    p->redirects = 1 + mote_sim_draw("more redirects", 3);
  p->crosses = p->redirects && mote_sim_draw("redirects go to other hosts", 2);
  if(mote_sim_draw("the server thinks", 4) == 3)
    p->thinks_us = mote_sim_draw("microseconds of thinking", 3000000);
}

static void draw_wrong(struct plan *p)
{
  if(mote_sim_draw("the server is wrong", 6) < 5)
    return;
  p->wrong = (enum wrong)mote_sim_draw("what is wrong", WRONG_KINDS);
  p->wrong_at = mote_sim_draw("where it is wrong", (uint32_t)p->length + 60);
  if(p->wrong == WRONG_CHUNK && p->framing != FRAMING_CHUNKS)
    p->wrong = WRONG_CUT;
}

static void draw_plan(struct plan *p)
{
  memset(p, 0, sizeof *p);
  p->host = mote_sim_draw("host", HOSTS);
  p->method = (enum method)mote_sim_draw("method", 4);
  if(mote_sim_draw("a login", 3) == 2)
    p->login = (enum login)mote_sim_draw("kind of login", LOGINS);
  if(mote_sim_draw("a proxy", 4) == 3) {
    p->proxy = (enum proxy_kind)mote_sim_draw("kind of proxy", PROXIES);
    p->proxy_login = mote_sim_draw("a login at the proxy", 2) != 0;
  }
  p->cookies = mote_sim_draw("cookies", 4) == 3;
  if(p->method >= METHOD_PUT)
    p->upload = draw_size("length of an upload");
  draw_answer(p);
  draw_wrong(p);
}

/* A limit under which a body takes ten seconds at most: each second more is twenty turns that show nothing
 * new. */
static long not_for_ever(unsigned speed, size_t bytes)
{
  return speed && bytes / speed > 10 ? (long)bytes / 10 : (long)speed;
}

/* What changes how a transfer goes, and not what comes of it. */
static void draw_ways(struct transfer *t)
{
  struct plan *p = &plans[t->number];
  static const unsigned buffers[] = { 0, 0, 1024, 3000, 100000, 500000 };
  static const unsigned speeds[] = { 0, 0, 0, 0, 0, 0, 1000000, 50000, 1000, 17 };
  t->buffer = (long)buffers[mote_sim_draw("CURLOPT_BUFFERSIZE", 6)];
  t->speed_down = not_for_ever(speeds[mote_sim_draw("CURLOPT_MAX_RECV_SPEED_LARGE", 10)], p->length);
  t->speed_up = not_for_ever(speeds[mote_sim_draw("CURLOPT_MAX_SEND_SPEED_LARGE", 10)], p->upload);
  /* else the client would give up its wait within the head of a 417 */
  if(t->speed_down && p->expect == EXPECT_REFUSED)
    p->expect = EXPECT_SILENT;
  t->removes = mote_sim_draw("it may be removed", 12) == 11 ? 100 : 0;
  t->begins_again = mote_sim_draw("it begins again then", 2) != 0;
}

static void draw_transfer(struct transfer *t, unsigned number, unsigned pause, CURLSH *share)
{
  static const unsigned timeouts[] = { 60000, 3000, 300, 600000 };
  memset(t, 0, sizeof *t);
  t->number = number;
  t->pause = pause;
  t->timeout_ms = (long)(timeouts[mote_sim_draw("timeout", 4)] + mote_sim_draw("more milliseconds", 300));
  if(mote_sim_draw("a timeout of connects", 4) == 3)
    t->connect_ms = 50 + (long)mote_sim_draw("its milliseconds", 5000);
  t->fresh = mote_sim_draw("CURLOPT_FRESH_CONNECT", 8) == 7;
  t->forbids = mote_sim_draw("CURLOPT_FORBID_REUSE", 8) == 7;
  draw_ways(t);
  t->share = share;
  t->odd = mote_sim_draw("odd calls in callbacks", 12) == 11 ? 100 : 0;
  t->duplicated = mote_sim_draw("a duplicate of the handle", 8) == 7;
  t->aborts_at = SIZE_MAX;
  if(mote_sim_draw("the write callback gives up", 20) == 19)
    t->aborts_at = mote_sim_draw("where it gives up", 3000);
  snprintf(t->url, sizeof t->url, "http://%s/%u/0", host_names[plans[number].host], number);
}

/* ---- a world ---- */

static uint64_t trace_of(const struct transfer *all, unsigned count)
{
  uint64_t trace = UINT64_C(0xcbf29ce484222325);
  unsigned i;
  for(i = 0; i < count; i++) {
    const uint64_t facts[] = { all[i].ended, all[i].code, all[i].delivered, plans[i].requests,
                               plans[i].sent };
    size_t f;
    for(f = 0; f < sizeof facts / sizeof *facts; f++)
      trace = (trace ^ facts[f]) * UINT64_C(0x100000001b3);
  }
  return (trace ^ (uint64_t)mote_port_now()) * UINT64_C(0x100000001b3);
}

static void look_at_rest(void)
{
  if(mote_sim_end())
    mote_sim_broken("descriptors are left open");
  if(memory_held())
    mote_sim_broken("the accounts hold memory after all handles are gone");
}

void scene_run(struct scene *out)
{
  struct transfer all[PLANS];
  mote_time began = mote_port_now();
  enum way way = (enum way)mote_sim_draw("way of driving", WAYS);
  unsigned count = 1 + mote_sim_draw("more transfers", 12);
  unsigned pause = mote_sim_draw("pauses", 8) == 7 ? 200 : 0;
  CURLSH *share;
  unsigned i;
  memory_begin(0);
  share = sharing_begin();
  memset(plans, 0, sizeof plans);
  draw_weather();
  for(i = 0; i < HOSTS; i++)
    draw_host(i);
  draw_proxy();
  for(i = 0; i < count; i++) {
    draw_plan(&plans[i]);
    draw_transfer(&all[i], i, pause, share);
  }
  memory_begin(mote_sim_draw("memory runs out", 16) == 15 ? 1 + mote_sim_draw("chance of that", 30) : 0);
  drive(way, all, count);
  sharing_end(share);
  memset(out, 0, sizeof *out);
  for(i = 0; i < count; i++) {
    out->transfers += all[i].ended;
    out->good += all[i].ended && !all[i].code;
  }
  out->simulated = mote_port_now() - began;
  out->trace = trace_of(all, count);
  look_at_rest();
}
