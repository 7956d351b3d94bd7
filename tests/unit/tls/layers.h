/* tests/unit/tls/layers.h: TLS to a server in TLS to a proxy, both by the library under test; after peer.h
 * and pki.h. What all layers do is in tests/unit/net/test_layers.c. */
#ifndef MOTE_TEST_TLS_LAYERS_H
#define MOTE_TEST_TLS_LAYERS_H

#include "net/conn.h"
#include "net/conn_struct.h"

/* The peer of the upper layer: its records travel inside those of `server` (peer.h). */
static struct inner {
  SSL *ssl;
  BIO *in;
  BIO *out;
} inner;

static inline void wire_close(struct mote_stream *s)
{
  (void)s;
}

static const struct mote_stream_ops closing_wire = { .recv = wire_recv, .send = wire_send,
                                                     .close = wire_close };

static inline void inner_accept(void)
{
  inner.ssl = SSL_new(server.ctx);
  inner.in = BIO_new(BIO_s_mem());
  inner.out = BIO_new(BIO_s_mem());
  BIO_set_mem_eof_return(inner.in, -1);
  SSL_set_bio(inner.ssl, inner.in, inner.out);
  SSL_set_accept_state(inner.ssl);
}

static inline void inner_flush(void)
{
  char buf[4096];
  int n;
  while((n = BIO_read(inner.out, buf, sizeof buf)) > 0)
    server_write(buf, (size_t)n);
}

static inline void both_step(void)
{
  char buf[4096];
  int n;
  server_step();
  while(inner.ssl && SSL_is_init_finished(server.ssl) && (n = server_read(buf, sizeof buf)) > 0)
    BIO_write(inner.in, buf, n);
  if(!inner.ssl)
    return;
  if(!SSL_is_init_finished(inner.ssl))
    SSL_do_handshake(inner.ssl);
  ERR_clear_error();
  inner_flush();
}

/* A connection on the wire, without a layer. */
static inline struct mote_conn *layers_open(void)
{
  struct mote_conn_plan plan = {.key = "key", .key_len = 3};
  struct mote_conn *c = NULL;
  server_accept();
  memset(&client, 0, sizeof client);
  client.report.ops = &report_ops;
  if(mote_conn_new(&c, &client.account, &plan))
    return NULL;
  c->env.report = &client.report;
  wire.stream.ops = &closing_wire;
  wire.stream.below = c->top;
  c->top = &wire.stream;
  return c;
}

static inline CURLcode layers_push(struct mote_conn *c, enum mote_role role)
{
  struct mote_tls_config cfg = trusting();
  struct mote_stream *tls;
  CURLcode rc;
  cfg.role = (uint8_t)role;
  rc = mote_tls_connect_new(&tls, c->top, &c->env, &cfg, test_server("localhost"));
  return rc ? rc : mote_conn_push(c, tls);
}

static inline CURLcode layers_handshake(struct mote_conn *c)
{
  CURLcode rc = CURLE_AGAIN;
  int turns;
  for(turns = 0; turns < 1000 && rc == CURLE_AGAIN; turns++) {
    rc = mote_conn_handshake(c);
    both_step();
  }
  return rc;
}

/* Both layers, ready. */
static inline CURLcode layers_stack(struct mote_conn *c)
{
  CURLcode rc = layers_push(c, MOTE_ROLE_PROXY_TLS);
  if(!rc)
    rc = layers_handshake(c);
  if(rc)
    return rc;
  inner_accept();
  rc = layers_push(c, MOTE_ROLE_TLS);
  return rc ? rc : layers_handshake(c);
}

static inline void layers_end(struct mote_conn *c)
{
  if(c)
    mote_conn_close(c, false);
  CHECK_ACCOUNT(&client.account);
  SSL_free(inner.ssl);
  memset(&inner, 0, sizeof inner);
}

static inline CURLcode layers_receive(struct mote_conn *c, char *buf, size_t cap, size_t *n)
{
  CURLcode rc = CURLE_AGAIN;
  while(rc == CURLE_AGAIN && (to_client.len || mote_conn_pending(c)))
    rc = mote_conn_receive(c, buf, cap, n);
  return rc;
}

