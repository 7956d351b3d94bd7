/* extra.c: the rarer commands: CONNECT_ONLY, sessions, threads, fork, wake-ups, faults, wrong calls. */
#define _GNU_SOURCE
#include "driver.h"
#include "system.h"
#include "torture.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

static int wait_fd(struct handle *h, short events)
{
  curl_socket_t fd = CURL_SOCKET_BAD;
  struct pollfd p;
  curl_easy_getinfo(h->easy, CURLINFO_ACTIVESOCKET, &fd);
  p.fd = fd;
  p.events = events;
  return poll(&p, 1, 5000);
}

/* send NAME DATA: everything, waiting when the socket is full */
static void cmd_send(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  size_t done = 0;
  CURLcode rc = CURLE_OK;
  (void)n;
  while(done < f[2].len) {
    size_t sent = 0;
    rc = curl_easy_send(h->easy, f[2].bytes + done, f[2].len - done, &sent);
    done += rc ? 0 : sent;
    if(rc == CURLE_AGAIN && wait_fd(h, POLLOUT) > 0)
      continue;
    if(rc)
      break;
  }
  log_code("sent", h->name, "", done ? (long long)done : -(long long)rc);
}

/* recv NAME N: N bytes or until the other side closes; with N 0 one attempt without waiting */
static void cmd_recv(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  size_t want = strtoul(f[2].bytes, NULL, 0), have = 0;
  char *buf = malloc(want + 1);
  CURLcode rc = CURLE_OK;
  (void)n;
  do {
    size_t got = 0;
    rc = curl_easy_recv(h->easy, buf + have, want ? want - have : 1, &got);
    if(rc == CURLE_AGAIN && want && wait_fd(h, POLLIN) > 0)
      continue;
    if(rc || !got)
      break;
    have += got;
  } while(have < want);
  log_begin("received");
  log_text(h->name);
  log_num(rc);
  log_bytes(buf, have);
  log_end();
  free(buf);
}

static struct handle *import_into;
static size_t import_spoilt; /* bytes at the end of each session that are overwritten */

static CURLcode on_session(CURL *easy, void *arg, const char *key, const unsigned char *mac, size_t mac_len,
                           const unsigned char *data, size_t len, curl_off_t until, int tls, const char *alpn,
                           size_t early)
{
  typedef CURLcode import_fn(CURL *, const char *, const unsigned char *, size_t, const unsigned char *,
                             size_t);
  import_fn *import = NULL;
  (void)easy, (void)until, (void)early, (void)alpn, (void)mac, (void)mac_len;
  find_function("curl_easy_ssls_import", &import);
  if(import_spoilt && import_spoilt <= len)
    memset((char *)(uintptr_t)data + len - import_spoilt, 0xff, import_spoilt);
  log_begin("session");
  log_text(arg);
  log_text(key ? "key" : "nokey");
  log_num((long long)len);
  log_num(tls);
  log_num(import_into ? import(import_into->easy, key, mac, mac_len, data, len) : (CURLcode)0);
  log_end();
  return CURLE_OK;
}

/* ssls FROM TO [SPOILT]: every session of one handle into another */
static void cmd_ssls(struct field *f, int n)
{
  typedef CURLcode export_cb(CURL *, void *, const char *, const unsigned char *, size_t,
                             const unsigned char *, size_t, curl_off_t, int, const char *, size_t);
  typedef CURLcode export_fn(CURL *, export_cb *, void *);
  export_fn *export = NULL;
  import_spoilt = n > 3 ? strtoul(f[3].bytes, NULL, 10) : 0;
  import_into = handle_find(f[2].bytes);
  if(find_function("curl_easy_ssls_export", &export))
    log_code("ssls", f[1].bytes, f[2].bytes, export(need(&f[1])->easy, on_session, f[1].bytes));
  else
    log_code("ssls", f[1].bytes, f[2].bytes, -1);
}

static void *run_thread(void *arg)
{
  struct handle *h = arg;
  transfer_begin(h);
  transfer_log(h, curl_easy_perform(h->easy));
  return NULL;
}

/* threads NAME…: curl_easy_perform of each in a thread of its own */
static void cmd_threads(struct field *f, int n)
{
  pthread_t t[MAX_FIELDS];
  int count = 0;
  for(int i = 1; i < n; i++)
    need(&f[i]);
  for(int i = 1; i < n; i++)
    if(!need(&f[i])->spoilt)
      pthread_create(&t[count++], NULL, run_thread, need(&f[i]));
  for(int i = 0; i < count; i++)
    pthread_join(t[i], NULL);
}

