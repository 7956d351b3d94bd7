/* Tests of tls/x509/trust.h as builds without part tls_files have it, under other names where this build has
 * the part. Needs accounts. links: ssl crypto */
#include "parts.h"

#undef MOTE_HAS_TLS_FILES
#define MOTE_HAS_TLS_FILES 0
#define mote_trust_open blob_open
#define mote_trust_release blob_release
#define mote_trust_lasts blob_lasts
#define mote_trust_find blob_find
#define mote_trust_count blob_count
#include "../../../src/tls/x509/trust_blob.c"

#include "test.h"

#include "peer.h"
#include "tls/x509/trust.h"

#define ROOTS 3

static struct cert roots[ROOTS];
static char room[16384];

static void make_roots(void)
{
  static const char *const names[ROOTS] = { "Root A", "Root B", "Root A" };
  int i;
  for(i = 0; i < ROOTS; i++)
    cert_make(&roots[i], NULL, &(struct cert_wish){ .name = names[i], .ca = true, .serial = i + 1 });
}

static void free_roots(void)
{
  int i;
  for(i = 0; i < ROOTS; i++)
    cert_free(&roots[i]);
}

/* All roots, one after the other. */
static struct mote_slice der_bundle(void)
{
  unsigned char *p = (unsigned char *)room;
  int i;
  for(i = 0; i < ROOTS; i++)
    CHECK(i2d_X509(roots[i].x, &p) > 0);
  return (struct mote_slice){ room, (size_t)(p - (unsigned char *)room) };
}

static struct mote_slice text_of(BIO *bio)
{
  char *text;
  long len = BIO_get_mem_data(bio, &text);
  memcpy(room, text, (size_t)len);
  BIO_free(bio);
  return (struct mote_slice){ room, (size_t)len };
}

/* With what may stand between them. */
static struct mote_slice pem_bundle(void)
{
  BIO *bio = BIO_new(BIO_s_mem());
  int i;
  for(i = 0; i < ROOTS; i++) {
    BIO_printf(bio, "0 words\n-----BEGIN NOTHING-----\nAAAA\n-----END NOTHING-----\n");
    PEM_write_bio_X509(bio, roots[i].x);
  }
  return text_of(bio);
}

/* LF to CRLF. */
static struct mote_slice with_crlf(struct mote_slice s)
{
  BIO *bio = BIO_new(BIO_s_mem());
  size_t i;
  for(i = 0; i < s.len; i++)
    BIO_printf(bio, s.ptr[i] == '\n' ? "\r\n" : "%c", s.ptr[i]);
  return text_of(bio);
}

/* Serial numbers of the certificates that were found, as digits. */
static char found[16];
static bool lasting;

struct asked {
  struct mote_trust *t;
};

static void note(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  const struct asked *a = arg;
  const unsigned char *p = der;
  X509 *x = d2i_X509(NULL, &p, (long)len);
  CHECK(!trusted);
  lasting = mote_trust_lasts(a->t, der);
  if(x && strlen(found) < sizeof found - 1)
    found[strlen(found)] = (char)('0' + ASN1_INTEGER_get(X509_get0_serialNumber(x)));
  X509_free(x);
}

static CURLcode find(struct mote_trust *t, const X509 *x)
{
  struct asked a = { t };
  const unsigned char *der;
  size_t len;
  memset(found, 0, sizeof found);
  CHECK(X509_NAME_get0_der(X509_get_subject_name(x), &der, &len));
  return mote_trust_find(t, der, len, note, &a);
}

static void check_bundle(struct mote_slice s, bool der)
{
  struct mote_trust *t;
  size_t before = test_mem.bytes;
  if(!CHECK_INT(mote_trust_open(&t, "ignored", s, -1), CURLE_OK) || !t)
    return;
  CHECK(test_mem.bytes - before <= 2 * sizeof(void *)); /* nothing of it is copied */
  CHECK_INT(mote_trust_count(t), ROOTS);
  CHECK_INT(find(t, roots[0].x), CURLE_OK);
  CHECK_STR(found, "13");
  CHECK(lasting == der);
  CHECK_INT(find(t, roots[1].x), CURLE_OK);
  CHECK_STR(found, "2");
  mote_trust_release(t);
}

TEST(finds_by_subject)
{
  make_roots();
  check_bundle(der_bundle(), true);
  check_bundle(pem_bundle(), false);
  check_bundle(with_crlf(pem_bundle()), false);
  free_roots();
}

/* A lookup in DER takes no memory, one in PEM that of one certificate. */
TEST(takes_little_memory)
{
  struct mote_trust *t;
  size_t calls;
  size_t one;
  make_roots();
  one = (size_t)i2d_X509(roots[0].x, NULL);
  CHECK_INT(mote_trust_open(&t, NULL, der_bundle(), -1), CURLE_OK);
  calls = test_mem.calls;
  CHECK_INT(find(t, roots[0].x), CURLE_OK);
  CHECK_INT(test_mem.calls, calls);
  mote_trust_release(t);
  CHECK_INT(mote_trust_open(&t, NULL, pem_bundle(), -1), CURLE_OK);
  CHECK_INT(find(t, roots[0].x), CURLE_OK);
  CHECK(test_mem.peak < one + one / 20 + 40);
  mote_trust_release(t);
  free_roots();
}

