/* Fuzz target of auth/sign/sigv4.h: five texts, parted by 0xff: the option, the host, the path, the query, and lines
 * of fields. Any of them must give a signature in hex digits and sorted fields, the same for parameters in the
 * opposite order, or an error.
 *
 * needs: src/auth/sign/sigv4.c src/base/digest/hmac.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_sigv4.c src/auth/sign/sigv4.c src/base/digest/hmac.c
 *   src/base/digest/sha256.c src/base/text.c src/codec/url/percent.c */
#include "auth/sign/sigv4.h"
#include "fuzz.h"

static struct mote_slice next_text(const char **p, const char *end, char stop)
{
  struct mote_slice s = {*p, 0};
  while(s.ptr + s.len < end && s.ptr[s.len] != stop)
    s.len++;
  *p += s.len + (s.ptr + s.len < end);
  return s;
}

static unsigned read_fields(struct mote_slice lines, struct mote_sigv4_item *out)
{
  const char *p = lines.ptr, *end = lines.ptr + lines.len;
  unsigned n = 0;
  while(p < end) {
    struct mote_slice line = next_text(&p, end, '\n');
    const char *at = line.ptr;
    out[n].name = next_text(&at, line.ptr + line.len, ':');
    out[n].value.ptr = at;
    out[n].value.len = (size_t)(line.ptr + line.len - at);
    out[n].order = n;
    n++;
  }
  return n;
}

static void sign(struct mote_sigv4 *s, struct mote_slice lines, char out[MOTE_SIGV4_HEX])
{
  struct mote_hmac key;
  unsigned i;
  s->fields = malloc((lines.len + 1) * sizeof *s->fields);
  s->params = malloc((mote_sigv4_count(s->query) + 1) * sizeof *s->params);
  must(s->fields && s->params);
  s->field_count = read_fields(lines, s->fields);
  mote_sigv4_make_key(s, &key);
  mote_sigv4_sign(s, &key, out);
  for(i = 0; i < MOTE_SIGV4_HEX; i++)
    must(mote_is_digit(out[i]) || (out[i] >= 'a' && out[i] <= 'f'));
  for(i = 1; i < s->field_count; i++)
    must(!mote_sigv4_repeats(s, i) || s->fields[i - 1].order < s->fields[i].order);
  free(s->fields);
  free(s->params);
}

/* Writes the query's parameters in the opposite order. */
static void turn(struct mote_slice query, char *out)
{
  const char *p = query.ptr, *end = query.ptr + query.len;
  char *to = out + query.len;
  while(p < end) {
    struct mote_slice param = next_text(&p, end, '&');
    to -= param.len;
    if(param.len)
      memcpy(to, param.ptr, param.len);
    if(to > out)
      *--to = '&';
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *p = (const char *)data, *end = p + size;
  struct mote_slice text = next_text(&p, end, (char)0xff);
  struct mote_slice host = next_text(&p, end, (char)0xff);
  struct mote_sigv4 s = {.method = {"GET", 3}, .date = {"20201231T235959Z", 16}, .payload = {"x", 1}};
  char first[MOTE_SIGV4_HEX], second[MOTE_SIGV4_HEX], scope[MOTE_SIGV4_SCOPE], name[MOTE_SIGV4_NAME];
  struct mote_slice lines;
  char *option = calloc(1, text.len + 1), *turned;
  must(option != NULL);
  if(text.len)
    memcpy(option, text.ptr, text.len);
  s.path = next_text(&p, end, (char)0xff);
  s.query = next_text(&p, end, (char)0xff);
  lines = next_text(&p, end, (char)0xff);
  s.secret = lines;
  if(!mote_sigv4_parse(&s.words, option, host)) {
    must(mote_sigv4_scope(&s, scope) <= sizeof scope);
    must(mote_sigv4_date_name(&s.words, name) < sizeof name);
    must(mote_sigv4_payload_name(&s.words, name) < sizeof name);
    sign(&s, lines, first);
    turned = malloc(s.query.len + 1);
    must(turned != NULL);
    turn(s.query, turned);
    s.query.ptr = turned;
    sign(&s, lines, second);
    must(!memcmp(first, second, sizeof first));
    free(turned);
  }
  free(option);
  return 0;
}
