/* raw_h3 HOST PORT PATH TOTAL N [BYTES]: TOTAL GETs over one HTTP/3 connection, N at a time, or PUTs of so
 * many bytes each, by ngtcp2, nghttp3 and OpenSSL alone, with windows of 16 MB, and datagrams of 1,472 bytes
 * that are received and sent many at a time (UDP_GRO, UDP_SEGMENT): the floor of what HTTP/3 can cost. No
 * certificate is verified. */
#define _GNU_SOURCE
#include "raw.h"

#include <netinet/udp.h>
#include <nghttp3/nghttp3.h>
#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <ngtcp2/ngtcp2_crypto_ossl.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <poll.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#define UDP_GRO 104
#endif

#define WINDOW (16 << 20)
#define DATAGRAM 1472
#define FIELD(n, v) \
  { (uint8_t *)(n), (uint8_t *)(v), sizeof(n) - 1, strlen(v), \
    NGHTTP3_NV_FLAG_NO_COPY_NAME | NGHTTP3_NV_FLAG_NO_COPY_VALUE }

struct request {
  long long left; /* bytes of the body to send */
};

static const char *path;
static int begun;
static int done;
static int total;
static int at_once;
static long long put = -1; /* bytes of each upload; -1: none */
static long long got;      /* bytes of bodies */
static int s;
static struct sockaddr_in local;
static ngtcp2_conn *quic;
static nghttp3_conn *http;
static ngtcp2_crypto_conn_ref conn_ref;

static ngtcp2_tstamp now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (ngtcp2_tstamp)t.tv_sec * NGTCP2_SECONDS + (ngtcp2_tstamp)t.tv_nsec;
}

static void check(int rc, const char *what)
{
  if(!rc)
    return;
  fprintf(stderr, "%s: %d\n", what, rc);
  exit(1);
}

/* ---- HTTP ---- */

static nghttp3_ssize on_read(nghttp3_conn *h, int64_t id, nghttp3_vec *vec, size_t count, uint32_t *flags,
                             void *user, void *request)
{
  static uint8_t zeros[65536];
  struct request *r = request;
  size_t n = r->left < (long long)sizeof zeros ? (size_t)r->left : sizeof zeros;
  (void)h;
  (void)id;
  (void)count;
  (void)user;
  r->left -= (long long)n;
  vec->base = zeros;
  vec->len = n;
  if(!r->left)
    *flags |= NGHTTP3_DATA_FLAG_EOF;
  return n ? 1 : 0;
}

static void ask(void)
{
  static char length[24];
  nghttp3_data_reader reader = { on_read };
  struct request *r;
  int64_t id;
  int rc = ngtcp2_conn_open_bidi_stream(quic, &id, NULL);
  if(rc == NGTCP2_ERR_STREAM_ID_BLOCKED)
    return;
  check(rc, "open");
  r = calloc(1, sizeof *r);
  if(!r)
    exit(2);
  r->left = put;
  snprintf(length, sizeof length, "%lld", put);
  nghttp3_nv fields[] = { FIELD(":method", put < 0 ? "GET" : "PUT"), FIELD(":scheme", "https"),
                          FIELD(":authority", "localhost"), FIELD(":path", path), FIELD("accept", "*/*"),
                          FIELD("content-length", length) };
  check(nghttp3_conn_submit_request(http, id, fields, put < 0 ? 5 : 6, put < 0 ? NULL : &reader, r),
        "submit");
  begun++;
}

static void ask_all(void)
{
  int before;
  do {
    before = begun;
    if(http && begun - done < at_once && begun < total)
      ask();
  } while(begun != before);
}

static int on_consumed(nghttp3_conn *h, int64_t id, size_t n, void *user, void *request)
{
  (void)h;
  (void)user;
  (void)request;
  ngtcp2_conn_extend_max_stream_offset(quic, id, n);
  ngtcp2_conn_extend_max_offset(quic, n);
  return 0;
}

static int on_body(nghttp3_conn *h, int64_t id, const uint8_t *p, size_t n, void *user, void *request)
{
  (void)p;
  got += (long long)n;
  return on_consumed(h, id, n, user, request);
}

static int on_end(nghttp3_conn *h, int64_t id, uint64_t error, void *user, void *request)
{
  (void)h;
  (void)id;
  (void)error;
  (void)user;
  free(request);
  done++;
  if(begun < total)
    ask();
  return 0;
}

