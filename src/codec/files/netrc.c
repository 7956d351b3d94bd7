/* codec/files/netrc.c: reads a netrc file (codec/files/netrc.h). */
#include "codec/files/netrc.h"

#include <string.h>

#include "base/memory.h"

enum { BETWEEN, WORD, QUOTED, ESCAPED, COMMENT, MACRO }; /* mode */
enum { KEYWORD, HOST, LOGIN, PASSWORD, OTHER };          /* want */

void mote_netrc_init(struct mote_netrc *n, struct mote_account *account, struct mote_slice host,
                     struct mote_slice user)
{
  memset(n, 0, sizeof *n);
  n->host = host;
  n->user = user;
  mote_buf_init(&n->word, account, MOTE_PART_TRANSFER, MOTE_NETRC_WORD);
  mote_buf_init(&n->login, account, MOTE_PART_TRANSFER, MOTE_NETRC_WORD);
  mote_buf_init(&n->password, account, MOTE_PART_TRANSFER, MOTE_NETRC_WORD);
}

void mote_netrc_close(struct mote_netrc *n)
{
  mote_buf_close(&n->word);
  mote_buf_close(&n->login);
  mote_buf_close(&n->password);
}

/* ---- entries ---- */

static struct mote_slice files_netrc_text_of(const struct mote_buf *b)
{
  struct mote_slice s = {b->ptr ? b->ptr : "", b->len};
  return s;
}

/* Reports whether the entry has what is looked for. A password without a login is any user's. */
static bool files_netrc_answers(const struct mote_netrc *n)
{
  if(!n->inside)
    return false;
  if(!n->user.ptr)
    return n->login.len || n->password.len;
  return n->has_password && (!n->has_login || (n->login.len == n->user.len &&
                                               !memcmp(files_netrc_text_of(&n->login).ptr, n->user.ptr,
                                                       n->user.len)));
}

static void end_entry(struct mote_netrc *n)
{
  n->found = files_netrc_answers(n);
  n->inside = false;
  if(n->found)
    return;
  mote_buf_clear(&n->login);
  mote_buf_clear(&n->password);
  n->has_login = n->has_password = false;
}

/* An entry may have another login, with its own password. */
static void next_login(struct mote_netrc *n)
{
  if(!n->user.ptr || !n->has_login)
    return;
  n->found = files_netrc_answers(n);
  if(n->found)
    return;
  mote_buf_clear(&n->password);
  n->has_password = false;
}

static CURLcode files_netrc_keep(struct mote_buf *to, const struct mote_buf *word)
{
  mote_buf_clear(to);
  return word->len ? mote_buf_add(to, word->ptr, word->len) : CURLE_OK;
}

/* ---- words ---- */

static void keyword(struct mote_netrc *n)
{
  static const struct {
    char name[9];
    uint8_t want;
  } values[] = {{"machine", HOST}, {"login", LOGIN}, {"password", PASSWORD}, {"account", OTHER}};
  struct mote_slice word = files_netrc_text_of(&n->word);
  bool is_default = mote_slice_is(word, "default"), is_macro = mote_slice_is(word, "macdef");
  size_t i;
  if(n->quoted)
    return;
  for(i = 0; i < sizeof values / sizeof values[0]; i++)
    if(mote_slice_is(word, values[i].name))
      n->want = values[i].want;
  if(n->want == HOST || is_default || is_macro)
    end_entry(n);
  n->inside = is_default || n->inside;
  if(is_macro) {
    n->mode = MACRO;
    n->line_empty = false;
  }
}

static CURLcode end_word(struct mote_netrc *n)
{
  uint8_t want = n->want;
  CURLcode rc = CURLE_OK;
  n->mode = BETWEEN;
  n->want = KEYWORD;
  if(want == KEYWORD)
    keyword(n);
  else if(want == HOST)
    n->inside = n->word.len == n->host.len &&
                mote_equal_nocase_n(files_netrc_text_of(&n->word).ptr, n->host.ptr, n->host.len);
  else if(want == LOGIN && n->inside) {
    next_login(n);
    if(!n->found)
      rc = files_netrc_keep(&n->login, &n->word);
    n->has_login = true;
  }
  else if(want == PASSWORD && n->inside) {
    rc = files_netrc_keep(&n->password, &n->word);
    n->has_password = true;
  }
  mote_buf_clear(&n->word);
  n->quoted = false;
  return rc;
}

static char unescaped(char c)
{
  return c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
}

/* Begins a word, or finds that there is none. */
static CURLcode files_netrc_between(struct mote_netrc *n, char c)
{
  if(c == '#' && n->want == KEYWORD)
    n->mode = COMMENT;
  else if(c == '"') {
    n->mode = QUOTED;
    n->quoted = true;
  }
  else if((unsigned char)c > ' ') {
    n->mode = WORD;
    return mote_buf_add(&n->word, &c, 1);
  }
  else if(!c)
    n->mode = COMMENT;
  return CURLE_OK;
}

static CURLcode in_quotes(struct mote_netrc *n, char c)
{
  if(n->mode == ESCAPED) {
    n->mode = QUOTED;
    c = unescaped(c);
  }
  else if(c == '"')
    return end_word(n);
  else if(c == '\\') {
    n->mode = ESCAPED;
    return CURLE_OK;
  }
  return mote_buf_add(&n->word, &c, 1);
}

/* A NUL hides the rest of its line, as it does for functions of the C library. */
static CURLcode in_word(struct mote_netrc *n, char c)
{
  CURLcode rc;
  if((unsigned char)c > ' ')
    return mote_buf_add(&n->word, &c, 1);
  rc = end_word(n);
  if(!c)
    n->mode = COMMENT;
  else if(c == '\n' && n->mode == MACRO)
    n->line_empty = true;
  return rc;
}

static void in_macro(struct mote_netrc *n, char c)
{
  if(c == '\n') {
    if(n->line_empty)
      n->mode = BETWEEN;
    n->line_empty = true;
  }
  else if(c != '\r')
    n->line_empty = false;
}

static CURLcode one_byte(struct mote_netrc *n, char c)
{
  switch(n->mode) {
  case BETWEEN:
    return files_netrc_between(n, c);
  case WORD:
    return in_word(n, c);
  case COMMENT:
    n->mode = c == '\n' ? BETWEEN : COMMENT;
    return CURLE_OK;
  case MACRO:
    in_macro(n, c);
    return CURLE_OK;
  default:
    return in_quotes(n, c);
  }
}

CURLcode mote_netrc_feed(struct mote_netrc *n, const char *bytes, size_t len)
{
  CURLcode rc = CURLE_OK;
  for(; len && !rc && !n->found; len--)
    rc = one_byte(n, *bytes++);
  return rc;
}

CURLcode mote_netrc_end(struct mote_netrc *n)
{
  CURLcode rc = CURLE_OK;
  if(n->found)
    return rc;
  if(n->mode == QUOTED || n->mode == ESCAPED)
    return CURLE_READ_ERROR;
  if(n->mode == WORD)
    rc = end_word(n);
  if(!rc && !n->found)
    end_entry(n);
  return rc;
}
