/* tls/x509/trust_blob.c: the certificates of a bundle that lies in memory (trust.h, without part
 * tls_files), DER or PEM (RFC 7468). There is no index. Each lookup reads the bundle again, which takes no
 * memory if it is DER. */
#include <string.h>

#include "base/digest/base64.h"
#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "tls/x509/der.h"
#include "tls/x509/trust.h"

struct mote_trust {
  struct mote_slice bundle; /* the caller's */
};

struct search {
  const uint8_t *name;
  size_t len;          /* bytes at name; 0: only count */
  mote_trust_fn *fn;
  void *arg;
  uint32_t count;      /* certificates seen */
};

static void trust_blob_look_at(struct search *s, const uint8_t *der, size_t len)
{
  struct mote_der subject;
  if(!mote_der_subject(der, len, &subject))
    return;
  s->count++;
  if(subject.whole_len == s->len && !memcmp(subject.whole, s->name, s->len))
    s->fn(s->arg, der, len, false);
}

static const char begin[] = "-----BEGIN CERTIFICATE-----";

/* Decodes base64 and returns the number of bytes, 0 if it is not base64. */
static size_t trust_blob_decode(const char *p, const char *end, uint8_t *to)
{
  uint32_t bits = 0;
  unsigned count = 0; /* bits not yet in `to` */
  size_t n = 0;
  for(; p < end && *p != '='; p++) {
    int digit = mote_base64_digit(*p);
    if(mote_is_space(*p))
      continue;
    if(digit < 0)
      return 0;
    bits = bits << 6 | (uint32_t)digit;
    count += 6;
    if(count >= 8) {
      count -= 8;
      to[n++] = (uint8_t)(bits >> count);
    }
  }
  return n;
}

static CURLcode look_at_block(const char *p, const char *end, struct search *s)
{
  struct mote_account *a = mote_mem_process();
  size_t room = (size_t)(end - p) * 3 / 4 + 1;
  uint8_t *der = mote_mem_alloc(a, MOTE_PART_TLS, room);
  if(!der)
    return CURLE_OUT_OF_MEMORY;
  trust_blob_look_at(s, der, trust_blob_decode(p, end, der));
  mote_mem_free(a, MOTE_PART_TLS, der, room);
  return CURLE_OK;
}

/* Less than pem.h does, in less code. Text outside of "CERTIFICATE" blocks is passed over, and so is a
 * block that is not base64. Each certificate takes a block of memory while it is looked at. */
static CURLcode read_pem(struct mote_slice text, struct search *s)
{
  const char *p = text.ptr;
  const char *end = p + text.len;
  const char *body = NULL; /* inside a block: its first line */
  CURLcode rc = CURLE_OK;
  while(p < end && !rc) {
    size_t left = (size_t)(end - p);
    const char *next = memchr(p, '\n', left);
    next = next ? next + 1 : end;
    if(*p == '-') {
      if(body)
        rc = look_at_block(body, p, s);
      body = left >= sizeof begin && !memcmp(p, begin, sizeof begin - 1) ? next : NULL;
    }
    p = next;
  }
  return rc;
}

static CURLcode read_bundle(struct mote_slice bundle, struct search *s)
{
  const uint8_t *p = (const uint8_t *)bundle.ptr;
  const uint8_t *end = p + bundle.len;
  struct mote_der e;
  if(!mote_der_subject(p, bundle.len, &e))
    return read_pem(bundle, s);
  while(mote_der_next(&p, end, &e))
    trust_blob_look_at(s, e.whole, e.whole_len);
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

/* One block of PEM is decoded at a time. */
void mote_trust_ceiling(const char *file, struct mote_slice blob, struct mote_ceiling *c)
{
  (void)file;
  mote_ceiling_add(c, 1, sizeof(struct mote_trust));
  mote_ceiling_add(c, 1, blob.len * 3 / 4 + 1);
}