static int begin_http(void)
{
  nghttp3_callbacks callbacks = { .recv_data = on_body, .deferred_consume = on_consumed,
                                  .stream_close = on_end };
  nghttp3_settings settings;
  int64_t id[3];
  int i;
  if(http || ngtcp2_conn_get_streams_uni_left(quic) < 3)
    return 0;
  nghttp3_settings_default(&settings);
  settings.qpack_max_dtable_capacity = 4096;
  settings.qpack_blocked_streams = 100;
  if(nghttp3_conn_client_new(&http, &callbacks, &settings, NULL, NULL))
    return -1;
  for(i = 0; i < 3; i++)
    if(ngtcp2_conn_open_uni_stream(quic, &id[i], NULL))
      return -1;
  return nghttp3_conn_bind_control_stream(http, id[0]) || nghttp3_conn_bind_qpack_streams(http, id[1], id[2]);
}

/* ---- QUIC ---- */

static int on_handshake(ngtcp2_conn *q, void *user)
{
  (void)q;
  (void)user;
  return begin_http() ? NGTCP2_ERR_CALLBACK_FAILURE : 0;
}

static int on_data(ngtcp2_conn *q, uint32_t flags, int64_t id, uint64_t offset, const uint8_t *p, size_t n,
                   void *user, void *stream)
{
  nghttp3_ssize used = nghttp3_conn_read_stream(http, id, p, n, flags & NGTCP2_STREAM_DATA_FLAG_FIN);
  (void)offset;
  (void)user;
  (void)stream;
  if(used < 0)
    return NGTCP2_ERR_CALLBACK_FAILURE;
  ngtcp2_conn_extend_max_stream_offset(q, id, (uint64_t)used);
  ngtcp2_conn_extend_max_offset(q, (uint64_t)used);
  return 0;
}

static int on_acknowledged(ngtcp2_conn *q, int64_t id, uint64_t offset, uint64_t n, void *user, void *stream)
{
  (void)q;
  (void)offset;
  (void)user;
  (void)stream;
  return http && nghttp3_conn_add_ack_offset(http, id, n) ? NGTCP2_ERR_CALLBACK_FAILURE : 0;
}

static int on_close(ngtcp2_conn *q, uint32_t flags, int64_t id, uint64_t code, void *user, void *stream)
{
  int rc;
  (void)q;
  (void)user;
  (void)stream;
  if(!(flags & NGTCP2_STREAM_CLOSE_FLAG_APP_ERROR_CODE_SET))
    code = NGHTTP3_H3_NO_ERROR;
  rc = http ? nghttp3_conn_close_stream(http, id, code) : 0;
  return rc && rc != NGHTTP3_ERR_STREAM_NOT_FOUND ? NGTCP2_ERR_CALLBACK_FAILURE : 0;
}

static int on_streams(ngtcp2_conn *q, uint64_t most, void *user)
{
  (void)q;
  (void)most;
  (void)user;
  ask_all();
  return 0;
}

static int on_credit(ngtcp2_conn *q, int64_t id, uint64_t most, void *user, void *stream)
{
  (void)q;
  (void)most;
  (void)user;
  (void)stream;
  return http && nghttp3_conn_unblock_stream(http, id) ? NGTCP2_ERR_CALLBACK_FAILURE : 0;
}

static void on_rand(uint8_t *to, size_t n, const ngtcp2_rand_ctx *context)
{
  (void)context;
  RAND_bytes(to, (int)n);
}

static int on_new_id(ngtcp2_conn *q, ngtcp2_cid *id, uint8_t *token, size_t n, void *user)
{
  (void)q;
  (void)user;
  RAND_bytes(id->data, (int)n);
  id->datalen = n;
  RAND_bytes(token, NGTCP2_STATELESS_RESET_TOKENLEN);
  return 0;
}

static const ngtcp2_callbacks quic_callbacks = {
  .client_initial = ngtcp2_crypto_client_initial_cb,
  .recv_crypto_data = ngtcp2_crypto_recv_crypto_data_cb,
  .encrypt = ngtcp2_crypto_encrypt_cb,
  .decrypt = ngtcp2_crypto_decrypt_cb,
  .hp_mask = ngtcp2_crypto_hp_mask_cb,
  .recv_retry = ngtcp2_crypto_recv_retry_cb,
  .update_key = ngtcp2_crypto_update_key_cb,
  .delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb,
  .delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb,
  .get_path_challenge_data = ngtcp2_crypto_get_path_challenge_data_cb,
  .version_negotiation = ngtcp2_crypto_version_negotiation_cb,
  .rand = on_rand,
  .get_new_connection_id = on_new_id,
  .handshake_completed = on_handshake,
  .recv_stream_data = on_data,
  .acked_stream_data_offset = on_acknowledged,
  .stream_close = on_close,
  .extend_max_local_streams_bidi = on_streams,
  .extend_max_stream_data = on_credit,
};

