/* tests/unit/net/test_layers.c: a connection as a stack of layers, those of the test's own on a socket.
 * Needs accounts, posix. */
#include "net/conn.h"

#include "base/containers/list.h"
#include "base/report.h"
#include "fds.h"
#include "net/conn_struct.h"
#include "net/waitset.h"

/* ---- a layer that does what the test says, and writes down what it was called for ---- */

struct toy {
  struct mote_stream stream;
  char name;          /* in the record of calls */
  int handshakes;     /* calls until it is set up */
  int goodbyes;       /* calls until it has said goodbye */
  CURLcode fails;     /* what its handshake and its goodbye return, once */
  unsigned wants;     /* what want() turns any interest into; 0: the same */
  bool pending;
  bool quiet;
};

static struct mote_account account;
static struct toy toys[3];
static char calls[100];

static void note(char what, const struct toy *t)
{
  size_t len = strlen(calls);
  if(CHECK(len + 4 < sizeof calls))
    snprintf(calls + len, sizeof calls - len, "%s%c%c", len ? " " : "", what, t->name);
}

static void check_calls(const char *expected)
{
  CHECK_STR(calls, expected);
  calls[0] = 0;
}

static struct toy *toy_of(const struct mote_stream *s)
{
  return (struct toy *)(uintptr_t)mote_container_of(s, const struct toy, stream);
}

static CURLcode count_down(struct toy *t, int *left, bool *done)
{
  CURLcode rc = t->fails;
  t->fails = CURLE_OK;
  *done = !*left || !--*left;
  return rc;
}

static CURLcode toy_handshake(struct mote_stream *s, bool *done)
{
  static const char line[] = "HTTP/1.1 200 OK\r\n";
  struct mote_stream_observer *o = s->env->observer;
  CURLcode rc;
  note('h', toy_of(s));
  rc = count_down(toy_of(s), &toy_of(s)->handshakes, done);
  if(!rc && *done && o && s->role == MOTE_ROLE_TUNNEL)
    rc = o->header(o, line, sizeof line - 1);
  return rc;
}

static CURLcode toy_shutdown(struct mote_stream *s, bool *done)
{
  note('g', toy_of(s));
  return count_down(toy_of(s), &toy_of(s)->goodbyes, done);
}

static CURLcode toy_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  return s->below->ops->recv(s->below, buf, cap, n);
}

static CURLcode toy_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  return s->below->ops->send(s->below, buf, len, n);
}

static unsigned toy_want(const struct mote_stream *s, unsigned interest)
{
  return toy_of(s)->wants ? toy_of(s)->wants : interest;
}

static bool toy_pending(const struct mote_stream *s)
{
  return toy_of(s)->pending;
}

static bool toy_quiet(struct mote_stream *s)
{
  note('q', toy_of(s));
  return toy_of(s)->quiet;
}

static void toy_idle(struct mote_stream *s)
{
  note('i', toy_of(s));
}

static void toy_close(struct mote_stream *s)
{
  note('c', toy_of(s));
}

/* As TLS. */
static const struct mote_stream_ops full = {
  .handshake = toy_handshake, .recv = toy_recv, .send = toy_send, .want = toy_want, .pending = toy_pending,
  .shutdown = toy_shutdown, .quiet = toy_quiet, .idle = toy_idle, .close = toy_close,
};

/* As a tunnel: it has a handshake, and passes all bytes on. */
static const struct mote_stream_ops thin = {
  .handshake = toy_handshake, .recv = toy_recv, .send = toy_send, .pending = toy_pending, .close = toy_close,
};

static void add(struct mote_conn *c, int i, const struct mote_stream_ops *ops, enum mote_role role)
{
  toys[i].name = (char)('1' + i);
  toys[i].stream.ops = ops;
  toys[i].stream.role = (uint8_t)role;
  toys[i].stream.below = c->top;
  toys[i].stream.env = &c->env;
  c->top = &toys[i].stream;
}

static struct mote_conn *bare(void)
{
  struct mote_conn_plan plan = {.key = "key", .key_len = 3};
  struct mote_conn *c = NULL;
  memset(&account, 0, sizeof account);
  memset(toys, 0, sizeof toys);
  calls[0] = 0;
  CHECK_INT(mote_conn_new(&c, &account, &plan), CURLE_OK);
  return c;
}

/* TLS to a proxy, a tunnel in it, TLS to the server in that: layers 1, 2 and 3. */
static struct mote_conn *stacked(void)
{
  struct mote_conn *c = bare();
  add(c, 0, &full, MOTE_ROLE_PROXY_TLS);
  add(c, 1, &thin, MOTE_ROLE_TUNNEL);
  add(c, 2, &full, MOTE_ROLE_TLS);
  return c;
}

