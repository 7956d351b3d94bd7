/* codec/imap.c: lines, strings and URLs of IMAP (codec/imap.h). */
#include "codec/imap.h"

#include <string.h>

bool mote_imap_next_word(struct mote_slice *rest, struct mote_slice *word)
{
  const char *at = rest->ptr, *end = at + rest->len;
  while(at < end && mote_is_blank(*at))
    at++;
  word->ptr = at;
  while(at < end && !mote_is_blank(*at))
    at++;
  word->len = (size_t)(at - word->ptr);
  while(at < end && mote_is_blank(*at))
    at++;
  rest->ptr = at;
  rest->len = (size_t)(end - at);
  return word->len > 0;
}

static uint8_t status_of(struct mote_slice word)
{
  static const char *const names[] = {
    [MOTE_IMAP_OK] = "OK", [MOTE_IMAP_NO] = "NO", [MOTE_IMAP_BAD] = "BAD",
    [MOTE_IMAP_BYE] = "BYE", [MOTE_IMAP_PREAUTH] = "PREAUTH",
  };
  uint8_t i;
  for(i = MOTE_IMAP_OK; i <= MOTE_IMAP_PREAUTH; i++)
    if(mote_slice_is(word, names[i]))
      return i;
  return MOTE_IMAP_NONE;
}

/* "{n}" or "{n+}" at the end of the line. */
static int64_t literal_of(struct mote_slice line)
{
  const char *end = line.ptr + line.len, *at;
  struct mote_slice digits;
  uint64_t n;
  if(line.len < 3 || end[-1] != '}')
    return MOTE_IMAP_NO_LITERAL;
  end -= end[-2] == '+' ? 2 : 1;
  for(at = end; at > line.ptr && mote_is_digit(at[-1]); at--)
    ;
  if(at == end || at == line.ptr || at[-1] != '{')
    return MOTE_IMAP_NO_LITERAL;
  digits.ptr = at;
  digits.len = (size_t)(end - at);
  return mote_parse_dec(digits, INT64_MAX, &n) ? (int64_t)n : MOTE_IMAP_BAD_LITERAL;
}

static bool is_number(struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len; i++)
    if(!mote_is_digit(s.ptr[i]))
      return false;
  return s.len > 0;
}

void mote_imap_read(struct mote_imap_line *l, struct mote_slice line, const char *tag)
{
  struct mote_slice rest = line, word = {line.ptr, 0};
  size_t tag_len = strlen(tag);
  memset(l, 0, sizeof *l);
  l->literal = literal_of(line);
  l->rest = l->word = word;
  if(line.len && line.ptr[0] == '+' && (line.len == 1 || line.ptr[1] == ' ')) {
    l->kind = MOTE_IMAP_GO_ON;
    l->rest.ptr = line.ptr + (line.len > 1 ? 2 : 1);
    l->rest.len = line.len > 1 ? line.len - 2 : 0;
    return;
  }
  if(line.len > 1 && line.ptr[0] == '*' && line.ptr[1] == ' ')
    l->kind = MOTE_IMAP_UNTAGGED;
  else if(tag_len && line.len > tag_len && line.ptr[tag_len] == ' ' && !memcmp(line.ptr, tag, tag_len))
    l->kind = MOTE_IMAP_TAGGED;
  else
    return;
  (void)mote_imap_next_word(&rest, &word); /* the tag */
  (void)mote_imap_next_word(&rest, &word);
  l->status = status_of(word);
  if(l->kind == MOTE_IMAP_UNTAGGED && is_number(word))
    (void)mote_imap_next_word(&rest, &word);
  l->word = word;
  l->rest = rest;
}

bool mote_imap_code(struct mote_slice rest, const char *name, struct mote_slice *value)
{
  size_t len = strlen(name);
  const char *end;
  if(rest.len < len + 2 || rest.ptr[0] != '[' || !mote_equal_nocase_n(rest.ptr + 1, name, len) ||
     rest.ptr[1 + len] != ' ')
    return false;
  value->ptr = rest.ptr + len + 2;
  end = memchr(value->ptr, ']', rest.len - len - 2);
  value->len = end ? (size_t)(end - value->ptr) : 0;
  return end != NULL;
}

/* ---- sending ---- */

/* RFC 3501 section 9, atom-specials: controls, and what has a meaning of its own. */
static bool is_atom(struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len; i++)
    if((unsigned char)s.ptr[i] <= ' ' || (unsigned char)s.ptr[i] >= 127 || strchr("(){%*\"\\]", s.ptr[i]))
      return false;
  return s.len > 0;
}

size_t mote_imap_put_string(char *to, struct mote_slice text, bool quoted)
{
  char *at = to;
  size_t i;
  if(!quoted && is_atom(text)) {
    memcpy(to, text.ptr, text.len);
    return text.len;
  }
  *at++ = '"';
  for(i = 0; i < text.len; i++) {
    if(text.ptr[i] == '"' || text.ptr[i] == '\\')
      *at++ = '\\';
    *at++ = text.ptr[i];
  }
  *at++ = '"';
  return (size_t)(at - to);
}

/* ---- URLs ---- */

static struct mote_slice without_slash(struct mote_slice s)
{
  if(s.len && s.ptr[s.len - 1] == '/')
    s.len--;
  return s;
}

static struct mote_slice until(const char *at, const char *end)
{
  const char *stop = at < end ? memchr(at, ';', (size_t)(end - at)) : NULL;
  struct mote_slice s = {at, (size_t)((stop ? stop : end) - at)};
  return s;
}

static bool take_parameter(struct mote_imap_url *u, struct mote_slice text)
{
  const struct {
    const char *name;
    struct mote_slice *value;
  } known[] = {{"UIDVALIDITY", &u->uidvalidity}, {"UID", &u->uid}, {"MAILINDEX", &u->mailindex},
               {"SECTION", &u->section}, {"PARTIAL", &u->partial}};
  const char *eq = text.len ? memchr(text.ptr, '=', text.len) : NULL;
  struct mote_slice name = {text.ptr, eq ? (size_t)(eq - text.ptr) : 0}, value;
  size_t i;
  if(!eq)
    return false;
  value = without_slash((struct mote_slice){eq + 1, text.len - name.len - 1});
  for(i = 0; i < sizeof known / sizeof known[0]; i++)
    if(mote_slice_is(name, known[i].name)) {
      if(!value.len || known[i].value->len)
        return false;
      *known[i].value = value;
      return true;
    }
  return false;
}

bool mote_imap_read_url(struct mote_imap_url *u, struct mote_slice path)
{
  const char *at = path.ptr, *end = at + path.len;
  struct mote_slice s = until(at, end);
  memset(u, 0, sizeof *u);
  u->mailbox = without_slash(s);
  for(at += s.len; at < end; at += s.len) {
    s = until(++at, end);
    if(!take_parameter(u, s))
      return false;
  }
  return true;
}