/* ---- datagrams ---- */

static void send_packets(const uint8_t *p, size_t n, size_t each)
{
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(uint16_t))];
  } control = { .bytes = { 0 } };
  struct iovec io = { (void *)(uintptr_t)p, n };
  struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1 };
  uint16_t segment = (uint16_t)each;
  if(!n)
    return;
  if(n > each) {
    struct cmsghdr *h;
    m.msg_control = &control;
    m.msg_controllen = sizeof control;
    h = CMSG_FIRSTHDR(&m);
    h->cmsg_level = IPPROTO_UDP;
    h->cmsg_type = UDP_SEGMENT;
    h->cmsg_len = CMSG_LEN(sizeof segment);
    memcpy(CMSG_DATA(h), &segment, sizeof segment);
  }
  if(sendmsg(s, &m, 0) < 0 && errno != EAGAIN)
    raw_fail("sendmsg");
}

static size_t write_packet(uint8_t *to, ngtcp2_tstamp at)
{
  for(;;) {
    nghttp3_vec vec[8];
    nghttp3_ssize count = 0;
    ngtcp2_ssize taken = -1;
    ngtcp2_ssize n;
    ngtcp2_pkt_info info;
    uint32_t flags = NGTCP2_WRITE_STREAM_FLAG_MORE;
    int64_t id = -1;
    int end = 0;
    if(http && ngtcp2_conn_get_max_data_left(quic))
      count = nghttp3_conn_writev_stream(http, &id, &end, vec, 8);
    if(end)
      flags |= NGTCP2_WRITE_STREAM_FLAG_FIN;
    n = ngtcp2_conn_writev_stream(quic, NULL, &info, to, DATAGRAM, &taken, flags, id, (ngtcp2_vec *)vec,
                                  (size_t)count, at);
    if(n == NGTCP2_ERR_STREAM_DATA_BLOCKED)
      nghttp3_conn_block_stream(http, id);
    else if(n == NGTCP2_ERR_STREAM_SHUT_WR)
      nghttp3_conn_shutdown_stream_write(http, id);
    else if(n == NGTCP2_ERR_WRITE_MORE)
      nghttp3_conn_add_write_offset(http, id, (size_t)taken);
    else {
      check(n < 0, "write");
      if(taken >= 0 && http)
        nghttp3_conn_add_write_offset(http, id, (size_t)taken);
      return (size_t)n;
    }
  }
}

static void send_all(void)
{
  static uint8_t out[65536];
  ngtcp2_tstamp at = now();
  size_t n = 1;
  while(n) {
    size_t have = 0;
    size_t each = 0;
    size_t most = ngtcp2_conn_get_send_quantum(quic);
    if(most > sizeof out - 2 * DATAGRAM)
      most = sizeof out - 2 * DATAGRAM;
    while((n = write_packet(out + have, at)) > 0) {
      if(!each)
        each = n;
      if(n > each) {
        send_packets(out, have, each);
        memmove(out, out + have, n);
        have = 0;
        each = n;
      }
      have += n;
      if(n < each || have + each > most)
        break;
    }
    send_packets(out, have, each);
  }
  ngtcp2_conn_update_pkt_tx_time(quic, at);
}

static void take(const uint8_t *p, size_t n, size_t each)
{
  ngtcp2_path path_of = { { (ngtcp2_sockaddr *)&local, sizeof local },
                          { (ngtcp2_sockaddr *)&raw_address, sizeof raw_address }, NULL };
  ngtcp2_pkt_info info = { 0 };
  ngtcp2_tstamp at = now();
  while(n) {
    size_t k = n < each ? n : each;
    check(ngtcp2_conn_read_pkt(quic, &path_of, &info, p, k, at), "read");
    p += k;
    n -= k;
  }
}

static void take_all(void)
{
  static uint8_t in[65536];
  int calls;
  for(calls = 0; calls < 64; calls++) {
    union {
      struct cmsghdr align;
      char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec io = { in, sizeof in };
    struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control,
                        .msg_controllen = sizeof control };
    ssize_t n = recvmsg(s, &m, 0);
    size_t each = sizeof in;
    struct cmsghdr *h;
    if(n < 0)
      return;
    for(h = CMSG_FIRSTHDR(&m); h; h = CMSG_NXTHDR(&m, h))
      if(h->cmsg_level == IPPROTO_UDP && h->cmsg_type == UDP_GRO) {
        int segment;
        memcpy(&segment, CMSG_DATA(h), sizeof segment);
        each = (size_t)segment;
      }
    take(in, (size_t)n, each);
  }
}