static int in_child;

static void cmd_fork(struct field *f, int n)
{
  int status = 0;
  (void)f, (void)n;
  fflush(stdout);
  in_child = system_fork(&status);
  if(!in_child)
    log_code("child", "", "", status);
}

/* wakeup M BEFORE|THREAD: how long a wait of 5 s took */
static void *wake_later(void *arg)
{
  struct multi *m = arg;
  usleep(30000);
  curl_multi_wakeup(m->multi);
  return NULL;
}

static void cmd_wakeup(struct field *f, int n)
{
  struct multi *m = need_multi(f[1].bytes);
  int thread = !strcmp(f[2].bytes, "THREAD");
  pthread_t t;
  int fds = 0;
  double start = now();
  (void)n;
  if(thread)
    pthread_create(&t, NULL, wake_later, m);
  else {
    curl_multi_wakeup(m->multi);
    curl_multi_wakeup(m->multi);
  }
  log_code("mcode", m->name, "poll", curl_multi_poll(m->multi, NULL, 0, 5000, &fds));
  log_code("woken", m->name, f[2].bytes, (long long)((now() - start) * 1000));
  if(thread)
    pthread_join(t, NULL);
  start = now();
  curl_multi_poll(m->multi, NULL, 0, 60, &fds); /* once is enough: the second wait is not cut short */
  log_code("woken", m->name, "again", (long long)((now() - start) * 1000));
}

/* What a multi reports (CURLMOPT_NOTIFYFUNCTION, by number: libcurl's headers have it from 8.17 on). */
#define OPTION_NOTIFY ((CURLMoption)(CURLOPTTYPE_FUNCTIONPOINT + 18))
static int reads_when_notified;

static void on_notify(CURLM *multi, unsigned int what, CURL *easy, void *arg)
{
  struct handle *h = NULL;
  CURLMsg *msg;
  int left;
  (void)arg;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &h);
  log_code("notify", what ? "done" : "read", h ? h->name : "", 0);
  while(!what && reads_when_notified && (msg = curl_multi_info_read(multi, &left)) != NULL) {
    CURLcode code = msg->data.result;
    h = NULL;
    curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &h);
    if(h)
      transfer_log(h, code);
  }
}

/* notify M [read]: logs what the multi reports; read: the messages are read when it reports them, and the
 * handles stay in it */
static void cmd_notify(struct field *f, int n)
{
  struct multi *m = multi_find(f[1].bytes);
  CURLMcode (*enable)(CURLM *, unsigned int) = NULL;
  reads_when_notified = n > 2;
  if(!m || !find_function("curl_multi_notify_enable", &enable))
    return;
  log_code("mcode", m->name, "notify", curl_multi_setopt(m->multi, OPTION_NOTIFY, on_notify));
  log_code("mcode", m->name, "notify", enable(m->multi, 0));
  log_code("mcode", m->name, "notify", enable(m->multi, 1));
}

/* fault arm KIND N | disarm | live | recvmax N | sendmax N */
static void cmd_fault(struct field *f, int n)
{
  typedef long long fault_fn(const char *, long long);
  fault_fn *control = NULL;
  const char *what = f[n > 3 ? 2 : 1].bytes;
  if(!find_function("mote_preload_control", &control)) {
    violation("tests/preload is not loaded", what, 0);
    return;
  }
  if(!strcmp(f[1].bytes, "arm"))
    control(what, atoll(f[3].bytes));
  else
    log_code("fault", what, n > 2 ? f[2].bytes : "", control(what, n > 2 ? atoll(f[2].bytes) : 0));
}

