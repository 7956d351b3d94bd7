/* websocket.c: curl_ws_recv(), curl_ws_send(), curl_ws_meta() and curl_ws_start_frame(), inside callbacks and
 * outside. */
#include "driver.h"
#include "system.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#if LIBCURL_VERSION_NUM >= 0x081000

static int wait_for(struct handle *h, short events)
{
  curl_socket_t fd = CURL_SOCKET_BAD;
  struct pollfd p = {0, events, 0};
  if(curl_easy_getinfo(h->easy, CURLINFO_ACTIVESOCKET, &fd) || fd == CURL_SOCKET_BAD)
    return 0;
  p.fd = fd;
  return poll(&p, 1, 20000) > 0;
}

static void log_meta(const struct curl_ws_frame *m)
{
  log_num(m ? m->flags : -1);
  log_num(m ? m->offset : -1);
  log_num(m ? m->bytesleft : -1);
  log_num(m ? (long long)m->len : -1);
}

/* wsrecv H N [now]: one piece, of at most N bytes; waits for it unless "now". */
static void ws_recv(struct handle *h, size_t most, int now)
{
  const struct curl_ws_frame *m = NULL;
  char *room = malloc(most ? most : 1);
  size_t n;
  CURLcode rc;
  do {
    n = 4711;
    rc = curl_ws_recv(h->easy, most ? room : NULL, most, &n, &m);
    if(rc && n)
      violation("curl_ws_recv failed with bytes", h->name, (long long)n);
  } while(rc == CURLE_AGAIN && !now && wait_for(h, POLLIN));
  log_begin("wsrecv");
  log_text(h->name);
  log_num(rc);
  log_meta(rc ? NULL : m);
  log_bytes(room, rc ? 0 : n);
  log_end();
  free(room);
}

/* wsdrain H BYTES N: so many bytes, whatever frames they are in, in pieces of at most N. */
static void ws_drain(struct handle *h, size_t bytes, size_t most)
{
  const struct curl_ws_frame *m;
  unsigned char *room = malloc(most);
  unsigned long crc = 0;
  size_t got = 0, n;
  CURLcode rc = CURLE_OK;
  while(got < bytes && (!rc || (rc == CURLE_AGAIN && wait_for(h, POLLIN)))) {
    rc = curl_ws_recv(h->easy, room, most, &n, &m);
    if(!rc)
      crc = crc_update(crc, room, n);
    got += rc ? 0 : n;
  }
  log_begin("wsdrain");
  log_text(h->name);
  log_num(rc);
  log_num((long long)got);
  log_num((long long)crc);
  log_end();
  free(room);
}

/* wssend H DATA FLAGS [FRAGSIZE]: sends all of it. */
static void ws_send(struct handle *h, const struct field *data, unsigned flags, curl_off_t fragsize)
{
  size_t sent = 0, n;
  int calls = 0;
  CURLcode rc;
  do {
    n = 4711;
    rc = curl_ws_send(h->easy, data->bytes + sent, data->len - sent, &n, fragsize, flags);
    if(rc && rc != CURLE_AGAIN && n)
      violation("curl_ws_send failed with bytes", h->name, (long long)n);
    sent += n;
  } while((rc == CURLE_AGAIN ? wait_for(h, POLLOUT) : !rc && sent < data->len) && ++calls < 100000);
  log_begin("wssend");
  log_text(h->name);
  log_num(rc);
  log_num((long long)sent);
  log_end();
}

/* wsoffer H DATA FLAGS: one call of curl_ws_send(). */
static void ws_offer(struct handle *h, const struct field *data, unsigned flags)
{
  size_t sent = 4711;
  CURLcode rc = curl_ws_send(h->easy, data->bytes, data->len, &sent, 0, flags);
  log_begin("wsoffer");
  log_text(h->name);
  log_num(rc);
  log_num((long long)sent);
  log_end();
}

void ws_act(struct handle *h, const struct trigger *t)
{
  if(!strcmp(t->action, "wssend"))
    ws_send(h, &t->arg[0], (unsigned)atoi(t->arg[1].bytes), t->nargs > 2 ? atoll(t->arg[2].bytes) : 0);
  else
    log_code("incb", h->name, t->action,
             curl_ws_start_frame(h->easy, (unsigned)atoi(t->arg[0].bytes), atoll(t->arg[1].bytes)));
}

void ws_log_meta(struct handle *h, size_t n)
{
  log_begin("wsmeta");
  log_text(h->name);
  log_num((long long)n);
  log_meta(curl_ws_meta(h->easy));
  log_end();
}

int ws_command(struct field *f, int n)
{
  struct handle *h;
  if(n <= 2 || strncmp(f[0].bytes, "ws", 2))
    return 0;
  if(setjmp(given_up))
    return 1;
  h = need(&f[1]);
  if(!strcmp(f[0].bytes, "wsrecv") && n <= 4)
    ws_recv(h, (size_t)atoll(f[2].bytes), n > 3);
  else if(!strcmp(f[0].bytes, "wsdrain") && n == 4)
    ws_drain(h, (size_t)atoll(f[2].bytes), (size_t)atoll(f[3].bytes));
  else if(!strcmp(f[0].bytes, "wssend") && n >= 4 && n <= 5)
    ws_send(h, &f[2], (unsigned)atoi(f[3].bytes), n > 4 ? atoll(f[4].bytes) : 0);
  else if(!strcmp(f[0].bytes, "wsoffer") && n == 4)
    ws_offer(h, &f[2], (unsigned)atoi(f[3].bytes));
  else
    return 0;
  return 1;
}

#else

void ws_act(struct handle *h, const struct trigger *t)
{
  violation("this libcurl has no WebSocket", h->name, t->nargs);
}

void ws_log_meta(struct handle *h, size_t n)
{
  violation("this libcurl has no WebSocket", h->name, (long long)n);
}

int ws_command(struct field *f, int n)
{
  return f && n < 0;
}
#endif