static void wait_and_take(void)
{
  ngtcp2_tstamp at = ngtcp2_conn_get_expiry(quic);
  ngtcp2_tstamp t = now();
  ngtcp2_tstamp left = at > t ? at - t : 0;
  struct pollfd p = { s, POLLIN, 0 };
  struct timespec ts;
  if(left > 20 * NGTCP2_SECONDS)
    left = 20 * NGTCP2_SECONDS;
  ts.tv_sec = (time_t)(left / NGTCP2_SECONDS);
  ts.tv_nsec = (long)(left % NGTCP2_SECONDS);
  ppoll(&p, 1, &ts, NULL);
  if(p.revents)
    take_all();
  t = now();
  if(ngtcp2_conn_get_expiry(quic) <= t)
    check(ngtcp2_conn_handle_expiry(quic, t), "expiry");
}

/* ---- the connection ---- */

static ngtcp2_conn *conn_of(ngtcp2_crypto_conn_ref *r)
{
  (void)r;
  return quic;
}

static void open_socket(void)
{
  int on = 1;
  int room = 4 << 20;
  socklen_t len = sizeof local;
  s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  setsockopt(s, IPPROTO_UDP, UDP_GRO, &on, sizeof on);
  if(connect(s, (struct sockaddr *)&raw_address, sizeof raw_address) ||
     getsockname(s, (struct sockaddr *)&local, &len))
    raw_fail("socket");
}

static void open_quic(void)
{
  ngtcp2_path path_of = { { (ngtcp2_sockaddr *)&local, sizeof local },
                          { (ngtcp2_sockaddr *)&raw_address, sizeof raw_address }, NULL };
  ngtcp2_transport_params params;
  ngtcp2_settings settings;
  ngtcp2_cid dcid = { .datalen = 16 };
  ngtcp2_cid scid = { .datalen = 8 };
  RAND_bytes(dcid.data, 16);
  RAND_bytes(scid.data, 8);
  ngtcp2_settings_default(&settings);
  settings.initial_ts = now();
  ngtcp2_transport_params_default(&params);
  params.initial_max_data = 2 * WINDOW;
  params.initial_max_stream_data_bidi_local = WINDOW;
  params.initial_max_stream_data_uni = 65536;
  params.initial_max_streams_uni = 3;
  params.max_idle_timeout = 30 * NGTCP2_SECONDS;
  params.max_udp_payload_size = DATAGRAM;
  check(ngtcp2_conn_client_new(&quic, &dcid, &scid, &path_of, NGTCP2_PROTO_VER_V1, &quic_callbacks, &settings,
                               &params, NULL, NULL), "new");
}

static void open_tls(void)
{
  SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
  SSL *ssl = SSL_new(ctx);
  ngtcp2_crypto_ossl_ctx *tls;
  check(ngtcp2_crypto_ossl_configure_client_session(ssl), "TLS");
  conn_ref.get_conn = conn_of;
  SSL_set_app_data(ssl, &conn_ref);
  SSL_set_connect_state(ssl);
  SSL_set_alpn_protos(ssl, (const unsigned char *)"\x02h3", 3);
  check(ngtcp2_crypto_ossl_ctx_new(&tls, ssl), "TLS");
  ngtcp2_conn_set_tls_native_handle(quic, tls);
}

int main(int argc, char **argv)
{
  double clock;
  double user;
  double sys;
  total = argc > 5 ? atoi(argv[4]) : 0;
  at_once = argc > 5 ? atoi(argv[5]) : 0;
  if(argc > 6)
    put = atoll(argv[6]);
  if(total < 1 || at_once < 1)
    return 2;
  raw_begin(argv, "");
  path = argv[3];
  ngtcp2_crypto_ossl_init();
  open_socket();
  clock = raw_clock();
  open_quic();
  open_tls();
  send_all();
  while(done < total) {
    wait_and_take();
    ask_all();
    send_all();
  }
  raw_cpu(&user, &sys);
  clock = raw_clock() - clock;
  printf("result rate=%.1f done=%d bytes=%lld clock=%.6f cpu=%.6f\n", total / clock, done, got, clock,
         user + sys);
  return 0;
}
