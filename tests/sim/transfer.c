/* transfer.c: an easy handle for each plan, its callbacks, and what must be true of its end. */
#include "transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "plan.h"
#include "port/port.h"
#include "port/sim/sim.h"
#include "proxy_server.h"
#include "sharing.h"

bool transfer_traces(void)
{
  static int traces = -1;
  if(traces < 0)
    traces = getenv("SIM_TRACE") != NULL;
  return traces;
}

/* ---- callbacks ---- */

static void refused(CURLMcode code)
{
  if(code != CURLM_RECURSIVE_API_CALL)
    mote_sim_broken("a call out of a callback is not refused with CURLM_RECURSIVE_API_CALL");
}

/* Calls of the multi interface are refused in a callback; curl_easy_pause() is not. */
static void call_oddly(struct transfer *t)
{
  int running;
  switch(mote_sim_draw("an odd call", 5)) {
  case 0:
    refused(curl_multi_remove_handle(t->multi, t->easy));
    break;
  case 1:
    refused(curl_multi_perform(t->multi, &running));
    break;
  case 2:
    refused(curl_multi_socket_action(t->multi, CURL_SOCKET_TIMEOUT, 0, &running));
    break;
  case 3:
    refused(curl_multi_cleanup(t->multi));
    break;
  default:
    if(curl_easy_pause(t->easy, CURLPAUSE_RECV))
      mote_sim_broken("curl_easy_pause fails in a callback");
    t->paused = true;
    t->resumes = mote_port_now() + mote_sim_draw("milliseconds of a pause", 300) * MOTE_MS;
    break;
  }
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
  struct transfer *t = arg;
  const struct plan *p = &plans[t->number];
  size_t n = size * count, at;
  sharing_look();
  if(!t->running || t->paused)
    mote_sim_broken("bytes are delivered to a transfer that is over, or paused");
  if(n > CURL_MAX_WRITE_SIZE)
    mote_sim_broken("more bytes than CURL_MAX_WRITE_SIZE are delivered at once");
  if(t->delivered + n > p->sent)
    mote_sim_broken("more bytes are delivered than the server sent");
  if(t->pause && mote_sim_chance("a pause", t->pause)) {
    t->paused = true;
    t->resumes = mote_port_now() + mote_sim_draw("milliseconds of a pause", 300) * MOTE_MS;
    return CURL_WRITEFUNC_PAUSE;
  }
  for(at = 0; at < n; at += PATTERN_RUN) {
    size_t some = n - at < PATTERN_RUN ? n - at : PATTERN_RUN;
    if(memcmp(bytes + at, pattern(t->number, false, t->delivered + at), some))
      mote_sim_broken("other bytes are delivered than the server sent");
  }
  t->delivered += n;
  if(t->multi && mote_sim_chance("the callback calls oddly", t->odd))
    call_oddly(t);
  return t->delivered > t->aborts_at ? 0 : n;
}

static size_t on_read(char *room, size_t size, size_t count, void *arg)
{
  struct transfer *t = arg;
  size_t left = plans[t->number].upload - t->uploaded;
  size_t n = size * count < left ? size * count : left;
  if(!t->running)
    mote_sim_broken("bytes are asked of a transfer that is over");
  if(n > PATTERN_RUN)
    n = PATTERN_RUN;
  memcpy(room, pattern(t->number, true, t->uploaded), n);
  t->uploaded += n;
  return n;
}

static int on_seek(void *arg, curl_off_t offset, int origin)
{
  struct transfer *t = arg;
  if(origin != SEEK_SET || offset < 0 || (size_t)offset > plans[t->number].upload)
    return CURL_SEEKFUNC_FAIL;
  t->uploaded = (size_t)offset;
  return CURL_SEEKFUNC_OK;
}

static size_t on_head(char *line, size_t size, size_t count, void *arg)
{
  const struct transfer *t = arg;
  size_t n = size * count;
  sharing_look();
  if(!t->running)
    mote_sim_broken("a header line for a transfer that is over");
  if(!n || line[n - 1] != '\n')
    mote_sim_broken("a header line without its end");
  return n;
}

/* ---- options ---- */

static bool set_upload(struct transfer *t)
{
  const struct plan *p = &plans[t->number];
  bool ok = true;
  if(p->method == METHOD_HEAD)
    return !curl_easy_setopt(t->easy, CURLOPT_NOBODY, 1L);
  if(p->method == METHOD_GET)
    return true;
  if(p->method == METHOD_PUT) {
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_UPLOAD, 1L);
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)p->upload);
  }
  else
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_POST, 1L);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_READFUNCTION, on_read);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_READDATA, t);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_SEEKFUNCTION, on_seek);
  return ok && !curl_easy_setopt(t->easy, CURLOPT_SEEKDATA, t);
}

