/* callbacks.c: the application's side of a transfer: what comes, what goes, what it is asked. */
#include "system.h"
#include "triggers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const event_names[EV_COUNT] = {
  "write", "header", "read", "seek", "xferinfo", "debug", "sockopt", "opensocket", "closesocket", "prereq",
  "resolve", "trailer", "sslctx", "hstsread", "hstswrite", "chunkbgn", "chunkend", "fnmatch",
  "sshkey", "hostkey"
};

int event_by_name(const char *name)
{
  for(int i = 0; i < EV_COUNT; i++)
    if(!strcmp(event_names[i], name))
      return i;
  return -1;
}

unsigned long crc_update(unsigned long crc, const unsigned char *p, size_t n)
{
  static unsigned table[256];
  unsigned c = (unsigned)crc ^ 0xffffffffu;
  if(!table[1])
    for(unsigned i = 0; i < 256; i++) {
      unsigned v = i;
      for(int k = 0; k < 8; k++)
        v = v & 1 ? 0xedb88320u ^ (v >> 1) : v >> 1;
      table[i] = v;
    }
  while(n--)
    c = table[(c ^ *p++) & 255] ^ (c >> 8);
  return c ^ 0xffffffffu;
}

static void held_set(struct handle *h, const char *p, size_t n)
{
  free(h->held);
  h->held = malloc(n ? n : 1);
  memcpy(h->held, p, n);
  h->held_len = n;
}

static void held_check(struct handle *h, const char *p, size_t n)
{
  size_t both = n < h->held_len ? n : h->held_len;
  if(memcmp(h->held, p, both))
    violation("the paused chunk came again with other bytes", h->name, (long long)both);
  free(h->held);
  h->held = NULL;
}

static size_t on_write(char *p, size_t size, size_t nmemb, void *arg)
{
  struct handle *h = arg;
  size_t n = size * nmemb, room;
  if(n > CURL_MAX_WRITE_SIZE)
    violation("write callback got more than CURL_MAX_WRITE_SIZE", h->name, (long long)n);
  if(h->paused_write)
    violation("write callback while paused", h->name, (long long)n);
  if(h->held)
    held_check(h, p, n);
  if(h->ws_meta)
    ws_log_meta(h, n);
  struct outcome o = triggers_run(h, EV_WRITE, n);
  if(o.pause) {
    held_set(h, p, n);
    h->paused_write = 1;
    log_code("paused", h->name, "write", (long long)h->bytes[EV_WRITE]);
    return CURL_WRITEFUNC_PAUSE;
  }
  if(o.decided)
    return (size_t)o.ret;
  room = h->bytes[EV_WRITE] < BODY_SHOWN ? BODY_SHOWN - (size_t)h->bytes[EV_WRITE] : 0;
  if(!h->body)
    h->body = malloc(BODY_SHOWN);
  memcpy(h->body + BODY_SHOWN - room, p, n < room ? n : room);
  h->body_crc = crc_update(h->body_crc, (const unsigned char *)p, n);
  h->bytes[EV_WRITE] += n;
  if(o.scribble)
    memset(p, '#', n);
  return n;
}

/* CURLOPT_HEADERFUNCTION(3) promises no NUL after a line, but libcurl's lines of HTTP have one, and programs
 * such as GStreamer's curlhttpsrc read them as texts. */
static int is_http(struct handle *h)
{
  char *scheme = NULL;
  return !curl_easy_getinfo(h->easy, CURLINFO_SCHEME, &scheme) && scheme && !strncasecmp(scheme, "http", 4);
}

static size_t on_header(char *p, size_t size, size_t nmemb, void *arg)
{
  struct handle *h = arg;
  size_t n = size * nmemb;
  if(n > 100 * 1024)
    violation("header line longer than CURL_MAX_HTTP_HEADER", h->name, (long long)n);
  if(n && p[n] && is_http(h))
    violation("header line without a NUL after it", h->name, (long long)n);
  if(h->paused_write)
    violation("header callback while paused", h->name, (long long)n);
  struct outcome o = triggers_run(h, EV_HEADER, n);
  if(o.pause) {
    h->paused_write = 1;
    log_code("paused", h->name, "header", (long long)h->calls[EV_HEADER]);
    return CURL_WRITEFUNC_PAUSE;
  }
  if(!h->quiet) {
    log_begin("header");
    log_text(h->name);
    log_bytes(p, n);
    log_end();
  }
  if(o.decided)
    return (size_t)o.ret;
  h->bytes[EV_HEADER] += n;
  if(o.scribble)
    memset(p, '#', n);
  return n;
}

