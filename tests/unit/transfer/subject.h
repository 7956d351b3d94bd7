/* tests/unit/transfer/subject.h: a transfer with a run and a parsed URL, without a handle: for tests of
 * single parts. */
#ifndef MOTE_TEST_SUBJECT_H
#define MOTE_TEST_SUBJECT_H

#include "codec/url/url.h"
#include "codec/url/url_pack.h"
#include "transfer/options/options.h"
#include "transfer/protocol.h"
#include "transfer/run.h"
#include "transfer/transfer.h"

#include "test.h"

#define ID(option) MOTE_OPT_ID(CURLOPT_##option)

struct subject {
  struct mote_transfer t;
  union {
    struct mote_run run;
    struct mote_run_block block;
  };
  char error[CURL_ERROR_SIZE];
};

static inline bool subject_url(struct subject *s, const char *text)
{
  struct mote_url_how how = {.flags = 0, .account = &s->t.account};
  struct mote_url u;
  CURLUcode rc;
  mote_url_packed_close(&s->run.request.url, &s->t.account);
  rc = mote_url_parse(&u, text, strlen(text), &how);
  if(!rc) {
    rc = mote_url_pack(&s->run.request.url, &u, &s->t.account);
    mote_url_close(&u);
  }
  return CHECK(!rc || (rc == CURLUE_OUT_OF_MEMORY && test_mem.failed)) && !rc;
}

static inline void subject_begin(struct subject *s, const char *scheme)
{
  memset(s, 0, sizeof *s);
  mote_transfer_init(&s->t, NULL);
  s->t.run = &s->run;
  s->run.owner = &s->t;
  s->run.request.scheme = mote_scheme_find(scheme, strlen(scheme));
}

static inline void subject_end(struct subject *s)
{
  mote_url_packed_close(&s->run.request.url, &s->t.account);
  mote_options_close(&s->t.options);
  CHECK_ACCOUNT(&s->t.account);
}

#endif
