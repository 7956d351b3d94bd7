/* Tests of tls/x509/trust.h. Needs accounts. links: ssl crypto */
#include "test.h"

#include "peer.h"
#include "tls/x509/trust.h"

static struct cert roots[4];

static void make_roots(void)
{
  static const char *const names[] = { "Root A", "Root B", "root  a", "Root C" };
  int i;
  for(i = 0; i < 4; i++) {
    struct cert_wish wish = { .name = names[i], .ca = true, .serial = i + 1 };
    cert_make(&roots[i], NULL, &wish);
  }
}

static void free_roots(void)
{
  int i;
  for(i = 0; i < 4; i++)
    cert_free(&roots[i]);
}

static const struct mote_slice no_blob;

/* Serial numbers of the certificates that were found, as digits. */
static char found[16];

static void note(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  const unsigned char *p = der;
  X509 *x = d2i_X509(NULL, &p, (long)len);
  (void)arg;
  (void)trusted;
  if(x && strlen(found) < sizeof found - 1)
    found[strlen(found)] = (char)('0' + ASN1_INTEGER_get(X509_get0_serialNumber(x)));
  X509_free(x);
}

static const char *find(struct mote_trust *t, const X509 *x)
{
  const unsigned char *der;
  size_t len;
  memset(found, 0, sizeof found);
  CHECK(X509_NAME_get0_der(X509_get_subject_name(x), &der, &len));
  CHECK_INT(mote_trust_find(t, der, len, note, NULL), CURLE_OK);
  return found;
}

static void write_bundle(const char *name)
{
  const struct cert *const all[] = { &roots[0], &roots[1], &roots[2], NULL };
  write_pem(name, all, true, NULL);
}

TEST(finds_by_subject)
{
  struct mote_trust *t;
  make_roots();
  write_bundle("bundle.pem");
  if(CHECK_INT(mote_trust_open(&t, in_dir("bundle.pem"), no_blob, -1), CURLE_OK)) {
    CHECK_INT(mote_trust_count(t), 3);
    CHECK_STR(find(t, roots[0].x), "13");
    CHECK_STR(find(t, roots[1].x), "2");
    CHECK_STR(find(t, roots[3].x), "");
  }
  mote_trust_release(t);
  free_roots();
}

TEST(keeps_twelve_bytes_a_certificate)
{
  struct mote_trust *t;
  const char *system_bundle = mote_tls_default_ca_file();
  size_t before = mote_mem_process()->live;
  if(!system_bundle || mote_trust_open(&t, system_bundle, no_blob, -1))
    return;
  CHECK(mote_mem_process()->live - before < 12 * (size_t)mote_trust_count(t) + 300);
  mote_trust_release(t);
}

/* Every certificate of the system's bundle is found by its own subject. */
TEST(finds_all_of_the_system)
{
  const char *system_bundle = mote_tls_default_ca_file();
  struct mote_trust *t;
  FILE *f;
  X509 *x;
  unsigned count = 0;
  if(!system_bundle || mote_trust_open(&t, system_bundle, no_blob, -1))
    return;
  f = fopen(system_bundle, "r");
  while(f && (x = PEM_read_X509(f, NULL, NULL, NULL)) != NULL) {
    CHECK(find(t, x)[0]);
    X509_free(x);
    count++;
  }
  if(f)
    fclose(f);
  ERR_clear_error();
  CHECK_INT(mote_trust_count(t), count);
  mote_trust_release(t);
}

TEST(shares_and_counts)
{
  struct mote_trust *a;
  struct mote_trust *b;
  make_roots();
  write_bundle("bundle.pem");
  CHECK_INT(mote_trust_open(&a, in_dir("bundle.pem"), no_blob, -1), CURLE_OK);
  CHECK_INT(mote_trust_open(&b, in_dir("bundle.pem"), no_blob, 0), CURLE_OK);
  CHECK(a == b);
  mote_trust_release(a);
  CHECK_STR(find(b, roots[1].x), "2");
  mote_trust_release(b);
  free_roots();
}

TEST(sees_a_changed_file)
{
  const struct cert *const other[] = { &roots[3], &roots[1], &roots[1], NULL };
  struct mote_trust *a;
  struct mote_trust *b;
  make_roots();
  write_bundle("bundle.pem");
  CHECK_INT(mote_trust_open(&a, in_dir("bundle.pem"), no_blob, -1), CURLE_OK);
  write_pem("bundle.pem", other, false, NULL);
  CHECK_STR(find(a, roots[3].x), "4"); /* a lookup notices, also one of what was not there */
  CHECK_STR(find(a, roots[1].x), "22");
  write_bundle("bundle.pem");
  CHECK_INT(mote_trust_open(&b, in_dir("bundle.pem"), no_blob, -1), CURLE_OK);
  CHECK(a == b); /* it is not time yet */
  mote_trust_release(b);
  CHECK_INT(mote_trust_open(&b, in_dir("bundle.pem"), no_blob, 0), CURLE_OK);
  CHECK(a != b);
  CHECK_STR(find(b, roots[0].x), "13");
  mote_trust_release(a);
  mote_trust_release(b);
  free_roots();
}