static size_t on_read(char *p, size_t size, size_t nmemb, void *arg)
{
  struct handle *h = arg;
  struct source *s = &h->source;
  unsigned long long n = s->len - s->pos;
  if(n > size * nmemb)
    n = size * nmemb;
  if(s->chunk && n > s->chunk)
    n = s->chunk;
  if(h->paused_read)
    violation("read callback while paused", h->name, 0);
  struct outcome o = triggers_run(h, EV_READ, n);
  if(o.pause) {
    h->paused_read = 1;
    log_code("paused", h->name, "read", (long long)s->pos);
    return CURL_READFUNC_PAUSE;
  }
  if(o.decided)
    return (size_t)o.ret;
  if(s->bytes)
    memcpy(p, s->bytes + s->pos, n);
  else
    for(unsigned long long i = 0; i < n; i++)
      p[i] = (char)((s->pos + i) % 251);
  s->pos += n;
  h->bytes[EV_READ] += n;
  return (size_t)n;
}

static int on_seek(void *arg, curl_off_t offset, int origin)
{
  struct handle *h = arg;
  log_begin("seek");
  log_text(h->name);
  log_num(origin);
  log_num(offset);
  log_end();
  struct outcome o = triggers_run(h, EV_SEEK, 0);
  if(o.decided)
    return (int)o.ret;
  if(origin != SEEK_SET || offset < 0 || (unsigned long long)offset > h->source.len)
    return CURL_SEEKFUNC_FAIL;
  h->source.pos = (unsigned long long)offset;
  return CURL_SEEKFUNC_OK;
}

static int on_xferinfo(void *arg, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal, curl_off_t ulnow)
{
  struct handle *h = arg;
  h->dltotal = dltotal;
  h->dlnow = dlnow;
  h->ultotal = ultotal;
  h->ulnow = ulnow;
  struct outcome o = triggers_run(h, EV_XFERINFO, 0);
  return o.decided ? (int)o.ret : 0;
}

static int on_debug(CURL *easy, curl_infotype type, char *p, size_t n, void *arg)
{
  struct handle *h = arg;
  if(easy != h->easy)
    violation("debug callback with another handle", h->name, type);
  if((int)type >= 0 && (int)type < 8)
    h->debug_bytes[type] += n;
  if(h->debug_print) {
    log_begin("debug");
    log_text(h->name);
    log_num(type);
    log_bytes(p, n);
    log_end();
  }
  if(share_locks_held())
    log_code("locked", h->name, "debug", share_locks_held());
  struct outcome o = triggers_run(h, EV_DEBUG, n);
  return o.decided ? (int)o.ret : 0;
}

static int on_sockopt(void *arg, curl_socket_t fd, curlsocktype purpose)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_SOCKOPT, 0);
  if(fd == CURL_SOCKET_BAD)
    violation("sockopt callback without a socket", h->name, 0);
  log_code("sockopt", h->name, "", purpose);
  return o.decided ? (int)o.ret : CURL_SOCKOPT_OK;
}

static curl_socket_t on_opensocket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
  struct handle *h = arg;
  char text[128] = "";
  struct outcome o = triggers_run(h, EV_OPENSOCKET, 0);
  if(a->family == AF_INET)
    inet_ntop(AF_INET, &((struct sockaddr_in *)(void *)&a->addr)->sin_addr, text, sizeof text);
  else if(a->family == AF_INET6)
    inet_ntop(AF_INET6, &((struct sockaddr_in6 *)(void *)&a->addr)->sin6_addr, text, sizeof text);
  log_begin("opensocket");
  log_text(h->name);
  log_num(purpose);
  log_num(a->family);
  log_num(a->socktype & 15);
  log_text(text);
  log_end();
  return o.decided ? (curl_socket_t)o.ret : socket(a->family, a->socktype, a->protocol);
}

static int on_closesocket(void *arg, curl_socket_t fd)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_CLOSESOCKET, 0);
  int rc = o.keep ? 0 : socket_close(fd);
  log_code("closesocket", h->name, "", rc);
  return rc;
}

static int on_prereq(void *arg, char *ip, char *local, int port, int local_port)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_PREREQ, 0);
  log_begin("prereq");
  log_text(h->name);
  log_text(ip ? ip : "NULL");
  log_text(local ? local : "NULL");
  log_num(port);
  log_num(local_port);
  log_end();
  return o.decided ? (int)o.ret : CURL_PREREQFUNC_OK;
}

