/* tests/unit/http/exchange.h: an exchange of HTTP that no protocol carries, for tests of http/ alone. */
#ifndef MOTE_TEST_EXCHANGE_H
#define MOTE_TEST_EXCHANGE_H

#include "http/http.h"
#include "net/conn_struct.h"
#include "transfer/download/headers.h"
#include "transfer/subject.h"

struct exchange {
  struct subject s;
  _Alignas(16) char conn[sizeof(struct mote_conn) + sizeof(struct mote_http)];
  _Alignas(8) char tail[64]; /* of the run: headers beyond it take a block */
};

/* A GET from the URL, of a handle without options. */
static inline bool exchange_begin(struct exchange *x, const char *url)
{
  memset(x, 0, sizeof *x);
  subject_begin(&x->s, "http");
  x->s.run.channel.conn = (struct mote_conn *)(void *)x->conn;
  mote_headers_init(&x->s.run.response.headers, x->tail, sizeof x->tail);
  return subject_url(&x->s, url);
}

static inline void exchange_end(struct exchange *x)
{
  mote_text_free(&x->s.t, x->s.run.request.redirect);
  mote_headers_close(&x->s.run.response.headers, &x->s.t.account);
  subject_end(&x->s);
}

static inline bool exchange_text(struct exchange *x, uint16_t id, const char *value)
{
  CURLcode rc = mote_option_set_str(&x->s.t.options, id, value, strlen(value));
  return CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed)) && !rc;
}

#endif
