/* api/getinfo.c: curl_easy_getinfo(): finds the row, reads it, converts to the type that was asked for. */
#include "api/getinfo.h"

#include <stdarg.h>
#include <string.h>

#include "base/time.h"

static int64_t field(const struct mote_run *r, const struct mote_info_row *row)
{
  const char *p = (const char *)r + row->at;
  switch(row->from) {
  case MOTE_INFO_U8:
    return *(const uint8_t *)p;
  case MOTE_INFO_U16: {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  case MOTE_INFO_U32: {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  case MOTE_INFO_INT: {
    int v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  case MOTE_INFO_TIME:
    return mote_mark_get(r, (enum mote_mark)row->at);
  default: {
    int64_t v;
    memcpy(&v, p, sizeof v);
    return v;
  }
  }
}

static int64_t number(struct mote_easy *e, const struct mote_info_row *row)
{
  if(!e->t.run || row->from == MOTE_INFO_CONSTANT)
    return row->preset;
  if(row->from == MOTE_INFO_NUMBER || row->from == MOTE_INFO_SPAN)
    return row->read.number(e);
  return field(e->t.run, row);
}

static bool is_time(const struct mote_info_row *row)
{
  return row->from == MOTE_INFO_TIME || row->from == MOTE_INFO_SPAN;
}

/* out is what the type says: char **, long *, double *, struct **, curl_socket_t *, curl_off_t *. */
static CURLcode answer(struct mote_easy *e, const struct mote_info_row *row, int type, void *out)
{
  switch(type) {
  case CURLINFO_STRING:
    return row->read.text(e, out);
  case CURLINFO_PTR:
    return row->read.pointer(e, out);
  case CURLINFO_LONG:
    *(long *)out = (long)number(e, row);
    return CURLE_OK;
  case CURLINFO_SOCKET:
    *(curl_socket_t *)out = (curl_socket_t)number(e, row);
    return CURLE_OK;
  case CURLINFO_OFF_T:
    *(curl_off_t *)out = (curl_off_t)number(e, row);
    return CURLE_OK;
  default:
    *(double *)out = is_time(row) ? (double)number(e, row) / (double)MOTE_SECOND : (double)number(e, row);
    return CURLE_OK;
  }
}

CURLcode(curl_easy_getinfo)(CURL *curl, CURLINFO info, ...)
{
  struct mote_easy *e = mote_easy_of(curl);
  unsigned id = (unsigned)info & CURLINFO_MASK;
  int type = (int)info & CURLINFO_TYPEMASK;
  const struct mote_info_row *row = &mote_info_rows[id <= CURLINFO_LASTONE ? id : 0];
  va_list args;
  void *out;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  va_start(args, info);
  out = va_arg(args, void *);
  va_end(args);
  if(!out && type && type <= CURLINFO_OFF_T) /* known or not */
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(!(row->types & MOTE_INFO_TYPE(type)))
    return CURLE_UNKNOWN_OPTION;
  return answer(e, row, type, out);
}