static inline void layers_exchange(struct mote_conn *c)
{
  char buf[16];
  size_t n;
  CHECK_INT(mote_conn_send(c, "ping", 4, &n), CURLE_OK);
  both_step();
  CHECK_INT(SSL_read(inner.ssl, buf, sizeof buf), 4);
  CHECK_INT(SSL_write(inner.ssl, "pong", 4), 4);
  inner_flush();
  CHECK_INT(layers_receive(c, buf, sizeof buf, &n), CURLE_OK);
  CHECK_MEM(buf, n, "pong", 4);
}

static inline void test_tls_in_tls(void)
{
  struct mote_conn *c;
  char byte;
  server_open(&leaf, NULL);
  c = layers_open();
  CHECK_INT(layers_stack(c), CURLE_OK);
  CHECK(mote_conn_layer(c, MOTE_ROLE_TLS) != mote_conn_layer(c, MOTE_ROLE_PROXY_TLS));
  layers_exchange(c);
  mote_conn_idle(c);
  layers_exchange(c);
  CHECK_INT(mote_conn_shutdown(c), CURLE_OK);
  CHECK_INT(mote_conn_shutdown(c), CURLE_OK); /* once only */
  both_step();
  CHECK_INT(SSL_read(inner.ssl, &byte, 1), 0);
  CHECK(SSL_get_shutdown(inner.ssl) & SSL_RECEIVED_SHUTDOWN);
  CHECK_INT(SSL_read(server.ssl, &byte, 1), 0); /* the lower goodbye came after the upper */
  CHECK(SSL_get_shutdown(server.ssl) & SSL_RECEIVED_SHUTDOWN);
  CHECK_STR(client.text, "");
  layers_end(c);
  end();
}

/* Of all that the lower layer has received, a byte that is the protocol's is left when TLS is pushed. */
static inline void test_bytes_ahead_of_an_inner_tls(void)
{
  struct mote_conn *c;
  char byte;
  size_t n;
  server_open(&leaf, NULL);
  c = layers_open();
  CHECK_INT(layers_push(c, MOTE_ROLE_PROXY_TLS), CURLE_OK);
  CHECK_INT(layers_handshake(c), CURLE_OK);
  server_write("OK", 2);
  CHECK_INT(layers_receive(c, &byte, 1, &n), CURLE_OK);
  CHECK_INT(layers_push(c, MOTE_ROLE_TLS), CURLE_WEIRD_SERVER_REPLY);
  CHECK(strstr(client.text, "ahead of the handshake"));
  CHECK(!mote_conn_has_tls(c));
  CHECK_INT(layers_receive(c, &byte, 1, &n), CURLE_OK);
  CHECK_INT(layers_push(c, MOTE_ROLE_TLS), CURLE_OK);
  layers_end(c);
  end();
}

/* The upper layer goes, and the connection goes on with the lower. */
static inline void test_pops(void)
{
  int polite;
  for(polite = 0; polite < 2; polite++) {
    struct mote_conn *c;
    char buf[16];
    size_t n;
    server_open(&leaf, NULL);
    c = layers_open();
    CHECK_INT(layers_stack(c), CURLE_OK);
    layers_exchange(c);
    CHECK_INT(mote_conn_pop(c, polite), CURLE_AGAIN);
    both_step();
    if(polite)
      CHECK_INT(SSL_read(inner.ssl, buf, 1), 0);
    CHECK_INT(SSL_shutdown(inner.ssl), polite);
    inner_flush();
    CHECK_INT(mote_conn_pop(c, polite), CURLE_OK);
    CHECK(!mote_conn_has_tls(c));
    both_step(); /* BearSSL answers a goodbye by itself */
    CHECK_INT(mote_conn_send(c, "bare", 4, &n), CURLE_OK);
    CHECK_INT(server_read(buf, sizeof buf), 4);
    server_write("fine", 4);
    CHECK_INT(layers_receive(c, buf, sizeof buf, &n), CURLE_OK);
    CHECK_MEM(buf, n, "fine", 4);
    CHECK_STR(client.text, "");
    layers_end(c);
    end();
  }
}

/* ---- parts of records ---- */

/* What a caller receives that is called while the connection is pending, or the wire readable. Both have to
 * end. */
