/* tls/wolfssl/wolfssl_buffers.c: between wolfSSL's records and the stream below. To receive, wolfSSL asks
 * for a header, then for the record. When it sends, it always hears that all was taken, and what the
 * transport has no room for is kept here. */
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "tls/wolfssl/wolfssl.h"

/* Bytes of answers to the server's messages that wait while it takes nothing in: more than a client
 * certificate that it asks for, far fewer than a server can ask for with KeyUpdate. */
#define QUEUE_MAX 65536u

int mote_wolfssl_recv(WOLFSSL *ssl, char *buf, int cap, void *arg)
{
  struct mote_wolfssl *t = arg;
  size_t n;
  CURLcode rc;
  (void)ssl;
  if(!t->head.below_ended && t->head.done && !t->pieces--) {
    t->pieces = 0;
    return WOLFSSL_CBIO_ERR_WANT_READ;
  }
  rc = mote_tls_receive_below(&t->head, buf, (size_t)cap, &n);
  if(rc)
    return rc == CURLE_AGAIN ? WOLFSSL_CBIO_ERR_WANT_READ : WOLFSSL_CBIO_ERR_GENERAL;
  return n ? (int)n : WOLFSSL_CBIO_ERR_CONN_CLOSE;
}

static void drop_queue(struct mote_wolfssl *t)
{
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, t->queue, t->queue_size);
  t->queue = NULL;
  t->queue_size = t->queue_at = 0;
}

CURLcode mote_wolfssl_flush(struct mote_wolfssl *t)
{
  while(t->queue_at < t->queue_size) {
    size_t n;
    CURLcode rc = mote_tls_send_below(&t->head, t->queue + t->queue_at, t->queue_size - t->queue_at, &n);
    if(rc)
      return rc;
    t->queue_at += (uint32_t)n;
  }
  if(t->queue)
    drop_queue(t);
  return CURLE_OK;
}

static bool wolfssl_buffers_enqueue(struct mote_wolfssl *t, const char *bytes, size_t len)
{
  uint8_t *p = mote_mem_realloc(t->head.stream.env->account, MOTE_PART_TLS, t->queue, t->queue_size,
                                t->queue_size + len);
  if(!p)
    return false;
  memcpy(p + t->queue_size, bytes, len);
  t->queue = p;
  t->queue_size += (uint32_t)len;
  return true;
}

/* The handshake bounds its own bytes, and send() those of the caller: it waits until the queue is empty. */
static bool wolfssl_buffers_is_full(struct mote_wolfssl *t)
{
  if(!t->head.done || t->queue_size < QUEUE_MAX)
    return false;
  t->rc = mote_fail_as(CURLE_RECV_ERROR, t->head.stream.env->report,
                       "wolfSSL: the server asks for answers that it does not read");
  return true;
}

int mote_wolfssl_send(WOLFSSL *ssl, char *buf, int len, void *arg)
{
  struct mote_wolfssl *t = arg;
  size_t n = 0;
  CURLcode rc;
  (void)ssl;
  rc = mote_wolfssl_flush(t);
  if(!rc)
    rc = mote_tls_send_below(&t->head, buf, (size_t)len, &n);
  if(rc && rc != CURLE_AGAIN)
    return WOLFSSL_CBIO_ERR_GENERAL;
  if(rc)
    n = 0;
  if(n < (size_t)len && wolfssl_buffers_is_full(t))
    return WOLFSSL_CBIO_ERR_GENERAL;
  if(n < (size_t)len && !wolfssl_buffers_enqueue(t, buf + n, (size_t)len - n)) {
    t->head.below = CURLE_OUT_OF_MEMORY;
    return WOLFSSL_CBIO_ERR_GENERAL;
  }
  return len;
}