TEST(refuses_bad_bundles)
{
  struct mote_slice empty = { "", 0 };
  struct mote_trust *t;
  write_file("bad.pem", "nothing here\n", 13);
  CHECK_INT(mote_trust_open(&t, in_dir("bad.pem"), no_blob, -1), CURLE_SSL_CACERT_BADFILE);
  CHECK(!t);
  CHECK_INT(mote_trust_open(&t, in_dir("missing.pem"), no_blob, -1), CURLE_SSL_CACERT_BADFILE);
  CHECK_INT(mote_trust_open(&t, test_dir, no_blob, -1), CURLE_SSL_CACERT_BADFILE);
  CHECK_INT(mote_trust_open(&t, NULL, empty, -1), CURLE_SSL_CACERT_BADFILE);
  CHECK_INT(mote_trust_open(&t, NULL, no_blob, -1), CURLE_SSL_CACERT_BADFILE);
}

TEST(reads_a_blob_and_a_pipe)
{
  char blob[8192];
  struct mote_slice slice = { blob, 0 };
  struct mote_trust *t;
  char path[32];
  FILE *f;
  int ends[2];
  make_roots();
  write_bundle("bundle.pem");
  f = fopen(in_dir("bundle.pem"), "rb");
  slice.len = fread(blob, 1, sizeof blob, f);
  fclose(f);
  CHECK_INT(mote_trust_open(&t, "ignored", slice, -1), CURLE_OK);
  memset(blob, 0, sizeof blob); /* it was copied */
  CHECK_STR(find(t, roots[0].x), "13");
  mote_trust_release(t);
  f = fopen(in_dir("bundle.pem"), "rb");
  slice.len = fread(blob, 1, sizeof blob, f);
  fclose(f);
  CHECK(!pipe(ends) && write(ends[1], blob, slice.len) == (ssize_t)slice.len);
  close(ends[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  CHECK_INT(mote_trust_open(&t, path, no_blob, -1), CURLE_OK);
  close(ends[0]);
  if(t)
    CHECK_STR(find(t, roots[1].x), "2");
  mote_trust_release(t);
  free_roots();
}

/* One certificate after the other, and something after them. */
TEST(reads_a_blob_of_der)
{
  unsigned char blob[8192];
  unsigned char *p = blob;
  struct mote_slice slice = { (const char *)blob, 0 };
  struct mote_trust *t;
  int i;
  make_roots();
  for(i = 0; i < 3; i++)
    i2d_X509(roots[i].x, &p);
  memcpy(p, "\n\n\n", 3);
  slice.len = (size_t)(p + 3 - blob);
  CHECK_INT(mote_trust_open(&t, NULL, slice, -1), CURLE_OK);
  CHECK_INT(mote_trust_count(t), 3);
  CHECK_STR(find(t, roots[0].x), "13");
  CHECK_STR(find(t, roots[1].x), "2");
  mote_trust_release(t);
  free_roots();
}

static void scenario(void)
{
  struct mote_trust *t;
  const unsigned char *der;
  size_t len;
  CURLcode rc = mote_trust_open(&t, in_dir("bundle.pem"), no_blob, 0);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  if(rc)
    return;
  X509_NAME_get0_der(X509_get_subject_name(roots[0].x), &der, &len);
  memset(found, 0, sizeof found);
  rc = mote_trust_find(t, der, len, note, NULL);
  CHECK(rc == CURLE_OK ? !strcmp(found, "13") : rc == CURLE_OUT_OF_MEMORY && test_mem.failed);
  mote_trust_release(t);
}

TEST(survives_without_memory)
{
  make_roots();
  write_bundle("bundle.pem");
  run_with_failures(scenario);
  free_roots();
}

int main(void)
{
  make_dir();
  TEST_RUN(finds_by_subject);
  TEST_RUN(keeps_twelve_bytes_a_certificate);
  TEST_RUN(finds_all_of_the_system);
  TEST_RUN(shares_and_counts);
  TEST_RUN(sees_a_changed_file);
  TEST_RUN(refuses_bad_bundles);
  TEST_RUN(reads_a_blob_and_a_pipe);
  TEST_RUN(reads_a_blob_of_der);
  TEST_RUN(survives_without_memory);
  unlink(in_dir("bundle.pem"));
  unlink(in_dir("bad.pem"));
  rmdir(test_dir);
  return test_end();
}