static int on_resolve(void *state, void *reserved, void *arg)
{
  struct handle *h = arg;
  (void)state;
  (void)reserved;
  struct outcome o = triggers_run(h, EV_RESOLVE, 0);
  return o.decided ? (int)o.ret : 0;
}

static int on_trailer(struct curl_slist **list, void *arg)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_TRAILER, 0);
  *list = NULL;
  for(struct curl_slist *i = h->trailers; i; i = i->next) {
    struct curl_slist *longer = curl_slist_append(*list, i->data);
    if(!longer) {
      log_code("notrailers", h->name, "", CURLE_OUT_OF_MEMORY);
      curl_slist_free_all(*list);
      *list = NULL;
      return CURL_TRAILERFUNC_ABORT;
    }
    *list = longer;
  }
  return o.decided ? (int)o.ret : CURL_TRAILERFUNC_OK;
}

static CURLcode on_sslctx(CURL *easy, void *ctx, void *arg)
{
  struct handle *h = arg;
  (void)easy;
  struct outcome o = triggers_run(h, EV_SSLCTX, 0);
  if(h->verify_later && ctx)
    verify_later(h, ctx, h->verify_later);
  if(!ctx)
    violation("SSL_CTX_FUNCTION without a context", h->name, 0);
  return o.decided ? (CURLcode)o.ret : CURLE_OK;
}

/* Every host once in each transfer. */
static CURLSTScode on_hstsread(CURL *easy, struct curl_hstsentry *e, void *arg)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_HSTSREAD, 0);
  const char *text, *stamp;
  size_t skip;
  (void)easy;
  if(o.decided)
    return (CURLSTScode)o.ret;
  if(!h->next_host) {
    h->next_host = h->hosts;
    return CURLSTS_DONE;
  }
  text = h->next_host->data;
  skip = *text == '.' || *text == '~';
  stamp = strchr(text, ' ');
  h->next_host = h->next_host->next;
  if(!stamp || (size_t)(stamp - text) - skip > e->namelen)
    return CURLSTS_FAIL;
  memcpy(e->name, text + skip, (size_t)(stamp - text) - skip);
  e->name[(size_t)(stamp - text) - skip] = 0;
  e->includeSubDomains = *text == '.';
  strncpy(e->expire, stamp + 1, sizeof e->expire - 1);
  return CURLSTS_OK;
}

static CURLSTScode on_hstswrite(CURL *easy, struct curl_hstsentry *e, struct curl_index *i, void *arg)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_HSTSWRITE, 0);
  (void)easy;
  if(strlen(e->name) != e->namelen)
    violation("an HSTS host of another length", h->name, (long long)e->namelen);
  log_begin("hstswrite");
  log_text(h->name);
  log_text(e->name);
  log_num(e->includeSubDomains);
  log_text(e->expire);
  log_num((long long)i->index);
  log_num((long long)i->total);
  log_end();
  return o.decided ? (CURLSTScode)o.ret : CURLSTS_OK;
}

CURLcode callbacks_install(struct handle *h)
{
  CURL *e = h->easy;
  CURLcode rc = curl_easy_setopt(e, CURLOPT_ERRORBUFFER, h->error);
  if(!rc)
    rc = curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_write);
  if(!rc)
    rc = curl_easy_setopt(e, CURLOPT_WRITEDATA, h);
  if(!rc)
    rc = curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
  if(!rc)
    rc = curl_easy_setopt(e, CURLOPT_HEADERDATA, h);
  if(!rc)
    rc = curl_easy_setopt(e, CURLOPT_READFUNCTION, on_read);
  if(!rc)
    rc = curl_easy_setopt(e, CURLOPT_READDATA, h);
  if(!rc)
    rc = curl_easy_setopt(e, CURLOPT_PRIVATE, h);
  if(rc) {
    h->spoilt = 1;
    log_code("setopt", h->name, "callbacks", rc);
  }
  return rc;
}

