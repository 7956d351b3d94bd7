/* tls/x509/hostname.c: the host's name: what of it is sent and verified, and whether a certificate is for
 * it by its subjectAltName alone (RFC 9525). One check serves all TLS libraries, because their own ones
 * differ: to OpenSSL's a wildcard stands for no label with an underscore, and mbedTLS's falls back to the
 * common name. */
#include "tls/x509/hostname.h"

#include <string.h>

#include "net/names/address.h"
#include "tls/x509/der.h"

#define DNS_NAME 0x82u   /* [2] IMPLICIT IA5String */
#define IP_ADDRESS 0x87u /* [7] IMPLICIT OCTET STRING */

static const uint8_t subject_alt_name[] = {0x55, 0x1d, 0x11};

struct mote_slice mote_tls_bare_host(struct mote_slice host)
{
  if(host.len > 1 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']')
    host = (struct mote_slice){host.ptr + 1, host.len - 2};
  if(host.len && memchr(host.ptr, ':', host.len)) {
    const char *zone = memchr(host.ptr, '%', host.len);
    if(zone)
      host.len = (size_t)(zone - host.ptr);
  }
  else if(host.len > 1 && host.ptr[host.len - 1] == '.')
    host.len--;
  return host;
}

bool mote_tls_host_is_ip(const char *host)
{
  return strchr(host, ':') || !host[strspn(host, "0123456789.")];
}

/* A wildcard may only be the whole leftmost label, above two others at least: "*.com" would be for half of
 * the world. The dot at the end of a fully qualified name is no part of it. */
static bool dns_matches(const char *name, size_t len, const char *host)
{
  size_t host_len = strlen(host);
  if(len > 1 && name[len - 1] == '.')
    len--;
  if(len > 2 && name[0] == '*' && name[1] == '.') {
    const char *dot = strchr(host, '.');
    if(!dot || dot == host || !memchr(name + 2, '.', len - 2))
      return false;
    name++;
    len--;
    host_len -= (size_t)(dot - host);
    host = dot;
  }
  return len == host_len && !memchr(name, 0, len) && mote_equal_nocase_n(name, host, len);
}

static bool ip_matches(const struct mote_der *e, const char *host)
{
  struct mote_addr a;
  size_t len;
  if(!mote_addr_parse(mote_slice_of(host), &a))
    return false;
  len = a.family == MOTE_FAMILY_IP4 ? 4 : 16;
  return e->content_len == len && !memcmp(e->content, a.ip, len);
}

bool mote_tls_name_matches(const uint8_t *cert, size_t len, const char *host, bool is_ip)
{
  struct mote_der value;
  struct mote_der names;
  struct mote_der e;
  const uint8_t *p;
  const uint8_t *end;
  if(!mote_der_find_extension(cert, len, subject_alt_name, sizeof subject_alt_name, &value))
    return false;
  p = value.content;
  if(!mote_der_next(&p, p + value.content_len, &names) || names.tag != MOTE_DER_SEQUENCE)
    return false;
  p = names.content;
  end = p + names.content_len;
  while(p < end && mote_der_next(&p, end, &e)) {
    if(is_ip ? e.tag == IP_ADDRESS && ip_matches(&e, host) :
       e.tag == DNS_NAME && dns_matches((const char *)e.content, e.content_len, host))
      return true;
  }
  return false;
}