TEST(a_last_line_needs_no_end)
{
  struct mote_slice s;
  make_roots();
  s = pem_bundle();
  s.len--;
  check_bundle(s, false);
  free_roots();
}

/* One wrong character makes a certificate none. */
TEST(passes_over_what_is_not_base64)
{
  struct mote_trust *t;
  struct mote_slice s;
  char *second;
  make_roots();
  s = pem_bundle();
  second = strstr(room, "CERTIFICATE-----\n") + 90;
  CHECK(second[-1] != '\n');
  memmove(second + 1, second, s.len - (size_t)(second - room));
  *second = '!';
  s.len++;
  CHECK_INT(mote_trust_open(&t, NULL, s, -1), CURLE_OK);
  CHECK_INT(mote_trust_count(t), ROOTS - 1);
  CHECK_INT(find(t, roots[0].x), CURLE_OK);
  CHECK_STR(found, "3");
  mote_trust_release(t);
  free_roots();
}

/* A block that is not base64, and one that a BEGIN line ends, are passed over; not what follows. */
TEST(passes_over_bad_blocks)
{
  struct mote_trust *t;
  BIO *bio = BIO_new(BIO_s_mem());
  make_roots();
  BIO_printf(bio, "%s\nAA!A\n-----END CERTIFICATE-----\n%s\nAAAA\n", begin, begin);
  PEM_write_bio_X509(bio, roots[1].x);
  BIO_printf(bio, "%s\n-----END CERTIFICATE-----\n%s\nAAAA", begin, begin);
  CHECK_INT(mote_trust_open(&t, NULL, text_of(bio), -1), CURLE_OK);
  CHECK_INT(mote_trust_count(t), 1);
  CHECK_INT(find(t, roots[1].x), CURLE_OK);
  CHECK_STR(found, "2");
  mote_trust_release(t);
  free_roots();
}

TEST(refuses_what_has_no_certificate)
{
  static const char *const texts[] = {
    "", "-", "nothing here\n", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\n",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "0\x82\x7f", "0"
  };
  struct mote_trust *t;
  size_t i;
  for(i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct mote_slice s = { texts[i], strlen(texts[i]) };
    CHECK_INT(mote_trust_open(&t, NULL, s, -1), CURLE_SSL_CACERT_BADFILE);
    CHECK(!t);
  }
  CHECK_INT(mote_trust_open(&t, "file", (struct mote_slice){ NULL, 0 }, -1), CURLE_SSL_CACERT_BADFILE);
}

/* Cut anywhere, or changed: nothing is read beyond. */
TEST(survives_any_bundle)
{
  char *all;
  struct mote_slice s;
  int round;
  make_roots();
  s = der_bundle();
  all = malloc(s.len);
  memcpy(all, s.ptr, s.len);
  for(round = 0; round < 4000; round++) {
    bool pem = round % 2;
    struct mote_slice whole = pem ? pem_bundle() : (struct mote_slice){ all, s.len };
    size_t len = test_random() % (whole.len + 1);
    char *copy = malloc(len + !len);
    struct mote_slice some = { copy, len };
    struct mote_trust *t;
    memcpy(copy, whole.ptr, len);
    if(len && round % 4 > 1)
      copy[test_random() % len] = (char)test_random();
    if(!mote_trust_open(&t, NULL, some, -1))
      CHECK_INT(find(t, roots[0].x), CURLE_OK);
    mote_trust_release(t);
    free(copy);
  }
  free(all);
  free_roots();
}

static void scenario(void)
{
  struct mote_trust *t;
  CURLcode rc = mote_trust_open(&t, NULL, pem_bundle(), -1);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed && !t));
  if(rc)
    return;
  rc = find(t, roots[0].x);
  CHECK(rc == CURLE_OK ? !strcmp(found, "13") : rc == CURLE_OUT_OF_MEMORY && test_mem.failed);
  mote_trust_release(t);
}

TEST(survives_without_memory)
{
  make_roots();
  run_with_failures(scenario);
  free_roots();
}

int main(void)
{
  TEST_RUN(finds_by_subject);
  TEST_RUN(takes_little_memory);
  TEST_RUN(a_last_line_needs_no_end);
  TEST_RUN(passes_over_what_is_not_base64);
  TEST_RUN(passes_over_bad_blocks);
  TEST_RUN(refuses_what_has_no_certificate);
  TEST_RUN(survives_any_bundle);
  TEST_RUN(survives_without_memory);
  return test_end();
}
