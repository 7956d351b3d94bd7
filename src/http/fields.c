/* http/fields.c: where the fields of a request lie in its text (http/fields.h). */
#include "http/fields.h"

#include "base/report.h"
#include "http/request.h"
#include "transfer/protocol.h"

/* The notes of the pseudo-fields, which are made when the first line is written. Only that of the authority
 * may be missing, whose value comes with Host. */
enum { NOTE_METHOD, NOTE_SCHEME, NOTE_AUTHORITY, NOTE_PATH, NOTES_FIRST };

/* ---- notes: the first one ends where the memory ends, and each further one is in front of it ---- */

static char *note_place(const struct mote_http_writer *w, size_t i)
{
  return w->ptr + w->cap + w->notes - (i + 1) * sizeof(struct mote_mux_note);
}

static struct mote_mux_note note_get(const struct mote_http_writer *w, size_t i)
{
  struct mote_mux_note n;
  memcpy(&n, note_place(w, i), sizeof n);
  return n;
}

static void note_set(const struct mote_http_writer *w, size_t i, const struct mote_mux_note *n)
{
  memcpy(note_place(w, i), n, sizeof *n);
}

/* The last one is where the room ends. */
static char *note_last(const struct mote_http_writer *w)
{
  return w->ptr + w->cap;
}

/* Makes notes in the free room, which has enough of it. */
static void notes_add(struct mote_http_writer *w, size_t count)
{
  w->cap -= count * sizeof(struct mote_mux_note);
  w->notes += count * sizeof(struct mote_mux_note);
}

static void note_drop(struct mote_http_writer *w)
{
  w->cap += sizeof(struct mote_mux_note);
  w->notes -= sizeof(struct mote_mux_note);
}

/* ---- what cannot be sent ---- */

static void refuse_field(struct mote_http_writer *w, struct mote_slice name)
{
  size_t shown = 0;
  while(shown < name.len && (unsigned char)name.ptr[shown] > ' ')
    shown++;
  mote_fail(&w->t->report, "the request's field \"%.*s\" has a line end in it", (int)shown, name.ptr);
  w->rc = CURLE_BAD_FUNCTION_ARGUMENT;
}

/* ---- the first line ---- */

/* A target of the application may be a whole URL, whose host, without a user, is then the authority and not
 * Host (RFC 9112 section 3.2.2). */
static void split_target(const struct mote_http_writer *w, struct mote_mux_note *path,
                         struct mote_mux_note *authority)
{
  const char *text = w->ptr + path->value, *end = text + path->value_len, *mark = text, *at, *user;
  while(end - mark > 3 && memcmp(mark, "://", 3))
    mark++;
  if(*text == '/' || end - mark <= 3)
    return;
  at = memchr(mark + 3, '/', (size_t)(end - mark - 3));
  if(!at)
    return;
  for(mark += 3; (user = memchr(mark, '@', (size_t)(at - mark))) != NULL;)
    mark = user + 1;
  authority->name_len = 1;
  authority->value = (uint32_t)(mark - w->ptr);
  authority->value_len = (uint32_t)(at - mark);
  path->value = (uint32_t)(at - w->ptr);
  path->value_len = (uint32_t)(end - at);
}

void mote_http_fields_begin(struct mote_http_writer *w, struct mote_slice version)
{
  struct mote_mux_note method = {0, 0, 0, 0}, path = method, authority = method;
  mote_http_put_text(w, mote_http_method(w->t));
  method.value_len = (uint32_t)w->len;
  mote_http_put(w, " ", 1);
  if(mote_http_is_forwarded(w->t))
    mote_http_put_origin(w);
  path.value = (uint32_t)w->len;
  mote_http_put_target(w);
  if(mote_http_is_forwarded(w->t))
    mote_http_put_transfer_type(w);
  path.value_len = (uint32_t)w->len - path.value;
  mote_http_put(w, version.ptr, version.len);
  if(w->rc)
    return;
  if(!method.value_len || !path.value_len ||
     mote_mux_has_line_end(w->ptr, path.value + path.value_len)) {
    mote_fail(&w->t->report, "the request's method or target is empty or has a line end in it");
    w->rc = CURLE_URL_MALFORMAT;
  }
  if(!mote_http_room(w, NOTES_FIRST * sizeof method))
    return;
  notes_add(w, NOTES_FIRST);
  if(mote_opt_str(&w->t->options, CURLOPT_REQUEST_TARGET))
    split_target(w, &path, &authority);
  note_set(w, NOTE_METHOD, &method); /* the scheme's stays as it is, since no text has that */
  note_set(w, NOTE_AUTHORITY, &authority);
  note_set(w, NOTE_PATH, &path);
}

