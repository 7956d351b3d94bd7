/* transfer/schemes.c: the schemes of this build; later written by the build from its list of parts. */
#include "transfer/protocol.h"

#include "base/text.h"

extern const struct mote_protocol mote_protocol_file; /* protocol/file.c */
extern const struct mote_protocol mote_protocol_http; /* protocol/http.c */

const struct mote_scheme mote_schemes[] = {
  {.name = "http", .protocol = &mote_protocol_http, .default_port = 80, .tls = false,
   .curlproto = CURLPROTO_HTTP},
  {.name = "https", .protocol = &mote_protocol_http, .default_port = 443, .tls = true,
   .curlproto = CURLPROTO_HTTPS},
  {.name = "file", .protocol = &mote_protocol_file, .curlproto = CURLPROTO_FILE},
  {.name = NULL},
};

const struct mote_scheme *mote_scheme_find(const char *name, size_t len)
{
  const struct mote_scheme *s;
  struct mote_slice wanted = {name, len};
  for(s = mote_schemes; s->name; s++)
    if(mote_slice_is(wanted, s->name))
      return s;
  return NULL;
}
