/* Fuzz target of src/net/h3, src/protocol/http3 and src/protocol/mux. Needs h3.
 *
 * Whole transfers over QUIC through the public interface. Their server is in this process, real up to the
 * streams, whose bytes are the input's: frames of HTTP/3, instructions of QPACK, in any pieces and order,
 * resets, the end; and datagrams that are no packets of QUIC or of no connection. Whatever it says, a transfer
 * ends when the server has gone.
 *
 * Input: byte 0 has what is asked for (OPTIONS below); then pieces, each of a byte that says what it is (PIECES
 * below), one with the length of what follows, and that.
 *
 * clang -fsanitize=fuzzer,address,undefined -Iinclude fuzz/fuzz_h3.c libmote.a … */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <ngtcp2/ngtcp2_crypto_ossl.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

/* OPTIONS, bits of the first byte */
#define UPLOAD 1u
#define TWO 2u /* transfers at a time */
#define AGAIN 4u /* one more after them */
#define LEAVES 8u /* the write callback ends the transfer */
#define EARLY 16u /* datagrams of the input come before the server's */

/* PIECES, the low four bits of the first byte of a piece; the high four are a number. */
enum {
  REQUEST,  /* bytes on the stream of the request with this number */
  OPENED,   /* bytes on the stream of the server's own with this number, 0 to 7 */
  LAST,     /* as REQUEST, and the stream ends */
  DATAGRAM, /* no packet of the connection */
  VERSIONS, /* version negotiation with these versions */
  RESET,    /* of a request's stream, with this code */
  STOP,     /* STOP_SENDING, likewise */
  KINDS
};

#define PEERS 4
#define STREAMS 8
#define TURNS_AFTER_END 5000 /* of a millisecond */

struct peer {
  ngtcp2_crypto_conn_ref ref; /* first */
  ngtcp2_conn *conn;
  ngtcp2_crypto_ossl_ctx *context;
  SSL *ssl;
  struct sockaddr_in client, server;
  int64_t opened[STREAMS]; /* -1: not yet */
  bool shaken;
};

struct server {
  int fd; /* -1: it has gone */
  struct sockaddr_in at;
  struct sockaddr_in last; /* where the last datagram came from */
  ngtcp2_version_cid ids; /* of its packet, in `packet` */
  uint8_t packet[2048];
  size_t waiting; /* bytes of the packet that it has not answered yet */
  struct peer peers[PEERS];
  int count;
  const uint8_t *bytes;
  size_t len;
};

static SSL_CTX *tls;

/* ---- the server's QUIC ---- */

static ngtcp2_tstamp now(void)
{
  struct timespec t;
  must(!clock_gettime(CLOCK_MONOTONIC, &t));
  return (ngtcp2_tstamp)t.tv_sec * NGTCP2_SECONDS + (ngtcp2_tstamp)t.tv_nsec;
}

static ngtcp2_conn *conn_of(ngtcp2_crypto_conn_ref *ref)
{
  return ((struct peer *)ref)->conn;
}

static void give_random(uint8_t *to, size_t len, const ngtcp2_rand_ctx *context)
{
  (void)context;
  must(RAND_bytes(to, (int)len) == 1);
}

static int new_id(ngtcp2_conn *conn, ngtcp2_cid *id, uint8_t *token, size_t len, void *user)
{
  (void)conn;
  (void)user;
  id->datalen = len;
  must(RAND_bytes(id->data, (int)len) == 1 && RAND_bytes(token, NGTCP2_STATELESS_RESET_TOKENLEN) == 1);
  return 0;
}

static int is_shaken(ngtcp2_conn *conn, void *user)
{
  (void)conn;
  ((struct peer *)user)->shaken = true;
  return 0;
}

static const ngtcp2_callbacks callbacks = {
  .recv_client_initial = ngtcp2_crypto_recv_client_initial_cb,
  .recv_crypto_data = ngtcp2_crypto_recv_crypto_data_cb,
  .encrypt = ngtcp2_crypto_encrypt_cb,
  .decrypt = ngtcp2_crypto_decrypt_cb,
  .hp_mask = ngtcp2_crypto_hp_mask_cb,
  .update_key = ngtcp2_crypto_update_key_cb,
  .delete_crypto_aead_ctx = ngtcp2_crypto_delete_crypto_aead_ctx_cb,
  .delete_crypto_cipher_ctx = ngtcp2_crypto_delete_crypto_cipher_ctx_cb,
  .get_path_challenge_data = ngtcp2_crypto_get_path_challenge_data_cb,
  .version_negotiation = ngtcp2_crypto_version_negotiation_cb,
  .rand = give_random,
  .get_new_connection_id = new_id,
  .handshake_completed = is_shaken,
};