static bool set_limits(const struct transfer *t)
{
  bool ok = !curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS, t->timeout_ms);
  if(t->connect_ms)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, t->connect_ms);
  if(t->fresh)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_FRESH_CONNECT, 1L);
  if(t->forbids)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_FORBID_REUSE, 1L);
  if(t->buffer)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_BUFFERSIZE, t->buffer);
  if(t->speed_down)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_MAX_RECV_SPEED_LARGE, (curl_off_t)t->speed_down);
  if(t->speed_up)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_MAX_SEND_SPEED_LARGE, (curl_off_t)t->speed_up);
  return ok && !curl_easy_setopt(t->easy, CURLOPT_FOLLOWLOCATION, 1L);
}

static bool set_field(struct transfer *t, const char *text)
{
  t->fields = curl_slist_append(NULL, text);
  return t->fields && !curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->fields);
}

static bool set_login(struct transfer *t)
{
  const struct plan *p = &plans[t->number];
  static const char *const before[LOGINS] = {
    [LOGIN_NONE] = "", [LOGIN_BASIC] = "user:", [LOGIN_BEARER] = "", [LOGIN_FIELD] = "Authorization: Own ",
    [LOGIN_ASKED] = "user:",
  };
  char secret[64];
  snprintf(secret, sizeof secret, "%s" MARK "%u", before[p->login], p->host);
  if(p->cookies && curl_easy_setopt(t->easy, CURLOPT_COOKIEFILE, ""))
    return false;
  switch(p->login) {
  case LOGIN_BASIC:
    return !curl_easy_setopt(t->easy, CURLOPT_USERPWD, secret);
  case LOGIN_ASKED:
    return !curl_easy_setopt(t->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_ANY) &&
           !curl_easy_setopt(t->easy, CURLOPT_USERPWD, secret);
  case LOGIN_BEARER:
    return !curl_easy_setopt(t->easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER) &&
           !curl_easy_setopt(t->easy, CURLOPT_XOAUTH2_BEARER, secret);
  case LOGIN_FIELD:
    return set_field(t, secret);
  default:
    return true;
  }
}

static bool set_proxy(struct transfer *t)
{
  static const char *const kinds[PROXIES] = {
    [PROXY_HTTP] = "http", [PROXY_CONNECT] = "http", [PROXY_SOCKS4] = "socks4", [PROXY_SOCKS4A] = "socks4a",
    [PROXY_SOCKS5] = "socks5", [PROXY_SOCKS5_NAME] = "socks5h",
  };
  const struct plan *p = &plans[t->number];
  char url[64];
  bool ok;
  if(!p->proxy)
    return true;
  snprintf(url, sizeof url, "%s://" PROXY_NAME ":3128", kinds[p->proxy]);
  ok = !curl_easy_setopt(t->easy, CURLOPT_PROXY, url);
  if(p->proxy == PROXY_CONNECT)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_HTTPPROXYTUNNEL, 1L);
  if(p->proxy_login)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_PROXYUSERPWD, PROXY_USER ":" PROXY_PASSWORD);
  return ok;
}

static bool set_all(struct transfer *t)
{
  bool ok = !curl_easy_setopt(t->easy, CURLOPT_URL, t->url);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_head);
  ok = ok && !curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
  ok = ok && set_limits(t) && set_upload(t) && set_login(t) && set_proxy(t);
  if(t->share)
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_SHARE, t->share);
  if(getenv("SIM_VERBOSE"))
    ok = ok && !curl_easy_setopt(t->easy, CURLOPT_VERBOSE, 1L);
  return ok;
}

/* The copy takes the handle's place. */
static bool duplicate(struct transfer *t)
{
  CURL *copy = curl_easy_duphandle(t->easy);
  if(!copy)
    return false;
  curl_easy_cleanup(t->easy);
  t->easy = copy;
  return !t->share || !curl_easy_setopt(t->easy, CURLOPT_SHARE, t->share);
}

bool transfer_make(struct transfer *t, struct transfer *before)
{
  if(before && before->easy) {
    t->easy = before->easy;
    before->easy = NULL;
    curl_easy_reset(t->easy);
  }
  else
    t->easy = curl_easy_init();
  if(t->easy && set_all(t) && (!t->duplicated || duplicate(t)))
    return true;
  transfer_free(t);
  return false;
}

void transfer_free(struct transfer *t)
{
  curl_easy_cleanup(t->easy);
  curl_slist_free_all(t->fields);
  t->fields = NULL;
  t->easy = NULL;
}

void transfer_rewind(struct transfer *t)
{
  t->rewound = true;
  t->delivered = 0;
  t->uploaded = 0;
  t->paused = false;
}

void transfer_begins(struct transfer *t)
{
  t->running = true;
  t->started = mote_port_now();
}

/* ---- its end ---- */

