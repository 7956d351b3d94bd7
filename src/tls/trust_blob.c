/* tls/trust_blob.c: the certificates of a bundle that lies in memory (trust.h, without part tls_files). There
 * is no index: each lookup reads the bundle again, which takes no memory if it is DER. */
#include <string.h>

#include "base/memory.h"
#include "tls/der.h"
#include "tls/trust.h"
#include "tls/trust_pem.h"

struct mote_trust {
  struct mote_slice bundle; /* the caller's */
};

struct search {
  const uint8_t *name;
  size_t len;          /* 0: nothing is looked for */
  mote_trust_fn *fn;
  void *arg;
  uint32_t count;      /* certificates seen */
};

static void look_at(void *arg, const uint8_t *der, size_t len)
{
  struct search *s = arg;
  struct mote_der subject;
  if(!mote_der_subject(der, len, &subject))
    return;
  s->count++;
  if(subject.whole_len == s->len && !memcmp(subject.whole, s->name, s->len))
    s->fn(s->arg, der, len, false);
}

static CURLcode read_bundle(struct mote_slice bundle, struct search *s)
{
  const uint8_t *p = (const uint8_t *)bundle.ptr;
  const uint8_t *end = p + bundle.len;
  struct mote_der e;
  if(!mote_der_subject(p, bundle.len, &e))
    return mote_trust_pem(bundle, look_at, s);
  while(mote_der_next(&p, end, &e))
    look_at(s, e.whole, e.whole_len);
  return CURLE_OK;
}

CURLcode mote_trust_open(struct mote_trust **out, const char *file, struct mote_slice blob, long timeout)
{
  struct search s = { 0 };
  CURLcode rc = read_bundle(blob, &s);
  (void)file;
  (void)timeout;
  *out = NULL;
  if(rc)
    return rc;
  if(!s.count)
    return CURLE_SSL_CACERT_BADFILE;
  *out = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, sizeof **out);
  if(!*out)
    return CURLE_OUT_OF_MEMORY;
  (*out)->bundle = blob;
  return CURLE_OK;
}

void mote_trust_release(struct mote_trust *t)
{
  mote_mem_free(mote_mem_process(), MOTE_PART_TLS, t, sizeof *t);
}

bool mote_trust_lasts(const struct mote_trust *t, const uint8_t *der)
{
  return (uintptr_t)der - (uintptr_t)t->bundle.ptr < t->bundle.len;
}

CURLcode mote_trust_find(struct mote_trust *t, const uint8_t *name, size_t len, mote_trust_fn *fn, void *arg)
{
  struct search s = { .name = name, .len = len, .fn = fn, .arg = arg };
  return read_bundle(t->bundle, &s);
}

uint32_t mote_trust_count(struct mote_trust *t)
{
  struct search s = { 0 };
  return read_bundle(t->bundle, &s) ? 0 : s.count;
}
