/* Fuzz target of codec/mail/mime.h: any content, whole and cut, beside its room and at the end of it, must give the
 * same encoded bytes, as many as were foretold, from which base64 gives the content back. A name must give the
 * same text in rooms of any size, without a line break or a quote that would end it.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_mime.c src/codec/mail/mime.c
 *   src/base/digest/base64.c src/base/text.c */
#include "codec/mail/mime.h"
#include "fuzz.h"

struct run {
  char *bytes;
  size_t len;
  bool refused;
};

static char *block(size_t size)
{
  char *p = malloc(size + !size);
  must(p != NULL);
  return p;
}

static void add(struct run *r, const char *bytes, size_t len)
{
  char *more = realloc(r->bytes, r->len + len + 1);
  must(more != NULL);
  memcpy(more + r->len, bytes, len);
  r->bytes = more;
  r->len += len;
  r->bytes[r->len] = 0;
}

/* piece 0: all at once. */
static struct run encode(const struct mote_mime_coding *coding, const char *in, size_t len, size_t piece,
                         bool place)
{
  struct run r = {NULL, 0, false};
  struct mote_mime_coder c;
  size_t at = 0;
  memset(&c, 0, sizeof c);
  do {
    size_t n = piece && piece < len - at ? piece : len - at;
    char *room = block(MOTE_MIME_ENCODED(n)), *apart = block(n);
    char *from = place ? room + MOTE_MIME_ENCODED(n) - n : apart;
    size_t wrote;
    memcpy(from, in + at, n);
    at += n;
    wrote = coding->encode(&c, from, n, at == len, room);
    must(wrote <= MOTE_MIME_ENCODED(n) && c.column <= MOTE_MIME_LINE && c.carried <= MOTE_MIME_CARRY);
    add(&r, room, wrote);
    free(room);
    free(apart);
  } while(at < len && !c.refused);
  r.refused = c.refused;
  return r;
}

static void check_lines(const struct run *r)
{
  const char *p = r->bytes;
  while(p && *p) {
    const char *end = strstr(p, "\r\n");
    must((end ? (size_t)(end - p) : strlen(p)) <= MOTE_MIME_LINE);
    p = end ? end + 2 : NULL;
  }
}

static void encoding(const char *name, const char *in, size_t len, size_t piece)
{
  const struct mote_mime_coding *coding = mote_mime_coding_find(name);
  struct run whole = encode(coding, in, len, 0, false);
  struct run cut = encode(coding, in, len, piece, true);
  must(whole.refused == cut.refused && whole.len == cut.len && !memcmp(whole.bytes, cut.bytes, cut.len));
  if(coding->size && coding->size((curl_off_t)len) >= 0)
    must(coding->size((curl_off_t)len) == (curl_off_t)whole.len);
  if(coding->size)
    check_lines(&whole);
  free(whole.bytes);
  free(cut.bytes);
}

static void quoted(const char *name, bool backslash, size_t room)
{
  struct mote_mime_text whole = {.room = 0}, part;
  char *text, *to = block(room);
  size_t len = 0, i;
  mote_mime_put_quoted(&whole, name, backslash);
  text = block(whole.total);
  do {
    part = (struct mote_mime_text){.to = to, .room = room, .skip = len};
    mote_mime_put_quoted(&part, name, backslash);
    must(part.written <= room && part.total == whole.total && part.refused == whole.refused);
    must(len + part.written <= whole.total);
    memcpy(text + len, to, part.written);
    len += part.written;
  } while(len < whole.total);
  must(text[0] == '"' && text[len - 1] == '"');
  for(i = 1; i + 1 < len && !whole.refused; i++) {
    must(text[i] != '\r' && text[i] != '\n');
    must(text[i] != '"' || (backslash && text[i - 1] == '\\'));
  }
  free(text);
  free(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  size_t piece;
  char *in;
  if(!size)
    return 0;
  piece = 1u + data[0] % 31;
  size--;
  in = block(size + 1);
  memcpy(in, data + 1, size);
  in[size] = 0;
  encoding("base64", in, size, piece);
  encoding("quoted-printable", in, size, piece);
  encoding("7bit", in, size, piece);
  quoted(in, false, piece);
  quoted(in, true, piece);
  (void)mote_mime_type_of(in);
  free(in);
  return 0;
}