static inline size_t layers_drain(struct mote_conn *c, char *buf, size_t cap)
{
  size_t len = 0;
  int calls = 0;
  do {
    size_t n = 0;
    CURLcode rc = mote_conn_receive(c, buf + len, cap - len < 2 ? cap - len : 2, &n);
    CHECK(!rc || rc == CURLE_AGAIN);
    len += n;
  } while(++calls < 20 && (mote_conn_pending(c) || (to_client.len && wire.gate)));
  CHECK(calls < 20);
  return len;
}

/* Of two records that are under way, the first `part` bytes come, then the rest. `first` is the length of the
 * first record, `both` that of both. */
static inline void check_part(struct mote_conn *c, size_t part, size_t first, size_t both, void (*rest)(void))
{
  char buf[16];
  size_t n = layers_drain(c, buf, sizeof buf);
  CHECK_MEM(buf, n, "onetwo!", part >= both ? 7 : part >= first ? 3 : 0);
  rest();
  n += layers_drain(c, buf + n, sizeof buf - n);
  CHECK_MEM(buf, n, "onetwo!", 7);
}

static inline void open_gate(void)
{
  wire.gate = SIZE_MAX;
}

/* A part of a record woke its reader for as long as the rest did not come. */
static inline void check_parts_below(struct mote_conn *c, void (*say)(const char *text))
{
  size_t part, first, both = 1;
  for(part = 0; part <= both; part++) {
    say("one");
    first = to_client.len;
    say("two!");
    both = to_client.len;
    wire.gate = part;
    check_part(c, part, first, both, open_gate);
  }
}

static inline void say_below(const char *text)
{
  server_write(text, strlen(text));
}

static inline void say_above(const char *text)
{
  SSL_write(inner.ssl, text, (int)strlen(text));
  inner_flush();
}

static inline void test_a_part_of_a_record_is_not_pending(void)
{
  struct mote_conn *c;
  char buf[16];
  server_open(&leaf, NULL);
  c = layers_open();
  CHECK_INT(layers_push(c, MOTE_ROLE_TLS), CURLE_OK);
  CHECK_INT(layers_handshake(c), CURLE_OK);
  CHECK_INT(layers_drain(c, buf, sizeof buf), 0); /* tickets */
  check_parts_below(c, say_below);
  CHECK_STR(client.text, "");
  layers_end(c);
  end();
}

static struct queue unsaid; /* of the upper layer's records */

static inline void say_rest(void)
{
  server_write(unsaid.bytes, unsaid.len);
}

/* The records of the lower layer are whole. */
static inline void check_parts_above(struct mote_conn *c)
{
  size_t part, first, both = 1;
  for(part = 1; part < both || both == 1; part++) {
    unsigned char bytes[128];
    SSL_write(inner.ssl, "one", 3);
    first = BIO_ctrl_pending(inner.out);
    SSL_write(inner.ssl, "two!", 4);
    both = (size_t)BIO_read(inner.out, bytes, sizeof bytes);
    unsaid.len = 0;
    append(&unsaid, bytes + part, both - part);
    server_write(bytes, part);
    check_part(c, part, first, both, say_rest);
  }
}

static inline void test_parts_of_records_in_layers_are_not_pending(void)
{
  struct mote_conn *c;
  char buf[16];
  server_open(&leaf, NULL);
  c = layers_open();
  CHECK_INT(layers_stack(c), CURLE_OK);
  layers_exchange(c);
  CHECK_INT(layers_drain(c, buf, sizeof buf), 0);
  check_parts_below(c, say_above);
  check_parts_above(c);
  CHECK_STR(client.text, "");
  layers_end(c);
  end();
}

/* Whatever runs out, the code says so and nothing stays. */
static inline void life_of_layers(void)
{
  struct mote_conn *c;
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  server_open(&leaf, NULL);
  c = layers_open();
  if(c)
    rc = layers_stack(c);
  CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  if(!rc) {
    rc = mote_conn_shutdown(c);
    CHECK(!rc || test_mem.failed);
  }
  layers_end(c);
  end();
}

static inline void test_layers_without_memory(void)
{
  run_with_failures(life_of_layers);
}

static inline void run_layer_tests(void)
{
  TEST_RUN(tls_in_tls);
  TEST_RUN(bytes_ahead_of_an_inner_tls);
  TEST_RUN(pops);
  TEST_RUN(a_part_of_a_record_is_not_pending);
  TEST_RUN(parts_of_records_in_layers_are_not_pending);
  TEST_RUN(layers_without_memory);
}

#endif