static void set_path(struct peer *p, ngtcp2_path *path)
{
  *path = (ngtcp2_path){.local = {(ngtcp2_sockaddr *)&p->server, sizeof p->server},
                        .remote = {(ngtcp2_sockaddr *)&p->client, sizeof p->client}};
}

static void open_tls(struct peer *p)
{
  p->ssl = SSL_new(tls);
  must(p->ssl && !ngtcp2_crypto_ossl_ctx_new(&p->context, p->ssl));
  p->ref.get_conn = conn_of;
  SSL_set_app_data(p->ssl, &p->ref);
  must(!ngtcp2_crypto_ossl_configure_server_session(p->ssl));
  SSL_set_accept_state(p->ssl);
  ngtcp2_conn_set_tls_native_handle(p->conn, p->context);
}

static struct peer *open_peer(struct server *s, const ngtcp2_pkt_hd *head)
{
  struct peer *p = &s->peers[s->count];
  ngtcp2_transport_params params;
  ngtcp2_settings settings;
  ngtcp2_path path;
  ngtcp2_cid own;
  int i;
  p->client = s->last;
  p->server = s->at;
  for(i = 0; i < STREAMS; i++)
    p->opened[i] = -1;
  own.datalen = 8;
  give_random(own.data, own.datalen, NULL);
  ngtcp2_settings_default(&settings);
  settings.initial_ts = now();
  ngtcp2_transport_params_default(&params);
  params.initial_max_data = 1 << 20;
  params.initial_max_stream_data_bidi_remote = params.initial_max_stream_data_uni = 1 << 18;
  params.initial_max_streams_bidi = 20;
  params.initial_max_streams_uni = 3;
  params.original_dcid = head->dcid;
  params.original_dcid_present = 1;
  set_path(p, &path);
  must(!ngtcp2_conn_server_new(&p->conn, &head->scid, &own, &path, head->version, &callbacks, &settings,
                               &params, NULL, p));
  open_tls(p);
  s->count++;
  return p;
}

static void close_peer(struct peer *p)
{
  ngtcp2_conn_del(p->conn);
  SSL_set_app_data(p->ssl, NULL);
  SSL_free(p->ssl);
  ngtcp2_crypto_ossl_ctx_del(p->context);
}

static void put(struct server *s, const struct sockaddr_in *to, const void *bytes, ngtcp2_ssize len)
{
  if(len > 0 && s->fd >= 0)
    (void)sendto(s->fd, bytes, (size_t)len, 0, (const struct sockaddr *)to, sizeof *to);
}

/* Writes what there is to write, with this for a stream first. */
static void write_packets(struct server *s, struct peer *p, int64_t id, bool end, const uint8_t *bytes,
                          size_t len)
{
  uint8_t packet[1472];
  ngtcp2_ssize n, taken;
  do {
    ngtcp2_vec vec = {(uint8_t *)(uintptr_t)bytes, len};
    n = ngtcp2_conn_writev_stream(p->conn, NULL, NULL, packet, sizeof packet, &taken,
                                  end ? NGTCP2_WRITE_STREAM_FLAG_FIN : 0, id, &vec, 1, now());
    if(n < 0 && id >= 0) { /* not any more, or not so much */
      id = -1;
      len = 0;
      end = false;
      n = 1;
      continue;
    }
    if(taken >= 0) {
      bytes += taken;
      len -= (size_t)taken;
      if(!len)
        id = -1;
    }
    put(s, &p->client, packet, n);
  } while(n > 0);
}

static struct peer *peer_of(struct server *s, size_t len)
{
  ngtcp2_pkt_hd head;
  int i;
  for(i = 0; i < s->count; i++)
    if(s->peers[i].client.sin_port == s->last.sin_port)
      return &s->peers[i];
  return s->count == PEERS || ngtcp2_accept(&head, s->packet, len) ? NULL : open_peer(s, &head);
}

static bool take_packet(struct server *s)
{
  socklen_t size = sizeof s->last;
  ssize_t n;
  if(s->waiting)
    return true;
  n = s->fd < 0 ? -1 : recvfrom(s->fd, s->packet, sizeof s->packet, 0, (struct sockaddr *)&s->last, &size);
  s->waiting = n > 0 ? (size_t)n : 0;
  return n > 0;
}