/* wrong NAME: a call that an application should not make; logs the code it got */
static long long wrong_easy(const char *c)
{
  int i = 0;
  long l = 0;
  size_t z = 0;
  struct curl_header *hd = NULL;
  if(!strcmp(c, "easy_perform"))
    return curl_easy_perform(NULL);
  if(!strcmp(c, "easy_setopt"))
    return curl_easy_setopt(NULL, CURLOPT_VERBOSE, 1L);
  if(!strcmp(c, "easy_getinfo"))
    return curl_easy_getinfo(NULL, CURLINFO_RESPONSE_CODE, &l);
  if(!strcmp(c, "easy_pause"))
    return curl_easy_pause(NULL, 0);
  if(!strcmp(c, "easy_recv"))
    return curl_easy_recv(NULL, &i, 1, &z);
  if(!strcmp(c, "easy_send"))
    return curl_easy_send(NULL, "x", 1, &z);
  if(!strcmp(c, "easy_upkeep"))
    return curl_easy_upkeep(NULL);
  if(!strcmp(c, "easy_header"))
    return curl_easy_header(NULL, "a", 0, CURLH_HEADER, -1, &hd);
  if(!strcmp(c, "easy_duphandle"))
    return curl_easy_duphandle(NULL) == NULL;
  if(!strcmp(c, "option_by_name"))
    return curl_easy_option_by_name(NULL) == NULL;
  if(strcmp(c, "nothing"))
    return -1000;
  curl_easy_cleanup(NULL);
  curl_slist_free_all(NULL);
  curl_free(NULL);
  return 0;
}

/* Descriptors of the application's are announced and not there. */
static long long wrong_wait(const char *c)
{
  CURLM *m = curl_multi_init();
  int i = 0;
  long long rc = CURLM_BAD_FUNCTION_ARGUMENT;
  if(!m)
    log_code("nomulti", "wrong", "", 0);
  else
    rc = strcmp(c, "multi_poll_fds") ? curl_multi_wait(m, NULL, 1, 0, &i) :
                                       curl_multi_poll(m, NULL, 1, 0, &i);
  curl_multi_cleanup(m);
  return rc;
}

