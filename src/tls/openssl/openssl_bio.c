/* tls/openssl/openssl_bio.c: the TLS library's transport is the stream below, whatever that is.
 *
 * The bytes that pass are followed through the record layer's framing (RFC 8446 section 5.1: type, version,
 * 16-bit length, body), because SSL_free_buffers() must not be called inside a record (CVE-2024-4741). */
#include "tls/openssl/openssl.h"

#include <openssl/bio.h>
#include <openssl/err.h>

#define RECORD_HEADER 5

static BIO_METHOD *method; /* made once, by mote_openssl_init() */
static int method_type;

bool mote_openssl_at_boundary(const struct mote_tls_stream *t)
{
  return !t->records.header_have && !t->records.body_left;
}

static void openssl_bio_follow(struct mote_tls_records *r, const unsigned char *p, size_t len)
{
  while(len) {
    if(r->body_left) {
      size_t n = len < r->body_left ? len : r->body_left;
      r->body_left = (uint16_t)(r->body_left - n);
      p += n;
      len -= n;
      continue;
    }
    if(r->header_have == 3)
      r->length_high = *p;
    if(++r->header_have == RECORD_HEADER) {
      r->body_left = (uint16_t)(r->length_high << 8 | *p);
      r->header_have = 0;
    }
    p++;
    len--;
  }
}

static int bio_read(BIO *bio, char *buf, int cap)
{
  struct mote_tls_stream *t = BIO_get_data(bio);
  size_t n;
  CURLcode rc;
  BIO_clear_retry_flags(bio);
  if(cap <= 0 || t->head.below_ended)
    return 0;
  if(!t->allowed) { /* the descriptor stays ready for the next call, maybe of the application's own */
    t->allowed = MOTE_OPENSSL_AT_ONCE;
    t->read_short = t->read_dry = false;
    BIO_set_retry_read(bio);
    return -1;
  }
  rc = mote_tls_receive_below(&t->head, buf, (size_t)cap, &n);
  t->read_short = rc || n < (size_t)cap;
  t->read_dry = rc == CURLE_AGAIN;
  if(rc == CURLE_AGAIN) {
    BIO_set_retry_read(bio);
    return -1;
  }
  if(rc)
    return -1;
  t->allowed = (uint16_t)(n < t->allowed ? t->allowed - n : 0);
  openssl_bio_follow(&t->records, (unsigned char *)buf, n);
  return (int)n;
}

/* A TLS stream below empties the thread's queue of errors, in which is what an alert that is being sent is
 * about. The first and the last one are all that is asked of it. */
static CURLcode send_below(struct mote_tls_stream *t, const char *buf, size_t len, size_t *n)
{
  unsigned long first = ERR_peek_error();
  unsigned long last = ERR_peek_last_error();
  CURLcode rc = mote_tls_send_below(&t->head, buf, len, n);
  if(!first || ERR_peek_error())
    return rc;
  ERR_raise(ERR_GET_LIB(first), ERR_GET_REASON(first));
  if(last != first)
    ERR_raise(ERR_GET_LIB(last), ERR_GET_REASON(last));
  return rc;
}

static int bio_write(BIO *bio, const char *buf, int len)
{
  struct mote_tls_stream *t = BIO_get_data(bio);
  size_t n;
  CURLcode rc;
  BIO_clear_retry_flags(bio);
  if(len <= 0)
    return 0;
  rc = t->head.stream.below->below ? send_below(t, buf, (size_t)len, &n) :
       mote_tls_send_below(&t->head, buf, (size_t)len, &n);
  if(rc == CURLE_AGAIN)
    BIO_set_retry_write(bio);
  return rc ? -1 : (int)n;
}

static long bio_ctrl(BIO *bio, int cmd, long number, void *pointer)
{
  (void)number;
  (void)pointer;
  if(cmd == BIO_CTRL_EOF)
    return ((struct mote_tls_stream *)BIO_get_data(bio))->head.below_ended;
  return cmd == BIO_CTRL_FLUSH || cmd == BIO_CTRL_DUP;
}

static int bio_create(BIO *bio)
{
  BIO_set_init(bio, 1);
  return 1;
}

bool mote_openssl_bio_init(void)
{
  BIO_METHOD *m;
  method_type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK;
  m = BIO_meth_new(method_type, "mote stream");
  if(m && BIO_meth_set_read(m, bio_read) && BIO_meth_set_write(m, bio_write) &&
     BIO_meth_set_ctrl(m, bio_ctrl) && BIO_meth_set_create(m, bio_create)) {
    method = m;
    return true;
  }
  BIO_meth_free(m);
  return false;
}

BIO *mote_openssl_bio(struct mote_tls_stream *t)
{
  BIO *bio = BIO_new(method);
  if(bio)
    BIO_set_data(bio, t);
  return bio;
}

struct mote_tls_stream *mote_tls_of_ssl(const SSL *ssl)
{
  BIO *bio = ssl ? SSL_get_rbio(ssl) : NULL;
  if(bio && BIO_method_type(bio) == method_type)
    return BIO_get_data(bio);
  return ssl ? mote_openssl_quic_stream(ssl) : NULL;
}