/* Takes what the client has sent. quiet: one packet, which it does not answer yet. Returns whether any came. */
static bool hear(struct server *s, bool quiet)
{
  bool any = false;
  ngtcp2_path path;
  while(take_packet(s)) {
    size_t len = s->waiting;
    bool other = ngtcp2_pkt_decode_version_cid(&s->ids, s->packet, len, 8) != 0;
    struct peer *p;
    if(quiet)
      return false;
    any = true;
    s->waiting = 0;
    p = other ? NULL : peer_of(s, len);
    if(!p)
      continue;
    set_path(p, &path);
    if(!ngtcp2_conn_read_pkt(p->conn, &path, NULL, s->packet, len, now()))
      write_packets(s, p, -1, false, NULL, 0);
  }
  return any;
}

static void leave(struct server *s)
{
  uint8_t packet[1472];
  ngtcp2_ccerr why;
  int i;
  ngtcp2_ccerr_default(&why);
  for(i = 0; i < s->count && s->fd >= 0; i++)
    put(s, &s->peers[i].client, packet,
        ngtcp2_conn_write_connection_close(s->peers[i].conn, NULL, NULL, packet, sizeof packet, &why, now()));
  if(s->fd >= 0)
    close(s->fd);
  s->fd = -1;
}

/* ---- what it says ---- */

static void say_versions(struct server *s, const uint8_t *bytes, size_t len)
{
  uint8_t packet[1200];
  uint32_t versions[64];
  size_t n = len / sizeof *versions;
  memcpy(versions, bytes, n * sizeof *versions);
  put(s, &s->last, packet,
      ngtcp2_pkt_write_version_negotiation(packet, sizeof packet, 0x55, s->ids.scid, s->ids.scidlen,
                                           s->ids.dcid, s->ids.dcidlen, versions, n));
}

/* A long header has the client's connection IDs, so that it is looked at. */
static void say_datagram(struct server *s, const uint8_t *bytes, size_t len)
{
  uint8_t packet[512];
  size_t n = 0;
  if(len > 5 && bytes[0] & 0x80) {
    memcpy(packet, bytes, 5);
    packet[5] = (uint8_t)s->ids.scidlen;
    if(s->ids.scidlen)
      memcpy(packet + 6, s->ids.scid, s->ids.scidlen);
    n = 6 + s->ids.scidlen;
    bytes += 5;
    len -= 5;
  }
  memcpy(packet + n, bytes, len);
  put(s, &s->last, packet, (ngtcp2_ssize)(n + len));
}

static void say_to(struct server *s, struct peer *p, unsigned kind, unsigned number, const uint8_t *bytes,
                   size_t len)
{
  int64_t id = 4 * (int64_t)number;
  uint64_t code = len ? 0x100u + bytes[0] : 0;
  if(kind == OPENED) {
    number %= STREAMS;
    if(p->opened[number] < 0 && ngtcp2_conn_open_uni_stream(p->conn, &p->opened[number], NULL))
      return;
    id = p->opened[number];
  }
  if(kind == RESET)
    (void)ngtcp2_conn_shutdown_stream_write(p->conn, 0, id, code);
  if(kind == STOP)
    (void)ngtcp2_conn_shutdown_stream_read(p->conn, 0, id, code);
  write_packets(s, p, kind == RESET || kind == STOP ? -1 : id, kind == LAST, bytes, len);
}

/* Says the next piece, if the client can hear it. Returns false when there is none. */
static bool say(struct server *s)
{
  struct peer *p = s->count ? &s->peers[s->count - 1] : NULL;
  unsigned kind;
  size_t len;
  if(s->len < 2)
    return false;
  kind = (s->bytes[0] & 15u) % KINDS;
  len = s->bytes[1] < s->len - 2 ? s->bytes[1] : s->len - 2;
  if(kind == VERSIONS)
    say_versions(s, s->bytes + 2, len);
  else if(kind == DATAGRAM)
    say_datagram(s, s->bytes + 2, len);
  else if(!p || !p->shaken)
    return true;
  else
    say_to(s, p, kind, s->bytes[0] >> 4, s->bytes + 2, len);
  s->bytes += len + 2;
  s->len -= len + 2;
  return true;
}

/* The next piece can be said before there is a connection. */
static bool is_for_no_stream(const struct server *s)
{
  unsigned kind = s->len < 2 ? KINDS : (s->bytes[0] & 15u) % KINDS;
  return kind == DATAGRAM || kind == VERSIONS;
}

/* ---- the client ---- */

