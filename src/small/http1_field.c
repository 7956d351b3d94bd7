/* small/http1_field.c: names of the fields that the library acts on, without part header_store, which keeps
 * the names of others too. */
#include "codec/http/http1.h"

#include <string.h>

/* In lower case; as servers write it does not matter here. */
#define NAMES(F) \
  F(CONTENT_LENGTH, "content-length", ) \
  F(CONNECTION, "connection", ) \
  F(TRANSFER_ENCODING, "transfer-encoding", ) \
  F(LOCATION, "location", ) \
  F(CONTENT_ENCODING, "content-encoding", ) \
  F(WWW_AUTHENTICATE, "www-authenticate", ) \
  F(PROXY_AUTHENTICATE, "proxy-authenticate", ) \
  F(PROXY_CONNECTION, "proxy-connection", ) \
  MOTE_HTTP1_WEBSOCKET_NAMES(F)

#define NAME(field, lower, usual) lower "\0"
#define FIELD(field, lower, usual) MOTE_FIELD_##field,
static const char names[] = NAMES(NAME);
static const uint8_t fields[] = {NAMES(FIELD)};

/* No spelling is kept. */
struct mote_http1_name mote_http1_name_any_case(struct mote_slice name)
{
  const char *word = names;
  unsigned i;
  for(i = 0; *word; i++, word += strlen(word) + 1)
    if(mote_slice_is(name, word))
      return (struct mote_http1_name){fields[i], 0};
  return (struct mote_http1_name){MOTE_FIELD_OTHER, 0};
}

struct mote_http1_name mote_http1_name_lower(struct mote_slice name)
{
  return mote_http1_name_any_case(name);
}

struct mote_http1_name mote_http1_name_of(struct mote_slice name)
{
  return mote_http1_name_any_case(name);
}