/* The same over a socket that is watched. */
static struct mote_conn *stacked_over(struct mote_waitset *set, int pair[2])
{
  struct mote_conn *c = stacked();
  mote_waitset_init(set, &account);
  fds_pair(pair);
  c->set = set;
  mote_watch_add(set, &c->tcp.watch, pair[0]);
  return c;
}

static void end(struct mote_conn *c)
{
  mote_conn_close(c, false);
  CHECK_ACCOUNT(&account);
}

static void end_over(struct mote_conn *c, struct mote_waitset *set, const int pair[2])
{
  end(c);
  mote_waitset_close(set);
  close(pair[1]);
}

/* ---- roles ---- */

TEST(layers_are_found_by_role)
{
  struct mote_conn *c = bare();
  CHECK(mote_conn_is_plain(c) && !mote_conn_has_tls(c));
  CHECK(mote_conn_layer(c, MOTE_ROLE_TCP) == &c->tcp.stream);
  add(c, 0, &full, MOTE_ROLE_PROXY_TLS);
  CHECK(!mote_conn_is_plain(c) && !mote_conn_has_tls(c)); /* TLS to the proxy is not TLS to the server */
  end(c);
  c = stacked();
  CHECK(mote_conn_has_tls(c));
  CHECK(mote_conn_layer(c, MOTE_ROLE_TLS) == &toys[2].stream);
  CHECK(mote_conn_layer(c, MOTE_ROLE_TUNNEL) == &toys[1].stream);
  CHECK(mote_conn_layer(c, MOTE_ROLE_PROXY_TLS) == &toys[0].stream);
  end(c);
  check_calls("c3 c2 c1");
}

/* ---- handshakes ---- */

TEST(handshakes_go_up)
{
  struct mote_conn *c = stacked();
  toys[0].handshakes = 2;
  toys[1].handshakes = 1;
  toys[2].handshakes = 3;
  CHECK_INT(mote_conn_handshake(c), CURLE_AGAIN);
  check_calls("h1");
  CHECK_INT(mote_conn_handshake(c), CURLE_AGAIN);
  check_calls("h1 h2 h3");
  CHECK_INT(mote_conn_handshake(c), CURLE_AGAIN);
  check_calls("h1 h2 h3");
  CHECK_INT(mote_conn_handshake(c), CURLE_OK);
  check_calls("h1 h2 h3");
  CHECK_INT(mote_conn_handshake(c), CURLE_OK);
  end(c);
}

/* What the layer at work wants, through those below it, and not what those above it would. */
TEST(a_handshake_waits_for_its_own_layer)
{
  struct mote_waitset set;
  int pair[2];
  struct mote_conn *c = stacked_over(&set, pair);
  toys[0].handshakes = 2;
  toys[0].wants = MOTE_WANT_OUT;
  toys[2].wants = MOTE_WANT_IN;
  CHECK_INT(mote_conn_handshake(c), CURLE_AGAIN);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_OUT);
  toys[0].wants = 0;
  toys[2].handshakes = 2;
  CHECK_INT(mote_conn_handshake(c), CURLE_AGAIN);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_IN);
  CHECK_INT(mote_conn_handshake(c), CURLE_OK);
  toys[2].wants = MOTE_WANT_OUT;
  CHECK_INT(mote_conn_want(c, MOTE_WANT_IN), CURLE_OK); /* passes the layer that has no want() */
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_OUT);
  toys[0].wants = MOTE_WANT_IN;
  CHECK_INT(mote_conn_want(c, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_IN);
  end_over(c, &set, pair);
}

static int woken;

static void count_wakes(struct mote_watch *w, unsigned events)
{
  (void)w;
  woken += events == MOTE_WANT_IN;
}

