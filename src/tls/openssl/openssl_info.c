/* tls/openssl/openssl_info.c: what a connection says about itself, to getinfo and in the lines of curl -v. */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/report.h"
#include "tls/openssl/openssl.h"

#define CERTINFO_MAX (1024u * 1024u) /* bytes of text; a chain of 10 takes 60 KB */

void mote_openssl_get_info(const struct mote_stream *tls, struct mote_tls_info *out)
{
  const struct mote_tls_stream *t = mote_tls_of(tls);
  out->version = SSL_get_version(t->ssl);
  out->cipher = SSL_get_cipher_name(t->ssl);
  out->verify_result = t->head.verify_result;
  out->tls_id = SSL_version(t->ssl);
  out->resumed = SSL_session_reused(t->ssl) == 1;
}

const char *mote_openssl_alpn(const struct mote_stream *tls, size_t *len)
{
  const unsigned char *name = NULL;
  unsigned n = 0;
  SSL_get0_alpn_selected(mote_tls_of(tls)->ssl, &name, &n);
  *len = n;
  return n ? (const char *)name : NULL;
}

void *mote_openssl_ssl_ptr(const struct mote_stream *tls)
{
  return mote_tls_of(tls)->ssl;
}

void *mote_openssl_ctx_ptr(const struct mote_stream *tls)
{
  return mote_tls_of(tls)->ctx->ssl_ctx;
}

/* Reports what `bio` has collected as one line, and empties it. */
static void report_line(struct mote_report *r, const char *label, BIO *bio)
{
  char *text;
  long len = BIO_get_mem_data(bio, &text);
  mote_info(r, " %s: %.*s", label, (int)len, len ? text : "");
  (void)BIO_reset(bio);
}

static void report_certificate(struct mote_report *r, X509 *x, BIO *bio)
{
  const unsigned long style = (XN_FLAG_ONELINE & ~XN_FLAG_SEP_MASK & ~XN_FLAG_SPC_EQ) | XN_FLAG_SEP_SPLUS_SPC;
  mote_info(r, "Server certificate:");
  X509_NAME_print_ex(bio, X509_get_subject_name(x), 0, style);
  report_line(r, "subject", bio);
  ASN1_TIME_print(bio, X509_get0_notBefore(x));
  report_line(r, "start date", bio);
  ASN1_TIME_print(bio, X509_get0_notAfter(x));
  report_line(r, "expire date", bio);
  X509_NAME_print_ex(bio, X509_get_issuer_name(x), 0, style);
  report_line(r, "issuer", bio);
}

void mote_openssl_report_peer(const struct mote_tls_stream *t)
{
  struct mote_report *r = t->head.stream.env->report;
  X509 *peer = SSL_get0_peer_certificate(t->ssl);
  BIO *bio;
  if(!r || !r->verbose)
    return;
  mote_tls_report_peer(&t->head);
  bio = peer ? BIO_new(BIO_s_mem()) : NULL;
  if(bio)
    report_certificate(r, peer, bio);
  BIO_free(bio);
}

/* ---- CURLINFO_CERTINFO ----
 *
 * The texts are collected in a growing buffer, a NUL after each, an empty one after each certificate. Then
 * everything (struct, table, list nodes, texts) is laid out in one block of the exact size. */

struct collector {
  struct mote_buf texts;
  BIO *bio;       /* where the TLS library prints one text */
  unsigned certs; /* certificates so far */
  unsigned lines; /* texts so far, those that end a certificate excepted */
  CURLcode rc;    /* the first error */
};

static void openssl_info_add(struct collector *c, const char *label, const char *text, size_t len)
{
  if(!c->rc)
    c->rc = mote_buf_add_str(&c->texts, label);
  if(!c->rc)
    c->rc = mote_buf_add(&c->texts, ":", 1);
  if(!c->rc)
    c->rc = mote_buf_add(&c->texts, text, len);
  if(!c->rc)
    c->rc = mote_buf_add(&c->texts, "", 1);
  c->lines++;
}

/* Adds what was printed. */
static void add_printed(struct collector *c, const char *label)
{
  char *text = NULL;
  long len = BIO_get_mem_data(c->bio, &text);
  const char *nul = len > 0 ? memchr(text, 0, (size_t)len) : NULL;
  size_t n = nul ? (size_t)(nul - text) : len > 0 ? (size_t)len : 0;
  openssl_info_add(c, label, n ? text : "", n);
  (void)BIO_reset(c->bio);
}

static void add_extensions(struct collector *c, const X509 *x)
{
  int i;
  for(i = 0; i < X509_get_ext_count(x); i++) {
    X509_EXTENSION *e = X509_get_ext(x, i);
    char label[128];
    OBJ_obj2txt(label, sizeof label, X509_EXTENSION_get_object(e), 0);
    if(!X509V3_EXT_print(c->bio, e, 0, 0))
      ASN1_STRING_print(c->bio, X509_EXTENSION_get_data(e));
    add_printed(c, label);
  }
}

static void add_rsa_number(struct collector *c, const EVP_PKEY *key, const char *param, const char *label)
{
  BIGNUM *n = NULL;
  if(EVP_PKEY_get_bn_param(key, param, &n) && n) {
    BN_print(c->bio, n);
    add_printed(c, label);
  }
  BN_free(n);
}