#define INSTALL(name, fn) \
  (rc = curl_easy_setopt(e, CURLOPT_##name##FUNCTION, fn), \
   rc = rc ? rc : curl_easy_setopt(e, CURLOPT_##name##DATA, h))

static CURLcode enable_sockets(struct handle *h, int event)
{
  CURL *e = h->easy;
  CURLcode rc;
  switch(event) {
  case EV_SOCKOPT:
    return INSTALL(SOCKOPT, on_sockopt);
  case EV_OPENSOCKET:
    return INSTALL(OPENSOCKET, on_opensocket);
  case EV_CLOSESOCKET:
    return INSTALL(CLOSESOCKET, on_closesocket);
  case EV_PREREQ:
    return INSTALL(PREREQ, on_prereq);
  default:
    return CURLE_UNKNOWN_OPTION;
  }
}

static CURLcode enable_event(struct handle *h, int event)
{
  CURL *e = h->easy;
  CURLcode rc;
  switch(event) {
  case EV_SEEK:
    return INSTALL(SEEK, on_seek);
  case EV_XFERINFO:
    rc = curl_easy_setopt(e, CURLOPT_XFERINFODATA, h); /* first: no callback without it */
    rc = rc ? rc : curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, on_xferinfo);
    return rc ? rc : curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
  case EV_DEBUG:
    (void)INSTALL(DEBUG, on_debug);
    return rc ? rc : curl_easy_setopt(e, CURLOPT_VERBOSE, 1L);
  case EV_RESOLVE:
    rc = curl_easy_setopt(e, CURLOPT_RESOLVER_START_FUNCTION, on_resolve);
    return rc ? rc : curl_easy_setopt(e, CURLOPT_RESOLVER_START_DATA, h);
  case EV_TRAILER:
    return INSTALL(TRAILER, on_trailer);
  case EV_HSTSREAD:
    h->next_host = h->hosts;
    return INSTALL(HSTSREAD, on_hstsread);
  case EV_HSTSWRITE:
    return INSTALL(HSTSWRITE, on_hstswrite);
  case EV_SSLCTX:
    rc = curl_easy_setopt(e, CURLOPT_SSL_CTX_FUNCTION, on_sslctx);
    return rc ? rc : curl_easy_setopt(e, CURLOPT_SSL_CTX_DATA, h);
  case EV_CHUNKBGN:
  case EV_CHUNKEND:
  case EV_FNMATCH:
    return chunks_enable(h, (enum event)event);
  case EV_SSHKEY:
  case EV_HOSTKEY:
    return host_keys_enable(h, (enum event)event);
  default:
    return enable_sockets(h, event);
  }
}

int callbacks_enable(struct handle *h, const char *kind)
{
  CURLcode rc = enable_event(h, event_by_name(kind));
  if(rc == CURLE_UNKNOWN_OPTION)
    return 0;
  if(rc) {
    h->spoilt = 1;
    log_code("setopt", h->name, kind, rc);
  }
  return 1;
}

void transfer_begin(struct handle *h)
{
  memset(h->calls, 0, sizeof h->calls);
  memset(h->bytes, 0, sizeof h->bytes);
  memset(h->debug_bytes, 0, sizeof h->debug_bytes);
  h->body_crc = 0;
  h->error[0] = 0;
  h->source.pos = 0;
  h->done = h->paused_read = h->paused_write = 0;
  h->dltotal = h->dlnow = h->ultotal = h->ulnow = 0;
  free(h->held);
  h->held = NULL;
}

/* body NAME bytes crc data; count NAME event calls bytes; progress …; result NAME code text */
void transfer_log(struct handle *h, CURLcode code)
{
  h->done = 1;
  h->failed |= code != CURLE_OK;
  log_begin("body");
  log_text(h->name);
  log_num((long long)h->bytes[EV_WRITE]);
  log_num((long long)h->body_crc);
  if(h->body && h->bytes[EV_WRITE] <= BODY_SHOWN)
    log_bytes(h->body, (size_t)h->bytes[EV_WRITE]);
  else
    log_text("");
  log_end();
  for(int i = 0; i < EV_COUNT; i++)
    if(h->calls[i]) {
      log_begin("count");
      log_text(h->name);
      log_text(event_names[i]);
      log_num((long long)h->calls[i]);
      log_num((long long)h->bytes[i]);
      log_end();
    }
  for(int i = 0; i < 8; i++)
    if(h->debug_bytes[i]) {
      log_begin("debugbytes");
      log_text(h->name);
      log_num(i);
      log_num((long long)h->debug_bytes[i]);
      log_end();
    }
  if(h->calls[EV_XFERINFO]) {
    log_begin("progress");
    log_text(h->name);
    log_num(h->dltotal);
    log_num(h->dlnow);
    log_num(h->ultotal);
    log_num(h->ulnow);
    log_end();
  }
  log_begin("result");
  log_text(h->name);
  log_num(code);
  log_text(h->error);
  log_end();
}