/* ---- fields ---- */

void mote_http_fields_name(struct mote_http_writer *w, const char *name, size_t len)
{
  struct mote_mux_note n = {(uint32_t)w->len, (uint32_t)len, (uint32_t)(w->len + len + 1), 0};
  char *to = mote_http_room(w, len + 1 + sizeof n);
  if(!to)
    return;
  notes_add(w, 1);
  memcpy(note_last(w), &n, sizeof n);
  memcpy(to, name, len);
  to[len] = ':';
  w->len += len + 1;
}

/* Host is the authority, unless the target has one. */
static void keep_host(struct mote_http_writer *w, struct mote_mux_note *n)
{
  struct mote_mux_note authority = note_get(w, NOTE_AUTHORITY);
  note_drop(w);
  if(authority.name_len)
    return;
  n->name_len = 1;
  note_set(w, NOTE_AUTHORITY, n);
}

void mote_http_fields_end(struct mote_http_writer *w)
{
  enum mote_mux_verdict verdict;
  struct mote_mux_note n;
  if(w->rc)
    return;
  memcpy(&n, note_last(w), sizeof n);
  verdict = mote_mux_judge(w->ptr, w->len, &n);
  if(verdict == MOTE_MUX_HAS_LINE_END)
    refuse_field(w, (struct mote_slice){w->ptr + n.name, n.name_len});
  else if(n.name_len == 4 && !memcmp(w->ptr + n.name, "Host", 4)) /* as request.c alone writes it */
    keep_host(w, &n);
  else if(verdict == MOTE_MUX_LEFT_OUT)
    note_drop(w);
  else
    memcpy(note_last(w), &n, sizeof n);
  mote_http_put(w, "\r\n", 2);
}

void mote_http_fields_framing(struct mote_http_writer *w)
{
  (void)w;
}

void mote_http_fields_finish(struct mote_http_writer *w)
{
  mote_http_put(w, "\r\n", 2);
}

/* ---- reading them ---- */

/* How many notes are none of fields: there is no authority. */
static size_t missing(const struct mote_http_writer *w)
{
  return !note_get(w, NOTE_AUTHORITY).name_len;
}

size_t mote_http_fields_count(const struct mote_http_writer *w)
{
  return w->notes / sizeof(struct mote_mux_note) - missing(w);
}

static struct mote_mux_field pseudo_at(const struct mote_http_writer *w, size_t i)
{
  static const struct mote_slice names[] = {{":method", 7}, {":scheme", 7}, {":authority", 10}, {":path", 5}};
  static const struct mote_slice schemes[] = {{"http", 4}, {"https", 5}};
  struct mote_mux_field p = {.is_pseudo = true};
  struct mote_mux_note n;
  if(i >= NOTE_AUTHORITY)
    i += missing(w);
  n = note_get(w, i);
  p.name = names[i];
  if(i == NOTE_SCHEME) /* whose note has no place of a value */
    p.value = schemes[w->t->run->request.scheme->tls != MOTE_SECURE_NEVER];
  else
    p.value = (struct mote_slice){w->ptr + n.value, n.value_len};
  return p;
}

struct mote_mux_field mote_http_fields_at(struct mote_http_writer *w, size_t i)
{
  struct mote_mux_note n;
  if(i < NOTES_FIRST - missing(w))
    return pseudo_at(w, i);
  n = note_get(w, i + missing(w));
  return mote_mux_field_at(w->ptr, &n);
}