/* TLS in TLS: after a ticket the layer on top returns without having read all that the one below it has. */
TEST(bytes_in_a_lower_layer_need_no_event)
{
  struct mote_waitset set;
  int pair[2];
  struct mote_conn *c = stacked_over(&set, pair);
  c->tcp.watch.ready = count_wakes;
  woken = 0;
  toys[2].pending = true; /* the protocol's, which knows of them */
  CHECK_INT(mote_conn_want(c, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(woken, 0);
  toys[0].pending = true;
  CHECK_INT(mote_conn_want(c, 0), CURLE_OK);
  CHECK_INT(mote_conn_want(c, MOTE_WANT_OUT), CURLE_OK);
  CHECK_INT(woken, 0);
  CHECK_INT(mote_conn_want(c, MOTE_WANT_IN), CURLE_OK);
  CHECK_INT(woken, 1);
  end_over(c, &set, pair);
}

TEST(a_connection_that_breaks_in_a_handshake)
{
  static const struct {
    int toy;
    CURLcode met;
    CURLcode reported;
  } cases[] = {
    {0, CURLE_RECV_ERROR, CURLE_SSL_CONNECT_ERROR}, {0, CURLE_OUT_OF_MEMORY, CURLE_OUT_OF_MEMORY},
    {1, CURLE_RECV_ERROR, CURLE_RECV_ERROR},        {1, CURLE_PROXY, CURLE_PROXY},
    {2, CURLE_SEND_ERROR, CURLE_SSL_CONNECT_ERROR}, {2, CURLE_SSL_CIPHER, CURLE_SSL_CIPHER},
  };
  size_t i;
  for(i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct mote_conn *c = stacked();
    toys[cases[i].toy].fails = cases[i].met;
    CHECK_INT(mote_conn_handshake(c), cases[i].reported);
    end(c);
  }
}

static struct watcher {
  struct mote_stream_observer observer;
  char seen[64];
  CURLcode answer;
} watcher;

static CURLcode see(struct mote_stream_observer *o, const char *line, size_t len)
{
  struct watcher *w = mote_container_of(o, struct watcher, observer);
  snprintf(w->seen, sizeof w->seen, "%.*s", (int)len, line);
  return w->answer;
}

TEST(a_tunnel_reports_what_the_proxy_says)
{
  struct mote_conn *c = stacked();
  watcher = (struct watcher){ .observer = { .header = see } };
  c->env.observer = &watcher.observer;
  CHECK_INT(mote_conn_handshake(c), CURLE_OK);
  CHECK_STR(watcher.seen, "HTTP/1.1 200 OK\r\n");
  watcher.answer = CURLE_WRITE_ERROR;
  CHECK_INT(mote_conn_handshake(c), CURLE_WRITE_ERROR);
  end(c);
}

/* ---- push and pop ---- */

static char text[128]; /* the failure that was reported */

static void note_failure(struct mote_report *r, const char *fmt, va_list args)
{
  (void)r;
  vsnprintf(text, sizeof text, fmt, args);
}

static const struct mote_report_ops report_ops = { .fail = note_failure };
static struct mote_report report = { .ops = &report_ops };

/* On one end of a socket; *peer is the other. */
static struct mote_conn *connected(int *peer)
{
  struct mote_conn *c = bare();
  int pair[2];
  fds_pair(pair);
  c->tcp.watch.fd = pair[0];
  c->env.report = &report;
  text[0] = 0;
  *peer = pair[1];
  return c;
}

static CURLcode push(struct mote_conn *c, int i)
{
  struct mote_stream *top = c->top;
  add(c, i, &full, MOTE_ROLE_TLS);
  c->top = top;
  return mote_conn_push(c, &toys[i].stream);
}

/* What a connection has received: "OK " is taken, `rest` is not. */
static void receive(struct mote_conn *c, int peer, const char *rest, bool hold)
{
  static char buf[64];
  struct mote_conn_loan loan;
  CHECK_INT(write(peer, "OK ", 3), 3);
  CHECK_INT(write(peer, rest, strlen(rest)), (int)strlen(rest));
  CHECK_INT(mote_conn_read(c, buf, sizeof buf, sizeof buf, &loan), CURLE_OK);
  mote_conn_take(c, 3);
  if(hold)
    CHECK_INT(mote_conn_hold(c, 100, NULL, 0), CURLE_OK);
}

TEST(a_layer_is_pushed)
{
  int peer;
  struct mote_conn *c = connected(&peer);
  receive(c, peer, "", true);
  CHECK_INT(write(peer, "x", 1), 1); /* not received yet: the new layer's */
  CHECK_INT(push(c, 0), CURLE_OK);
  CHECK(c->top == &toys[0].stream && mote_conn_has_tls(c));
  CHECK_STR(text, "");
  check_calls("");
  end(c);
  check_calls("c1");
  close(peer);
}

/* What follows the server's agreement to STARTTLS in one packet came without TLS (CVE-2011-0411). */
TEST(injected_bytes_are_refused)
{
  int hold, peer;
  for(hold = 0; hold < 2; hold++) {
    struct mote_conn *c = connected(&peer);
    receive(c, peer, "NOOP", hold);
    CHECK_INT(push(c, 0), CURLE_WEIRD_SERVER_REPLY);
    check_calls("c1");
    CHECK_STR(text, "The peer sent data ahead of the handshake. The data is refused");
    CHECK(mote_conn_is_plain(c));
    end(c);
    close(peer);
  }
}

TEST(bytes_inside_a_layer_are_refused)
{
  struct mote_conn *c = bare();
  CHECK_INT(push(c, 0), CURLE_OK);
  toys[0].pending = true;
  CHECK_INT(push(c, 1), CURLE_WEIRD_SERVER_REPLY);
  check_calls("q1 c2");
  toys[0].quiet = true; /* a ticket */
  CHECK_INT(push(c, 1), CURLE_OK);
  check_calls("q1");
  CHECK(c->top == &toys[1].stream);
  end(c);
}

TEST(a_layer_is_popped)
{
  int peer;
  struct mote_conn *c = connected(&peer);
  struct mote_waitset set;
  mote_waitset_init(&set, &account);
  c->set = &set;
  mote_watch_add(&set, &c->tcp.watch, c->tcp.watch.fd);
  CHECK_INT(push(c, 0), CURLE_OK);
  toys[0].goodbyes = 2;
  CHECK_INT(mote_conn_pop(c, true), CURLE_AGAIN);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_OUT);
  CHECK_INT(mote_conn_pop(c, true), CURLE_AGAIN);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_IN);
  check_calls("g1 g1");
  close(peer); /* ends the layer too */
  CHECK_INT(mote_conn_pop(c, true), CURLE_OK);
  check_calls("g1 c1");
  CHECK(mote_conn_is_plain(c) && !mote_conn_at_end(c));
  CHECK_STR(text, "");
  end(c);
  mote_waitset_close(&set);
}

