/* tls/blob.c: the bytes of a file or of a caller's blob. */
#include "tls/blob.h"

#include <string.h>

#include "base/memory.h"

void mote_tls_wipe(void *p, size_t len)
{
  volatile char *q = p;
  while(len--)
    *q++ = 0;
}

void mote_tls_blob_free(struct mote_tls_blob *b)
{
  if(b->own) {
    mote_tls_wipe(b->own, b->cap);
    mote_mem_free(mote_mem_process(), MOTE_PART_TLS, b->own, b->cap);
  }
  memset(b, 0, sizeof *b);
}

CURLcode mote_tls_blob_load(struct mote_tls_blob *b, struct mote_slice given, const char *file)
{
  memset(b, 0, sizeof *b);
  b->ptr = given.ptr;
  b->len = given.len;
  if(given.ptr)
    return CURLE_OK;
  return file ? mote_tls_blob_read(b, file) : CURLE_READ_ERROR;
}
