/* codec/ldap/ldap.c: messages of LDAP (codec/ldap/ldap.h). */
#include "codec/ldap/ldap.h"

#include <string.h>

#include "codec/ldap/ber.h"

#define TAG_SIMPLE 0x80       /* AuthenticationChoice.simple */
#define TAG_SASL 0xa3         /* AuthenticationChoice.sasl */
#define TAG_SERVER_CREDS 0x87 /* BindResponse.serverSaslCreds */
#define TAG_REQUEST_NAME 0x80 /* ExtendedRequest.requestName */
#define START_TLS "1.3.6.1.4.1.1466.20037"

/* ---- requests ---- */

static size_t begin_message(struct mote_ber_writer *w, uint32_t id)
{
  size_t message = mote_ber_begin(w, MOTE_BER_SEQUENCE);
  mote_ber_put_number(w, id);
  return message;
}

void mote_ldap_put_bind(struct mote_ber_writer *w, uint32_t id, struct mote_slice name,
                        struct mote_slice password)
{
  size_t message = begin_message(w, id), bind = mote_ber_begin(w, MOTE_LDAP_BIND);
  mote_ber_put_number(w, 3); /* the version of LDAP */
  mote_ber_put(w, MOTE_BER_OCTETS, name);
  mote_ber_put(w, TAG_SIMPLE, password);
  mote_ber_end(w, bind);
  mote_ber_end(w, message);
}

/* The name is empty: the mechanism says which user it is (RFC 4513 section 5.2.1.1). */
void mote_ldap_put_sasl_bind(struct mote_ber_writer *w, uint32_t id, struct mote_slice mechanism,
                             const struct mote_slice *credentials)
{
  size_t message = begin_message(w, id), bind = mote_ber_begin(w, MOTE_LDAP_BIND), sasl;
  mote_ber_put_number(w, 3);
  mote_ber_put(w, MOTE_BER_OCTETS, (struct mote_slice){NULL, 0});
  sasl = mote_ber_begin(w, TAG_SASL);
  mote_ber_put(w, MOTE_BER_OCTETS, mechanism);
  if(credentials)
    mote_ber_put(w, MOTE_BER_OCTETS, *credentials);
  mote_ber_end(w, sasl);
  mote_ber_end(w, bind);
  mote_ber_end(w, message);
}

void mote_ldap_put_start_tls(struct mote_ber_writer *w, uint32_t id)
{
  size_t message = begin_message(w, id), request = mote_ber_begin(w, MOTE_LDAP_EXTENDED);
  mote_ber_put(w, TAG_REQUEST_NAME, mote_slice_of(START_TLS));
  mote_ber_end(w, request);
  mote_ber_end(w, message);
}

static void put_attributes(struct mote_ber_writer *w, struct mote_slice names)
{
  while(names.len) {
    const char *comma = memchr(names.ptr, ',', names.len);
    struct mote_slice name = {names.ptr, comma ? (size_t)(comma - names.ptr) : names.len};
    if(name.len)
      mote_ber_put(w, MOTE_BER_OCTETS, name);
    mote_slice_skip(&names, name.len + (comma != NULL));
  }
}

bool mote_ldap_put_search(struct mote_ber_writer *w, uint32_t id, const struct mote_ldap_search *s)
{
  size_t message = begin_message(w, id), search = mote_ber_begin(w, MOTE_LDAP_SEARCH), attributes;
  mote_ber_put(w, MOTE_BER_OCTETS, s->base);
  mote_ber_put_byte(w, MOTE_BER_ENUMERATED, s->scope);
  mote_ber_put_byte(w, MOTE_BER_ENUMERATED, 0); /* aliases are not followed */
  mote_ber_put_number(w, 0);               /* entries at most: no limit */
  mote_ber_put_number(w, 0);               /* seconds at most: likewise */
  mote_ber_put_byte(w, MOTE_BER_BOOLEAN, 0);    /* types only: values too */
  if(!mote_ldap_put_filter(w, s->filter.len ? s->filter : mote_slice_of("(objectclass=*)")))
    return false;
  attributes = mote_ber_begin(w, MOTE_BER_SEQUENCE);
  put_attributes(w, s->attributes);
  mote_ber_end(w, attributes);
  mote_ber_end(w, search);
  mote_ber_end(w, message);
  return true;
}

/* ---- replies ---- */

size_t mote_ldap_message_len(const char *bytes, size_t len)
{
  if(len && (uint8_t)bytes[0] != MOTE_BER_SEQUENCE)
    return SIZE_MAX;
  return mote_ber_len((struct mote_slice){bytes, len});
}

bool mote_ldap_read(struct mote_slice bytes, struct mote_ldap_message *m)
{
  struct mote_slice message;
  uint8_t tag;
  return mote_ber_take(&bytes, &tag, &message) && tag == MOTE_BER_SEQUENCE &&
         mote_ber_take_number(&message, MOTE_BER_INTEGER, &m->id) &&
         mote_ber_take(&message, &m->op, &m->body);
}

/* A referral, and what later versions may add, is passed over. */
bool mote_ldap_read_result(struct mote_slice body, struct mote_ldap_result *r)
{
  struct mote_slice matched, part;
  uint8_t tag;
  r->credentials = (struct mote_slice){NULL, 0};
  if(!mote_ber_take_number(&body, MOTE_BER_ENUMERATED, &r->code) || !mote_ber_take(&body, &tag, &matched) ||
     tag != MOTE_BER_OCTETS || !mote_ber_take(&body, &tag, &r->text) || tag != MOTE_BER_OCTETS)
    return false;
  while(body.len) {
    if(!mote_ber_take(&body, &tag, &part))
      return false;
    if(tag == TAG_SERVER_CREDS)
      r->credentials = part;
  }
  return true;
}

bool mote_ldap_find_values(struct mote_slice body, const char *name, struct mote_slice *values)
{
  struct mote_slice part, attributes;
  uint8_t tag;
  *values = (struct mote_slice){NULL, 0};
  if(!mote_ber_take(&body, &tag, &part) || !mote_ber_take(&body, &tag, &attributes))
    return false;
  while(attributes.len) {
    struct mote_slice attribute, type, set;
    if(!mote_ber_take(&attributes, &tag, &attribute) || !mote_ber_take(&attribute, &tag, &type) ||
       !mote_ber_take(&attribute, &tag, &set))
      return false;
    if(mote_slice_is(type, name))
      *values = set;
  }
  return true;
}
