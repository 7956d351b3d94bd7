/* http/writer.c: grows the room for a request head and looks up the application's own headers. */
#include "http/writer.h"

void mote_http_grow(struct mote_http_writer *w, size_t more)
{
  size_t cap = w->cap * 2;
  struct mote_kept *k;
  if(w->len + more > MOTE_HTTP_HEAD_MAX) {
    w->rc = CURLE_TOO_LARGE;
    return;
  }
  while(cap - w->len < more)
    cap *= 2;
  k = mote_kept_new(w->t, cap);
  if(!k) {
    w->rc = CURLE_OUT_OF_MEMORY;
    return;
  }
  memcpy(k->bytes, w->ptr, w->len);
  mote_kept_free(w->t, w->block);
  w->block = k;
  w->ptr = k->bytes;
  w->cap = cap;
}

void mote_http_put_number(struct mote_http_writer *w, curl_off_t v)
{
  char digits[24];
  mote_http_put(w, digits, mote_print_dec(digits, (uint64_t)v));
}

/* ---- custom headers (CURLOPT_HTTPHEADER(3)): "Name: value", "Name;" (empty value), "Name:" (removal)
 * ---- */

size_t mote_http_name_length(const char *line)
{
  return strcspn(line, ":;");
}

const char *mote_http_own_line(const struct mote_transfer *t, const char *name)
{
  const struct curl_slist *l = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
  size_t len = l ? strlen(name) : 0;
  for(; l; l = l->next)
    if(mote_http_name_length(l->data) == len && l->data[len] && mote_equal_nocase_n(l->data, name, len))
      return l->data + len;
  return NULL;
}

const char *mote_http_custom_header(const struct mote_transfer *t, const char *name, bool *removed)
{
  const char *value = mote_http_own_line(t, name);
  *removed = false;
  if(value && *value++ == ':') {
    while(mote_is_space(*value))
      value++;
    *removed = !*value;
  }
  return value;
}

bool mote_http_has_own(const struct mote_transfer *t, const char *name)
{
  bool removed;
  return mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER) && mote_http_custom_header(t, name, &removed);
}

void mote_http_put_optional(struct mote_http_writer *w, const char *name, const char *field,
                            const char *value)
{
  if(value && !mote_http_has_own(w->t, name))
    mote_http_put_field(w, field, value);
}

bool mote_http_auth_allowed(const struct mote_transfer *t)
{
  return !t->run->request.other_origin || mote_opt_long(&t->options, CURLOPT_UNRESTRICTED_AUTH);
}