/* A code's bit; CURLE_PROXY is the only one above 63 that is met here. */
#define CODE(code) (UINT64_C(1) << ((code) == CURLE_PROXY ? 63 : (code)))

/* The codes that each harm to the world may end a transfer with (libcurl-errors(3)). */
static const struct {
  unsigned harm;
  uint64_t codes;
} harms[] = {
  { MOTE_SIM_REFUSED, CODE(CURLE_COULDNT_CONNECT) },
  { MOTE_SIM_UNREACHABLE, CODE(CURLE_COULDNT_CONNECT) },
  { MOTE_SIM_RESET, CODE(CURLE_RECV_ERROR) | CODE(CURLE_SEND_ERROR) | CODE(CURLE_GOT_NOTHING) |
                      CODE(CURLE_PARTIAL_FILE) | CODE(CURLE_COULDNT_CONNECT) },
  { MOTE_SIM_NO_NAME, CODE(CURLE_COULDNT_RESOLVE_HOST) | CODE(CURLE_OUT_OF_MEMORY) },
  { MOTE_SIM_NO_THREAD, CODE(CURLE_COULDNT_RESOLVE_HOST) | CODE(CURLE_OUT_OF_MEMORY) },
  { MOTE_SIM_NO_DESCRIPTOR, CODE(CURLE_COULDNT_CONNECT) | CODE(CURLE_OUT_OF_MEMORY) },
};

/* The same for each wrong of a server. */
static const uint64_t wrongs[WRONG_KINDS] = {
  [WRONG_CUT] = CODE(CURLE_PARTIAL_FILE),
  [WRONG_RESET] = CODE(CURLE_RECV_ERROR) | CODE(CURLE_PARTIAL_FILE),
  [WRONG_CHUNK] = CODE(CURLE_RECV_ERROR),
  [WRONG_NO_ANSWER] = CODE(CURLE_GOT_NOTHING),
  [WRONG_HEAD_CUT] = CODE(CURLE_GOT_NOTHING) | CODE(CURLE_RECV_ERROR) | CODE(CURLE_PARTIAL_FILE),
  [WRONG_HEAD_TEXT] = CODE(CURLE_UNSUPPORTED_PROTOCOL) | CODE(CURLE_WEIRD_SERVER_REPLY),
  [WRONG_HEAD_FLOOD] = CODE(CURLE_RECV_ERROR),
};

static uint64_t proxy_codes(enum proxy_kind proxy)
{
  unsigned harm = mote_sim_harms();
  uint64_t codes = proxy == PROXY_SOCKS4 ? CODE(CURLE_PROXY) : 0; /* of a host without an IPv4 address */
  if(proxy_wrongs() || (harm & (MOTE_SIM_RESET | MOTE_SIM_NO_NAME)))
    codes |= proxy >= PROXY_SOCKS4 ? CODE(CURLE_PROXY) : 0;
  if(harm & (MOTE_SIM_NO_NAME | MOTE_SIM_NO_THREAD))
    codes |= CODE(CURLE_COULDNT_RESOLVE_PROXY);
  if(proxy_wrongs())
    codes |= CODE(CURLE_RECV_ERROR) | CODE(CURLE_COULDNT_CONNECT) | CODE(CURLE_WEIRD_SERVER_REPLY);
  return codes;
}

static uint64_t allowed_codes(const struct transfer *t)
{
  uint64_t codes = CODE(CURLE_OPERATION_TIMEDOUT) | wrongs[plans[t->number].wrong];
  unsigned harm = mote_sim_harms();
  size_t i;
  for(i = 0; i < sizeof harms / sizeof *harms; i++)
    if(harm & harms[i].harm)
      codes |= harms[i].codes;
  if(plans[t->number].early && (plans[t->number].closes || plans[t->number].wrong))
    codes |= CODE(CURLE_SEND_ERROR) | CODE(CURLE_RECV_ERROR);
  for(i = 0; i < PLANS; i++) /* the next answer on that connection begins with what was too much */
    if(plans[i].wrong == WRONG_EXTRA)
      codes |= CODE(CURLE_UNSUPPORTED_PROTOCOL) | CODE(CURLE_WEIRD_SERVER_REPLY);
  if(plans[t->number].proxy)
    codes |= proxy_codes(plans[t->number].proxy);
  if(memory_refused())
    codes |= CODE(CURLE_OUT_OF_MEMORY);
  if(t->aborts_at != SIZE_MAX)
    codes |= CODE(CURLE_WRITE_ERROR);
  return codes;
}