/* The peer's goodbye alone, which the protocol has read already. */
TEST(a_layer_is_popped_without_a_goodbye)
{
  int peer;
  struct mote_conn *c = connected(&peer);
  char byte;
  size_t n;
  CHECK_INT(push(c, 0), CURLE_OK);
  CHECK_INT(mote_conn_pop(c, false), CURLE_AGAIN);
  close(peer);
  CHECK_INT(mote_conn_receive(c, &byte, 1, &n), CURLE_OK);
  CHECK(mote_conn_at_end(c));
  CHECK_INT(mote_conn_pop(c, false), CURLE_OK);
  check_calls("c1");
  CHECK(!mote_conn_at_end(c));
  end(c);
}

TEST(a_layer_with_bytes_is_not_popped)
{
  static const char *const when[] = { "ahead of the end of TLS", "instead of the end of TLS",
                                      "after the end of TLS" };
  int i, peer;
  for(i = 0; i < 3; i++) {
    struct mote_conn *c = connected(&peer);
    CHECK_INT(push(c, 0), CURLE_OK);
    if(i == 0)
      receive(c, peer, "more", true);
    else if(i == 1)
      CHECK_INT(write(peer, "x", 1), 1);
    else {
      toys[0].pending = true; /* read ahead, beyond the end */
      close(peer);
    }
    CHECK_INT(mote_conn_pop(c, true), CURLE_WEIRD_SERVER_REPLY);
    CHECK(strstr(text, when[i]));
    CHECK(c->top == &toys[0].stream);
    end(c);
    if(i < 2)
      close(peer);
  }
}

TEST(a_goodbye_that_fails_pops_nothing)
{
  int peer;
  struct mote_conn *c = connected(&peer);
  CHECK_INT(push(c, 0), CURLE_OK);
  toys[0].fails = CURLE_SSL_SHUTDOWN_FAILED;
  CHECK_INT(mote_conn_pop(c, true), CURLE_SSL_SHUTDOWN_FAILED);
  CHECK(!mote_conn_is_plain(c));
  end(c);
  close(peer);
}

/* ---- goodbyes ---- */

TEST(goodbyes_go_down)
{
  struct mote_conn *c = stacked();
  toys[2].goodbyes = 2;
  toys[0].goodbyes = 2;
  CHECK_INT(mote_conn_shutdown(c), CURLE_AGAIN);
  check_calls("g3");
  CHECK_INT(mote_conn_shutdown(c), CURLE_AGAIN);
  check_calls("g3 g1");
  CHECK_INT(mote_conn_shutdown(c), CURLE_OK);
  check_calls("g3 g1");
  end(c);
}

TEST(an_end_of_sending_is_seen_by_the_peer)
{
  int peer;
  char byte;
  struct mote_conn *c = connected(&peer);
  CHECK_INT(push(c, 0), CURLE_OK);
  CHECK_INT(mote_conn_end_sending(c), CURLE_OK);
  CHECK_INT(read(peer, &byte, 1), 0);
  CHECK_INT(write(peer, "x", 1), 1);
  end(c);
  close(peer);
}

