/* codec/mail/imap.c: lines, strings and URLs of IMAP (codec/mail/imap.h). */
#include "codec/mail/imap.h"

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

static bool mail_imap_is_number(struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len; i++)
    if(!mote_is_digit(s.ptr[i]))
      return false;
  return s.len > 0;
}

/* A mark and a blank, with more after the mark. */
static bool mail_imap_begins(struct mote_slice line, const char *mark, size_t len)
{
  return line.len > len && line.ptr[len] == ' ' && !memcmp(line.ptr, mark, len);
}

void mote_imap_read(struct mote_imap_line *l, struct mote_slice line, const char *tag)
{
  struct mote_slice rest = line, word;
  size_t tag_len = strlen(tag);
  memset(l, 0, sizeof *l);
  l->literal = literal_of(line);
  l->rest.ptr = l->word.ptr = line.ptr;
  if(mail_imap_begins(line, "+", 1) || (line.len == 1 && *line.ptr == '+')) {
    l->kind = MOTE_IMAP_GO_ON;
    mote_slice_skip(&rest, line.len > 1 ? 2 : 1);
    l->rest = rest;
    return;
  }
  if(mail_imap_begins(line, "*", 1))
    l->kind = MOTE_IMAP_UNTAGGED;
  else if(tag_len && mail_imap_begins(line, tag, tag_len))
    l->kind = MOTE_IMAP_TAGGED;
  else
    return;
  (void)mote_imap_next_word(&rest, &word); /* the tag */
  (void)mote_imap_next_word(&rest, &word);
  l->status = (uint8_t)mote_slice_among(word, "OK\0NO\0BAD\0BYE\0PREAUTH\0");
  if(l->kind == MOTE_IMAP_UNTAGGED && mail_imap_is_number(word))
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

static struct mote_slice mail_imap_until(const char *at, const char *end)
{
  const char *stop = at < end ? memchr(at, ';', (size_t)(end - at)) : NULL;
  struct mote_slice s = {at, (size_t)((stop ? stop : end) - at)};
  return s;
}

static bool mail_imap_take_parameter(struct mote_imap_url *u, struct mote_slice text)
{
  static const uint8_t places[] = {
    offsetof(struct mote_imap_url, uidvalidity), offsetof(struct mote_imap_url, uid),
    offsetof(struct mote_imap_url, mailindex), offsetof(struct mote_imap_url, section),
    offsetof(struct mote_imap_url, partial),
  };
  const char *eq = text.len ? memchr(text.ptr, '=', text.len) : NULL;
  struct mote_slice name = {text.ptr, eq ? (size_t)(eq - text.ptr) : 0}, *value;
  unsigned place = mote_slice_among(name, "UIDVALIDITY\0UID\0MAILINDEX\0SECTION\0PARTIAL\0");
  if(!place)
    return false;
  value = (struct mote_slice *)((char *)u + places[place - 1]);
  if(value->len)
    return false;
  *value = without_slash((struct mote_slice){eq + 1, text.len - name.len - 1});
  return value->len > 0;
}

bool mote_imap_read_url(struct mote_imap_url *u, struct mote_slice path)
{
  const char *at = path.ptr, *end = at + path.len;
  struct mote_slice s = mail_imap_until(at, end);
  memset(u, 0, sizeof *u);
  u->mailbox = without_slash(s);
  for(at += s.len; at < end; at += s.len) {
    s = mail_imap_until(++at, end);
    if(!mail_imap_take_parameter(u, s))
      return false;
  }
  return true;
}
