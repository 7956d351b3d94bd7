/* api/getinfo_number.c: numbers that are more than a field of the run. */
#include "api/getinfo.h"

#include <string.h>

#include "base/date.h"
#include "port/port.h"
#include "transfer/connect.h"
#include "transfer/info.h"
#include "transfer/protocol.h"

int64_t mote_info_total(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  return r->in_chain ? mote_port_now() - r->started : r->total_us;
}

static int64_t speed(struct mote_easy *e, curl_off_t bytes)
{
  int64_t us = mote_info_total(e);
  if(us <= 0)
    return bytes;
  if(bytes > INT64_MAX / MOTE_SECOND) /* the product would not fit */
    return (int64_t)((double)bytes / ((double)us / (double)MOTE_SECOND));
  return bytes * MOTE_SECOND / us;
}

int64_t mote_info_speed_down(struct mote_easy *e)
{
  return speed(e, e->t.run->bytes_down);
}

int64_t mote_info_speed_up(struct mote_easy *e)
{
  return speed(e, e->t.run->bytes_up);
}

/* Heads and bodies. Of local files nothing is requested. */
int64_t mote_info_request_size(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  return r->request_size ? r->request_size + r->bytes_up : 0;
}

/* Requests without a body announce no bytes. Of one that was not sent nothing is known. */
int64_t mote_info_length_up(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  bool bodiless = r->method == MOTE_METHOD_GET || r->method == MOTE_METHOD_HEAD;
  if(!r->asked && !(r->scheme && r->scheme->protocol->local))
    return -1;
  return r->size_up < 0 && bodiless ? 0 : r->size_up;
}

/* A file's time is told whether it was asked for or not (CURLOPT_FILETIME(3)). */
static int64_t local_time(const struct mote_run *r)
{
  struct mote_header_view v = {0};
  uint64_t seconds;
  while(mote_headers_next(&r->headers, &v))
    if(!v.origin && v.value[0] != '-' && mote_parse_dec(mote_slice_of(v.value), INT64_MAX, &seconds))
      return (int64_t)seconds;
  return -1;
}

int64_t mote_info_filetime(struct mote_easy *e)
{
  const char *text;
  int64_t seconds;
  if(e->t.run->scheme && e->t.run->scheme->protocol->local)
    return local_time(e->t.run);
  if(!mote_opt_long(&e->t.options, CURLOPT_FILETIME))
    return -1;
  text = mote_headers_find(&e->t.run->headers, "Last-Modified", -1);
  if(!text)
    return -1;
  return mote_date_parse(text, strlen(text), &seconds) ? seconds : 0; /* no date: as in libcurl 8 */
}

/* RFC 9110 section 10.2.3; what follows a number does not count, as in libcurl. A date is compared with the
 * clock as it was when the transfer ended. */
#define RETRY_AFTER_MAX (6 * 3600) /* seconds: no server can make a client wait for longer */

/* A date, which may be eight digits, or else seconds. */
int64_t mote_info_retry_after(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  const char *text = mote_headers_find(&r->headers, "Retry-After", -1);
  uint64_t seconds;
  int64_t date, left = 0;
  size_t used;
  if(!text)
    return 0;
  if(mote_date_parse(text, strlen(text), &date))
    left = date - (mote_port_wall() - (mote_port_now() - r->started - mote_info_total(e)) / MOTE_SECOND);
  else if(mote_parse_dec_prefix(mote_slice_of(text), INT64_MAX, &seconds, &used))
    left = (int64_t)seconds;
  return left < 0 ? 0 : left > RETRY_AFTER_MAX ? RETRY_AFTER_MAX : left;
}

int64_t mote_info_condition_unmet(struct mote_easy *e)
{
  return e->t.run->condition_unmet || e->t.run->response_code == 304;
}

/* -1: no connection, or one without ports. */
static int64_t port_of(const struct mote_addr *a)
{
  return a->family < MOTE_FAMILY_IP4 ? -1 : a->port;
}

int64_t mote_info_primary_port(struct mote_easy *e)
{
  return port_of(&e->t.run->primary);
}

int64_t mote_info_local_port(struct mote_easy *e)
{
  return port_of(&e->t.run->local);
}

int64_t mote_info_protocol(struct mote_easy *e)
{
  const struct mote_run *r = e->t.run;
  return r->scheme ? r->scheme->curlproto : 0;
}

int64_t mote_info_verify_result(struct mote_easy *e)
{
  return e->t.run->info ? e->t.run->info->verify_result : 0;
}

int64_t mote_info_socket(struct mote_easy *e)
{
  return mote_connect_last_socket(&e->t, mote_easy_multi(e));
}