TEST(a_goodbye_waits_until_it_can_send)
{
  struct mote_waitset set;
  int pair[2];
  struct mote_conn *c = stacked_over(&set, pair);
  toys[0].goodbyes = 2;
  toys[2].wants = MOTE_WANT_IN; /* it is through, and asks for nothing more */
  CHECK_INT(mote_conn_shutdown(c), CURLE_AGAIN);
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_OUT);
  end_over(c, &set, pair);
}

TEST(a_goodbye_that_fails_keeps_no_other)
{
  struct mote_conn *c = stacked();
  toys[2].fails = CURLE_SSL_SHUTDOWN_FAILED;
  CHECK_INT(mote_conn_shutdown(c), CURLE_SSL_SHUTDOWN_FAILED);
  check_calls("g3 g1");
  end(c);
}

TEST(a_polite_end_tries_once)
{
  struct mote_conn *c = stacked();
  mote_conn_close(c, true);
  check_calls("g3 g1 c3 c2 c1");
  c = stacked();
  toys[2].goodbyes = 2;
  mote_conn_close(c, true);
  check_calls("g3 c3 c2 c1");
}

/* ---- looking, and being idle ---- */

TEST(each_layer_may_hold_bytes)
{
  struct mote_conn *c = stacked();
  int i;
  CHECK(!mote_conn_pending(c));
  for(i = 0; i < 3; i++) {
    toys[i].pending = true;
    CHECK(mote_conn_pending(c));
    toys[i].pending = false;
  }
  mote_conn_idle(c);
  check_calls("i3 i1");
  end(c);
}

TEST(looking_goes_through_the_layers)
{
  struct mote_conn *c = stacked();
  int pair[2];
  fds_pair(pair);
  c->tcp.watch.fd = pair[0];
  CHECK(mote_conn_alive(c));
  check_calls(""); /* nothing has come */
  toys[0].pending = true;
  toys[2].quiet = true;
  CHECK(mote_conn_alive(c)); /* a ticket of the lowest */
  check_calls("q3");
  toys[2].quiet = false;
  CHECK(!mote_conn_alive(c));
  check_calls("q3");
  end(c);
  close(pair[1]);
}

/* A tunnel without TLS in it: what the tunnel holds is the protocol's, the TLS below judges the rest. */
TEST(looking_past_a_layer_that_passes_all_on)
{
  struct mote_conn *c = bare();
  int pair[2];
  add(c, 0, &full, MOTE_ROLE_PROXY_TLS);
  add(c, 1, &thin, MOTE_ROLE_TUNNEL);
  fds_pair(pair);
  c->tcp.watch.fd = pair[0];
  CHECK_INT(write(pair[1], "x", 1), 1);
  toys[0].quiet = true;
  CHECK(mote_conn_alive(c));
  check_calls("q1");
  toys[1].pending = true;
  CHECK(!mote_conn_alive(c));
  toys[1].pending = false;
  toys[0].quiet = false;
  CHECK(!mote_conn_alive(c));
  end(c);
  close(pair[1]);
}

int main(void)
{
  TEST_RUN(layers_are_found_by_role);
  TEST_RUN(handshakes_go_up);
  TEST_RUN(a_handshake_waits_for_its_own_layer);
  TEST_RUN(bytes_in_a_lower_layer_need_no_event);
  TEST_RUN(a_connection_that_breaks_in_a_handshake);
  TEST_RUN(a_tunnel_reports_what_the_proxy_says);
  TEST_RUN(a_layer_is_pushed);
  TEST_RUN(injected_bytes_are_refused);
  TEST_RUN(bytes_inside_a_layer_are_refused);
  TEST_RUN(a_layer_is_popped);
  TEST_RUN(a_layer_is_popped_without_a_goodbye);
  TEST_RUN(a_layer_with_bytes_is_not_popped);
  TEST_RUN(a_goodbye_that_fails_pops_nothing);
  TEST_RUN(goodbyes_go_down);
  TEST_RUN(an_end_of_sending_is_seen_by_the_peer);
  TEST_RUN(a_goodbye_waits_until_it_can_send);
  TEST_RUN(a_goodbye_that_fails_keeps_no_other);
  TEST_RUN(a_polite_end_tries_once);
  TEST_RUN(each_layer_may_hold_bytes);
  TEST_RUN(looking_goes_through_the_layers);
  TEST_RUN(looking_past_a_layer_that_passes_all_on);
  return test_end();
}
