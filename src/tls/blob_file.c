/* tls/blob_file.c: the bytes of a file. */
#include <string.h>

#include "base/memory.h"
#include "port/file.h"
#include "tls/blob.h"

#define FIRST 2048u /* holds most certificates and keys */

/* Twice the room; the old bytes are wiped, which a realloc would not do. */
static CURLcode grow(struct mote_tls_blob *b)
{
  size_t cap = b->cap ? b->cap * 2 : FIRST;
  char *p;
  if(cap > MOTE_TLS_FILE_MAX)
    return CURLE_READ_ERROR;
  p = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, cap);
  if(!p)
    return CURLE_OUT_OF_MEMORY;
  if(b->own) {
    memcpy(p, b->own, b->len);
    mote_tls_wipe(b->own, b->cap);
    mote_mem_free(mote_mem_process(), MOTE_PART_TLS, b->own, b->cap);
  }
  b->own = p;
  b->cap = cap;
  return CURLE_OK;
}

static CURLcode read_all(struct mote_tls_blob *b, int file)
{
  for(;;) {
    size_t n;
    if(b->len == b->cap) {
      CURLcode rc = grow(b);
      if(rc)
        return rc;
    }
    if(mote_port_file_read(file, b->own + b->len, b->cap - b->len, &n))
      return CURLE_READ_ERROR;
    if(!n)
      break;
    b->len += n;
  }
  b->ptr = b->own;
  return CURLE_OK;
}

CURLcode mote_tls_blob_read(struct mote_tls_blob *b, const char *path)
{
  CURLcode rc;
  int file;
  if(mote_port_file_open(path, MOTE_FILE_READ, 0, &file))
    return CURLE_READ_ERROR;
  rc = read_all(b, file);
  (void)mote_port_file_close(file);
  if(rc)
    mote_tls_blob_free(b);
  return rc;
}
