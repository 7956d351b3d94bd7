/* codec/coding.c: names of content and transfer codings. */
#include "codec/coding.h"

enum mote_coding mote_coding_of(struct mote_slice name)
{
  static const struct {
    char name[11];
    uint8_t coding;
  } known[] = {
    { "gzip", MOTE_CODING_GZIP },
    { "br", MOTE_CODING_BR },
    { "zstd", MOTE_CODING_ZSTD },
    { "deflate", MOTE_CODING_DEFLATE },
    { "chunked", MOTE_CODING_CHUNKED },
    { "identity", MOTE_CODING_IDENTITY },
    { "none", MOTE_CODING_IDENTITY },
    { "x-gzip", MOTE_CODING_GZIP }
  };
  size_t i;
  for(i = 0; i < sizeof known / sizeof known[0]; i++)
    if(mote_slice_is(name, known[i].name))
      return (enum mote_coding)known[i].coding;
  return MOTE_CODING_UNKNOWN;
}