/* How long the body is that the answer announces as whole; SIZE_MAX: it is never whole. */
static size_t whole_body(const struct plan *p)
{
  bool bodiless = p->method == METHOD_HEAD || p->status == 204 || p->status == 304;
  bool cut = p->wrong == WRONG_CUT || p->wrong == WRONG_RESET || p->wrong == WRONG_STALL ||
             p->wrong == WRONG_CHUNK;
  if(p->wrong >= WRONG_NO_ANSWER)
    return SIZE_MAX;
  if(bodiless)
    return 0;
  if(!cut || p->wrong_at >= p->length)
    return p->length;
  /* Where the connection's end is the body's, a shorter body is whole, too. */
  if(p->framing == FRAMING_END && (p->wrong == WRONG_CUT || p->wrong == WRONG_CHUNK))
    return p->wrong_at;
  return SIZE_MAX;
}

static void look_at_time(const struct transfer *t)
{
  mote_time took = mote_port_now() - t->started;
  long connect_ms = t->connect_ms ? t->connect_ms : 300000; /* CURLOPT_CONNECTTIMEOUT(3) */
  mote_time shortest = (connect_ms < t->timeout_ms ? connect_ms : t->timeout_ms) * MOTE_MS;
  if(took >= t->timeout_ms * MOTE_MS + MOTE_MS)
    mote_sim_broken("a transfer goes on after CURLOPT_TIMEOUT_MS");
  if(t->code == CURLE_OPERATION_TIMEDOUT && took < shortest)
    mote_sim_broken("a transfer is timed out ahead of its deadline");
}

static curl_off_t info_number(const struct transfer *t, CURLINFO info)
{
  curl_off_t number = -1;
  if(curl_easy_getinfo(t->easy, info, &number))
    mote_sim_broken("curl_easy_getinfo fails");
  return number;
}

static long info_long(const struct transfer *t, CURLINFO info)
{
  long number = -1;
  if(curl_easy_getinfo(t->easy, info, &number))
    mote_sim_broken("curl_easy_getinfo fails");
  return number;
}

/* Nothing was sent: names and connects have their own deadline, if none had to wait for another to end. */
static void look_at_connect_time(const struct transfer *t, mote_time took)
{
  long connect_ms = t->connect_ms ? t->connect_ms : 300000;
  if(t->waits_for_others || info_number(t, CURLINFO_PRETRANSFER_TIME_T) || plans[t->number].requests)
    return;
  if(took >= connect_ms * MOTE_MS + MOTE_MS)
    mote_sim_broken("a connect goes on after CURLOPT_CONNECTTIMEOUT_MS");
}

static void look_at_infos(const struct transfer *t)
{
  const struct plan *p = &plans[t->number];
  mote_time took = mote_port_now() - t->started;
  look_at_connect_time(t, took);
  if(took && info_number(t, CURLINFO_TOTAL_TIME_T) != took)
    mote_sim_broken("CURLINFO_TOTAL_TIME_T is not the time that passed");
  if(t->code)
    return;
  if(info_number(t, CURLINFO_SIZE_DOWNLOAD_T) != (curl_off_t)t->delivered)
    mote_sim_broken("CURLINFO_SIZE_DOWNLOAD_T is not what was delivered");
  if(p->method == METHOD_PUT && !p->early && info_number(t, CURLINFO_SIZE_UPLOAD_T) != (curl_off_t)p->upload)
    mote_sim_broken("CURLINFO_SIZE_UPLOAD_T is not what was sent");
  if(info_long(t, CURLINFO_RESPONSE_CODE) != p->status)
    mote_sim_broken("CURLINFO_RESPONSE_CODE is not the answer's");
  /* The newest libcurl counts a request that is made again with a login, too. A handle that begins again may
   * know already what its server asks for. */
  if(!t->rewound && p->expect != EXPECT_REFUSED &&
     info_long(t, CURLINFO_REDIRECT_COUNT) != (long)p->redirects + (p->login == LOGIN_ASKED))
    mote_sim_broken("CURLINFO_REDIRECT_COUNT is not how many there were");
}

void transfer_ends(struct transfer *t, CURLcode code)
{
  const struct plan *p = &plans[t->number];
  size_t whole = whole_body(p);
  if(t->ended || !t->running)
    mote_sim_broken("a transfer ends twice, or without having begun");
  t->running = false;
  t->ended = true;
  t->code = code;
  if(transfer_traces())
    fprintf(stderr, "* transfer %u ends with code %d, %zu bytes of %zu, wrong %d, proxy %d\n", t->number,
            (int)code, t->delivered, p->length, (int)p->wrong, (int)p->proxy);
  look_at_time(t);
  look_at_infos(t);
  if(!code && t->delivered != whole)
    mote_sim_broken("CURLE_OK, and the body is not whole");
  if(!code && p->method >= METHOD_PUT && !p->early && p->received != p->upload)
    mote_sim_broken("CURLE_OK, and the upload is not whole");
  if(code && ((code >= 63 && code != CURLE_PROXY) || !(allowed_codes(t) & CODE(code)))) {
    static char rule[80];
    snprintf(rule, sizeof rule, "code %d, for which there is no reason", (int)code);
    mote_sim_broken(rule);
  }
}