static void add_key(struct collector *c, const X509 *x)
{
  EVP_PKEY *key = X509_get0_pubkey(x);
  if(!key || EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA)
    return;
  BIO_printf(c->bio, "%d", EVP_PKEY_get_bits(key));
  add_printed(c, "RSA Public Key");
  add_rsa_number(c, key, OSSL_PKEY_PARAM_RSA_N, "rsa(n)");
  add_rsa_number(c, key, OSSL_PKEY_PARAM_RSA_E, "rsa(e)");
}

static void print_bytes(BIO *bio, const ASN1_STRING *s, const char *after)
{
  const unsigned char *p = ASN1_STRING_get0_data(s);
  int i;
  for(i = 0; i < ASN1_STRING_length(s); i++)
    BIO_printf(bio, "%02x%s", p[i], after);
}

static void add_certificate(struct collector *c, X509 *x)
{
  const X509_ALGOR *algorithm = NULL;
  const ASN1_BIT_STRING *signature = NULL;
  ASN1_OBJECT *object = NULL;
  X509_NAME_print_ex(c->bio, X509_get_subject_name(x), 0, XN_FLAG_ONELINE);
  add_printed(c, "Subject");
  X509_NAME_print_ex(c->bio, X509_get_issuer_name(x), 0, XN_FLAG_ONELINE);
  add_printed(c, "Issuer");
  BIO_printf(c->bio, "%lx", (unsigned long)X509_get_version(x));
  add_printed(c, "Version");
  print_bytes(c->bio, X509_get0_serialNumber(x), "");
  add_printed(c, "Serial Number");
  X509_get0_signature(&signature, &algorithm, x);
  if(algorithm)
    i2a_ASN1_OBJECT(c->bio, algorithm->algorithm);
  add_printed(c, "Signature Algorithm");
  if(X509_PUBKEY_get0_param(&object, NULL, NULL, NULL, X509_get_X509_PUBKEY(x)) && object)
    i2a_ASN1_OBJECT(c->bio, object);
  add_printed(c, "Public Key Algorithm");
  add_extensions(c, x);
  ASN1_TIME_print(c->bio, X509_get0_notBefore(x));
  add_printed(c, "Start date");
  ASN1_TIME_print(c->bio, X509_get0_notAfter(x));
  add_printed(c, "Expire date");
  add_key(c, x);
  if(signature)
    print_bytes(c->bio, signature, ":");
  add_printed(c, "Signature");
  PEM_write_bio_X509(c->bio, x);
  add_printed(c, "Cert");
  if(!c->rc)
    c->rc = mote_buf_add(&c->texts, "", 1);
  c->certs++;
}

/* Links the lines of one certificate. *text moves past its end mark. */
static struct curl_slist *link_lines(char **text, struct curl_slist **next_node)
{
  struct curl_slist *first = NULL;
  struct curl_slist *last = NULL;
  for(; **text; *text += strlen(*text) + 1) {
    struct curl_slist *node = (*next_node)++;
    node->data = *text;
    node->next = NULL;
    if(last)
      last->next = node;
    else
      first = node;
    last = node;
  }
  ++*text;
  return first;
}

static CURLcode lay_out(const struct collector *c, struct mote_account *account, struct curl_certinfo **out)
{
  size_t size = sizeof(struct mote_tls_certinfo_block) + c->certs * sizeof(struct curl_slist *) +
                c->lines * sizeof(struct curl_slist) + c->texts.len;
  struct mote_tls_certinfo_block *b = mote_mem_alloc(account, MOTE_PART_TLS, size);
  struct curl_slist *node;
  char *text;
  unsigned i;
  if(!b)
    return CURLE_OUT_OF_MEMORY;
  b->size = size;
  b->info.num_of_certs = (int)c->certs;
  b->info.certinfo = (struct curl_slist **)(void *)(b + 1);
  node = (struct curl_slist *)(void *)(b->info.certinfo + c->certs);
  text = (char *)(node + c->lines);
  memcpy(text, c->texts.ptr, c->texts.len);
  for(i = 0; i < c->certs; i++)
    b->info.certinfo[i] = link_lines(&text, &node);
  *out = &b->info;
  return CURLE_OK;
}

CURLcode mote_openssl_certinfo(const struct mote_stream *tls, struct mote_account *account,
                               struct curl_certinfo **out)
{
  const struct mote_tls_stream *t = mote_tls_of(tls);
  STACK_OF(X509) *chain = t->ctx->certinfo ? SSL_get_peer_cert_chain(t->ssl) : NULL;
  struct collector c = { .bio = NULL };
  CURLcode rc;
  int i;
  *out = NULL;
  if(!chain)
    return CURLE_OK;
  c.bio = BIO_new(BIO_s_mem());
  if(!c.bio)
    return CURLE_OUT_OF_MEMORY;
  mote_buf_init(&c.texts, account, MOTE_PART_TLS, CERTINFO_MAX);
  for(i = 0; i < sk_X509_num(chain) && !c.rc; i++)
    add_certificate(&c, sk_X509_value(chain, i));
  rc = c.rc ? c.rc : lay_out(&c, account, out);
  mote_buf_close(&c.texts);
  BIO_free(c.bio);
  ERR_clear_error();
  return rc;
}