static size_t take(char *bytes, size_t size, size_t n, void *user)
{
  if(size * n)
    memset(bytes, 'x', size * n); /* the application may write into what it gets */
  return *(unsigned *)user & LEAVES ? 0 : size * n;
}

static size_t take_line(char *bytes, size_t size, size_t n, void *user)
{
  (void)user;
  must(n && bytes[n - 1] == '\n' && !memchr(bytes, 0, n)); /* whole lines */
  return size * n;
}

static size_t give(char *room, size_t size, size_t n, void *user)
{
  size_t len = size * n < 3000 ? size * n : 3000;
  (void)user;
  memset(room, 'y', len);
  return len;
}

static CURL *make_easy(const struct server *s, unsigned *what)
{
  CURL *e = curl_easy_init();
  char url[40];
  snprintf(url, sizeof url, "https://127.0.0.1:%d/", ntohs(s->at.sin_port));
  curl_easy_setopt(e, CURLOPT_URL, url);
  curl_easy_setopt(e, CURLOPT_PROXY, "");
  curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_3ONLY);
  curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L);
  curl_easy_setopt(e, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(e, CURLOPT_WRITEDATA, what);
  curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, take_line);
  if(*what & UPLOAD) {
    curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(e, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(e, CURLOPT_INFILESIZE, 60000L);
  }
  return e;
}

/* The server goes when it has no more to say, after which the transfers must end. */
static void transfer(CURLM *m, CURL *const *all, int count, struct server *s, unsigned what)
{
  int running = 1, turns = 0, i;
  size_t left;
  bool silent = what & EARLY;
  for(i = 0; i < count; i++)
    must(curl_multi_add_handle(m, all[i]) == CURLM_OK);
  while(running) {
    must(curl_multi_perform(m, &running) == CURLM_OK);
    if(!running)
      break;
    if(hear(s, silent))
      continue;
    left = s->len;
    if(silent)
      silent = s->waiting ? is_for_no_stream(s) && say(s) : true;
    else if(!say(s) && s->count)
      leave(s);
    must(s->fd >= 0 || turns++ < TURNS_AFTER_END);
    (void)curl_multi_poll(m, NULL, 0, s->len == left, NULL);
  }
  for(i = 0; i < count; i++)
    must(curl_multi_remove_handle(m, all[i]) == CURLM_OK);
}

static void run(struct server *s, unsigned what)
{
  CURLM *m = curl_multi_init();
  CURL *all[2] = {make_easy(s, &what), make_easy(s, &what)};
  transfer(m, all, what & TWO ? 2 : 1, s, what);
  if(what & AGAIN)
    transfer(m, all, 1, s, 0);
  curl_easy_cleanup(all[0]);
  curl_easy_cleanup(all[1]);
  curl_multi_cleanup(m);
}

/* ---- once ---- */

static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *len, const unsigned char *in,
                           unsigned in_len, void *user)
{
  (void)ssl;
  (void)in;
  (void)in_len;
  (void)user;
  *out = (const unsigned char *)"h3";
  *len = 2;
  return SSL_TLSEXT_ERR_OK;
}

static void make_tls(void)
{
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *cert = X509_new();
  must(key && cert && !ngtcp2_crypto_ossl_init());
  ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert), -3600);
  X509_gmtime_adj(X509_getm_notAfter(cert), 86400);
  X509_set_pubkey(cert, key);
  must(X509_sign(cert, key, EVP_sha256()) > 0);
  tls = SSL_CTX_new(TLS_server_method());
  must(tls && SSL_CTX_use_certificate(tls, cert) == 1 && SSL_CTX_use_PrivateKey(tls, key) == 1);
  SSL_CTX_set_alpn_select_cb(tls, choose_protocol, NULL);
  X509_free(cert);
  EVP_PKEY_free(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static struct server s;
  socklen_t len = sizeof s.at;
  uint8_t *bytes;
  int i;
  if(!tls)
    make_tls();
  if(size < 1)
    return 0;
  memset(&s, 0, sizeof s);
  s.fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  s.at.sin_family = AF_INET;
  s.at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  must(s.fd >= 0 && !bind(s.fd, (struct sockaddr *)&s.at, sizeof s.at));
  must(!getsockname(s.fd, (struct sockaddr *)&s.at, &len));
  bytes = copy_of(data + 1, size - 1);
  s.bytes = bytes;
  s.len = size - 1;
  run(&s, data[0]);
  leave(&s);
  for(i = 0; i < s.count; i++)
    close_peer(&s.peers[i]);
  free(bytes);
  return 0;
}
