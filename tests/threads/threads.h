/* tests/threads/threads.h: what the programs here share: threads that begin together, how much they do, a TLS
 * layer for the little HTTP server.
 *
 * Each program is made to run under ThreadSanitizer (the preset tsan), and says what it finds without it,
 * too:
 * wrong results, and memory or descriptors that are left. The first argument is the number of rounds of each
 * thread. */
#ifndef MOTE_TEST_THREADS_H
#define MOTE_TEST_THREADS_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "net/http_server.h"
#include "net/settle.h"

#define THREADS 8

static int rounds = 20;

static inline void threads_begin(int argc, char **argv)
{
  if(argc > 1)
    rounds = atoi(argv[1]);
  unsetenv("http_proxy");
  unsetenv("https_proxy");
  unsetenv("HTTPS_PROXY");
  unsetenv("all_proxy");
  unsetenv("ALL_PROXY");
}

/* f(number) in THREADS threads. */
static inline void threads_run(void *(*f)(void *number))
{
  static int numbers[THREADS];
  pthread_t threads[THREADS];
  int i;
  test_mem.threads = true;
  for(i = 0; i < THREADS; i++) {
    numbers[i] = i;
    CHECK(!pthread_create(&threads[i], NULL, f, &numbers[i]));
  }
  for(i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

static atomic_int threads_errors; /* CHECK counts without atomics: threads note here, the test looks */

static inline void threads_note(long long a, long long b, const char *what, const char *file, int line)
{
  if(a != b && atomic_fetch_add(&threads_errors, 1) < 10)
    fprintf(stderr, "%s:%d: %s: %lld and %lld\n", file, line, what, a, b);
}

/* For use in threads. */
#define THREAD_CHECK_INT(a, b) \
  threads_note((long long)(a), (long long)(b), #a " == " #b, __FILE__, __LINE__)

static inline size_t threads_count(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  *(size_t *)user += size * n;
  return size * n;
}

static inline void threads_settle(void)
{
  CHECK_INT(names_settle(), 0);
  CHECK_INT(atomic_load(&threads_errors), 0);
  atomic_store(&threads_errors, 0);
}

/* ---- TLS for the server: a certificate for localhost that signs itself ---- */

static SSL_CTX *threads_ctx;
static atomic_int threads_resumed; /* sessions taken up again */

static inline void *threads_tls_new(int fd)
{
  SSL *ssl = SSL_new(threads_ctx);
  if(ssl && SSL_set_fd(ssl, fd) && SSL_accept(ssl) == 1) {
    atomic_fetch_add(&threads_resumed, SSL_session_reused(ssl));
    return ssl;
  }
  SSL_free(ssl);
  return NULL;
}

static inline int threads_tls_read(void *ssl, void *buf, int len)
{
  return SSL_read(ssl, buf, len);
}

static inline int threads_tls_write(void *ssl, const void *buf, int len)
{
  return SSL_write(ssl, buf, len);
}

static inline void threads_tls_free(void *ssl)
{
  (void)SSL_shutdown(ssl);
  SSL_free(ssl);
}

static inline void threads_make_ctx(void)
{
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *x = X509_new();
  X509_NAME *name = X509_NAME_new();
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1, -1, 0);
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_set_subject_name(x, name);
  X509_set_issuer_name(x, name);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 86400);
  X509_set_pubkey(x, key);
  CHECK(X509_sign(x, key, EVP_sha256()) > 0);
  threads_ctx = SSL_CTX_new(TLS_server_method());
  CHECK(threads_ctx && SSL_CTX_use_certificate(threads_ctx, x) == 1 &&
        SSL_CTX_use_PrivateKey(threads_ctx, key) == 1);
  X509_NAME_free(name);
  X509_free(x);
  EVP_PKEY_free(key);
}

/* A server with the certificate that threads_start_tls() has made. */
static inline void threads_start_secured(struct http_server *server)
{
  server->layer_new = threads_tls_new;
  server->layer_read = threads_tls_read;
  server->layer_write = threads_tls_write;
  server->layer_free = threads_tls_free;
  http_server_start(server);
}

static inline void threads_start_tls(struct http_server *server)
{
  threads_make_ctx();
  threads_start_secured(server);
}

#endif