static long long wrong_multi(const char *c)
{
  int i = 0;
  long l = 0;
  if(!strcmp(c, "multi_perform"))
    return curl_multi_perform(NULL, &i);
  if(!strcmp(c, "multi_cleanup"))
    return curl_multi_cleanup(NULL);
  if(!strcmp(c, "multi_poll"))
    return curl_multi_poll(NULL, NULL, 0, 0, &i);
  if(!strcmp(c, "multi_poll_fds") || !strcmp(c, "multi_wait_fds"))
    return wrong_wait(c);
  if(!strcmp(c, "multi_wakeup"))
    return curl_multi_wakeup(NULL);
  if(!strcmp(c, "multi_timeout"))
    return curl_multi_timeout(NULL, &l);
  if(!strcmp(c, "multi_assign"))
    return curl_multi_assign(NULL, 0, NULL);
  if(!strcmp(c, "multi_setopt"))
    return curl_multi_setopt(NULL, CURLMOPT_MAXCONNECTS, 1L);
  if(!strcmp(c, "multi_add"))
    return curl_multi_add_handle(NULL, NULL);
  if(!strcmp(c, "multi_remove"))
    return curl_multi_remove_handle(NULL, NULL);
  if(!strcmp(c, "multi_socket_action"))
    return curl_multi_socket_action(NULL, CURL_SOCKET_TIMEOUT, 0, &i);
  if(!strcmp(c, "multi_info_read"))
    return curl_multi_info_read(NULL, &i) == NULL;
  if(!strcmp(c, "share_setopt"))
    return curl_share_setopt(NULL, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
  if(!strcmp(c, "share_cleanup"))
    return curl_share_cleanup(NULL);
  return -1000;
}

static void cmd_wrong(struct field *f, int n)
{
  (void)n;
  long long code = wrong_easy(f[1].bytes);
  log_code("wrong", f[1].bytes, "", code == -1000 ? wrong_multi(f[1].bytes) : code);
}

/* twice NAME: the handle is attached to a multi and performed at the same time */
static void cmd_twice(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  CURLM *a = curl_multi_init(), *b = curl_multi_init();
  (void)n;
  if(!a || !b) {
    log_code("nomulti", "twice", "", 0);
    curl_multi_cleanup(a);
    curl_multi_cleanup(b);
    return;
  }
  log_code("twice", "first", "", curl_multi_add_handle(a, h->easy));
  log_code("twice", "again", "", curl_multi_add_handle(a, h->easy));
  log_code("twice", "other", "", curl_multi_add_handle(b, h->easy));
  log_code("twice", "perform", "", curl_easy_perform(h->easy));
  log_code("twice", "removeother", "", curl_multi_remove_handle(b, h->easy));
  log_code("twice", "remove", "", curl_multi_remove_handle(a, h->easy));
  log_code("twice", "removeagain", "", curl_multi_remove_handle(a, h->easy));
  log_code("twice", "nulleasy", "", curl_multi_add_handle(a, NULL));
  log_code("twice", "cleanup", "", curl_multi_cleanup(a));
  curl_multi_cleanup(b);
}

/* again NAME: makes the handle when `easy` failed, and takes it out of a multi that it is still in */
static void cmd_again(struct field *f, int n)
{
  struct handle *h = handle_find(f[1].bytes);
  (void)n;
  if(!h) {
    struct field easy[2] = {{(char[]){"easy"}, 4}, f[1]};
    command_run(easy, 2);
  }
  else {
    h->spoilt = 0;
    callbacks_install(h);
    if(h->multi)
      multi_remove(h->multi, h);
  }
}

static void cmd_sleep(struct field *f, int n)
{
  (void)n;
  usleep((useconds_t)atoi(f[1].bytes) * 1000);
}

static void cmd_setenv(struct field *f, int n)
{
  if(n > 2 ? setenv(f[1].bytes, f[2].bytes, 1) : unsetenv(f[1].bytes))
    perror("setenv");
}

static void cmd_upkeep(struct field *f, int n)
{
  (void)n;
  log_code("upkeep", f[1].bytes, "", curl_easy_upkeep(need(&f[1])->easy));
}

/* infile H PATH OFFSET [fread]: the FILE that is uploaded, from there on, without a read callback or with
 * fread() as such. infile: logs its place and closes it */
static void cmd_infile(struct field *f, int n)
{
  static FILE *in;
  if(n < 4) {
    log_code("infile", "at", "", ftell(in));
    fclose(in);
    return;
  }
  in = fopen(f[2].bytes, "rb");
  fseek(in, atol(f[3].bytes), SEEK_SET);
  curl_easy_setopt(need(&f[1])->easy, CURLOPT_READFUNCTION, n > 4 ? (curl_read_callback)fread : NULL);
  curl_easy_setopt(need(&f[1])->easy, CURLOPT_READDATA, in);
}

/* stdin PATH OFFSET: the library's stdin, while the script is read from another descriptor. stdin: and
 * back. */
static void cmd_stdin(struct field *f, int n)
{
  if(n > 2)
    stdin_replace(f[1].bytes, atol(f[2].bytes), &script_fd);
  else
    stdin_restore(&script_fd);
}

static void cmd_freelists(struct field *f, int n)
{
  (void)f;
  (void)n;
  kept_free();
}

static void cmd_tolerant(struct field *f, int n)
{
  (void)n;
  tolerant = atoi(f[1].bytes);
}

static void cmd_endfork(struct field *f, int n)
{
  (void)f;
  (void)n;
  if(in_child) {
    fflush(stdout);
    _exit(violations ? 1 : 0);
  }
}

int extra_run(struct field *f, int n)
{
  static const struct {
    const char *name;
    int least, most; /* fields, the name included */
    void (*run)(struct field *f, int n);
  } commands[] = {
    {"send", 3, 3, cmd_send}, {"recv", 3, 3, cmd_recv}, {"ssls", 3, 4, cmd_ssls},
    {"threads", 2, INT_MAX, cmd_threads}, {"fork", 0, INT_MAX, cmd_fork}, {"wakeup", 3, 3, cmd_wakeup},
    {"notify", 2, 3, cmd_notify},
    {"fault", 2, INT_MAX, cmd_fault}, {"wrong", 2, 2, cmd_wrong}, {"twice", 2, 2, cmd_twice},
    {"sleep", 2, 2, cmd_sleep}, {"setenv", 2, 3, cmd_setenv}, {"upkeep", 2, 2, cmd_upkeep},
    {"again", 2, 2, cmd_again}, {"infile", 1, 5, cmd_infile},
    {"stdin", 1, 3, cmd_stdin},
    {"freelists", 0, INT_MAX, cmd_freelists}, {"tolerant", 2, 2, cmd_tolerant},
    {"endfork", 0, INT_MAX, cmd_endfork},
  };
  size_t i;
  if(setjmp(given_up))
    return 1;
  for(i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if(!strcmp(f[0].bytes, commands[i].name) && n >= commands[i].least && n <= commands[i].most) {
      commands[i].run(f, n);
      return 1;
    }
  return 0;
}
