/* tls/refuse.c: the error text for a refused certificate, for streams of all libraries. It says why, which
 * certificate, and what to do. Its words are made in the arguments of mote_fail(), so that a build without
 * the part texts has none of this code. */
#include <string.h>

#include "base/report.h"
#include "net/names/address.h"
#include "tls/backend.h"
#include "tls/x509/der.h"

#define NAME_MAX_TEXT 72  /* bytes of a subject */
#define NAMES_MAX_TEXT 96 /* bytes of the names that a certificate is for */

/* X509_V_ERR_* */
enum {
  V_NO_ISSUER_CERT = 2,
  V_NOT_YET_VALID = 9,
  V_EXPIRED = 10,
  V_SELF_SIGNED = 18,
  V_SELF_SIGNED_IN_CHAIN = 19,
  V_NO_ISSUER = 20,
  V_CANNOT_VERIFY = 21
};

static const uint8_t subject_alt_name[] = {0x55, 0x1d, 0x11};

/* Appends to the text at out. The bytes come from the server, so no control character may reach a
 * terminal. */
static inline void tls_refuse_append(char *out, size_t size, const char *before, const uint8_t *bytes,
                                     size_t len)
{
  size_t at = strlen(out);
  for(; *before && at + 1 < size; before++)
    out[at++] = *before;
  for(; len && at + 1 < size; len--, bytes++)
    out[at++] = *bytes >= ' ' && *bytes < 0x7f ? (char)*bytes : '?';
  out[at] = 0;
}

/* Writes the attribute of this type (2.5.4.x) of a Name to out. */
static inline bool find_attribute(const uint8_t *name, size_t len, uint8_t type, const char *label, char *out)
{
  struct mote_der e;
  struct mote_der part;
  const uint8_t *p = name;
  const uint8_t *end;
  if(!mote_der_next(&p, name + len, &e))
    return false;
  p = e.content;
  end = p + e.content_len;
  while(mote_der_next(&p, end, &e)) {
    const uint8_t *q;
    if(!mote_der_find(e.content, e.content_len, "\x06(", &part) || part.content_len != 3 ||
       part.content[0] != 0x55 || part.content[1] != 4 || part.content[2] != type)
      continue;
    q = part.content + part.content_len;
    if(!mote_der_next(&q, e.content + e.content_len, &part))
      return false;
    tls_refuse_append(out, NAME_MAX_TEXT, label, part.content, part.content_len);
    return true;
  }
  return false;
}

static inline const char *tls_refuse_advice(int result)
{
  switch(result) {
  case V_NO_ISSUER_CERT:
  case V_SELF_SIGNED:
  case V_SELF_SIGNED_IN_CHAIN:
  case V_NO_ISSUER:
  case V_CANNOT_VERIFY:
    return "To trust its issuer, add that to the CA certificates (CURLOPT_CAINFO, --cacert)";
  case V_NOT_YET_VALID:
  case V_EXPIRED:
    return "Is the clock right? If so, the server needs a new one";
  default:
    return "The server needs another";
  }
}

/* Writes what names the subject best to out, and returns it. */
static inline const char *subject_text(char out[NAME_MAX_TEXT], const uint8_t *name, size_t len)
{
  out[0] = 0;
  if(!find_attribute(name, len, 3, "CN=", out) && !find_attribute(name, len, 10, "O=", out) &&
     !find_attribute(name, len, 11, "OU=", out))
    tls_refuse_append(out, NAME_MAX_TEXT, "without a name", NULL, 0);
  return out;
}

CURLcode mote_tls_refuse(struct mote_tls_head *t, int result, const char *why, unsigned depth,
                         const uint8_t *name, size_t len)
{
  char subject[NAME_MAX_TEXT];
  t->verify_result = result;
  mote_fail(t->stream.env->report, "SSL certificate problem: %s (%s certificate %s, depth %u). %s", why,
            depth ? "CA" : "server", subject_text(subject, name, len), depth, tls_refuse_advice(result));
  return CURLE_PEER_FAILED_VERIFICATION;
}

/* Writes each dNSName and iPAddress of a certificate to out, as long as there is room. */
static inline void list_names(const uint8_t *cert, size_t len, char *out)
{
  struct mote_der value;
  struct mote_der e;
  const uint8_t *p;
  const uint8_t *end;
  if(!mote_der_find_extension(cert, len, subject_alt_name, sizeof subject_alt_name, &value) ||
     !mote_der_find(value.content, value.content_len, "\x30", &e))
    return;
  p = e.content;
  end = p + e.content_len;
  while(mote_der_next(&p, end, &e) && strlen(out) < NAMES_MAX_TEXT - 40) {
    const char *comma = *out ? ", " : "";
    char text[MOTE_ADDR_TEXT_MAX];
    struct mote_addr a = {.family = e.content_len == 4 ? MOTE_FAMILY_IP4 : MOTE_FAMILY_IP6};
    if(e.tag == 0x82)
      tls_refuse_append(out, NAMES_MAX_TEXT, comma, e.content, e.content_len);
    else if(e.tag == 0x87 && (e.content_len == 4 || e.content_len == 16)) {
      memcpy(a.ip, e.content, e.content_len);
      (void)mote_addr_print(&a, text);
      tls_refuse_append(out, NAMES_MAX_TEXT, comma, (const uint8_t *)text, strlen(text));
    }
  }
  if(p < end && *out)
    tls_refuse_append(out, NAMES_MAX_TEXT, ", ...", NULL, 0);
}

static inline const char *names_text(char out[NAMES_MAX_TEXT], const uint8_t *cert, size_t len)
{
  out[0] = 0;
  list_names(cert, len, out);
  return *out ? out : "no name at all";
}

CURLcode mote_tls_refuse_name(struct mote_tls_head *t, const char *host, const uint8_t *cert, size_t len)
{
  char names[NAMES_MAX_TEXT];
  t->verify_result = 1;
  mote_fail(t->stream.env->report,
            "SSL: no alternative certificate subject name matches target host name '%s'. "
            "The certificate is for %s", host, names_text(names, cert, len));
  return CURLE_PEER_FAILED_VERIFICATION;
}
