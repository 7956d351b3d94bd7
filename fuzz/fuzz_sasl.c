/* Fuzz target of auth/sasl/sasl.h: lines of a server. The first has LOGIN_OPTIONS, the second the mechanisms that it
 * offers; each of the others is a reply. Whatever comes, an answer is one line of base 64, and a login ends.
 *
 * needs: src/auth/sasl/sasl.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_sasl.c src/auth/sasl/sasl*.c … */
#include "auth/sasl/sasl.h"
#include "auth/scheme.h"
#include "base/buf.h"
#include "base/digest/base64.h"
#include "fuzz.h"

static struct mote_slice take(struct mote_slice *rest, char until)
{
  const char *end = rest->len ? memchr(rest->ptr, until, rest->len) : NULL;
  struct mote_slice out = {rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len};
  size_t used = out.len + (end ? 1 : 0);
  rest->ptr += used;
  rest->len -= used;
  return out;
}

static void must_be_base64(struct mote_slice text)
{
  size_t i;
  for(i = 0; i < text.len; i++)
    must(mote_base64_digit(text.ptr[i]) >= 0 || (text.ptr[i] == '=' && i + 2 >= text.len));
}

static void must_be_line(const struct mote_buf *out, enum mote_sasl_verdict verdict)
{
  struct mote_slice text = {out->ptr, out->len}, name;
  must(verdict != MOTE_SASL_NONE || !out->len);
  if(verdict == MOTE_SASL_COMMAND) {
    name = take(&text, ' ');
    must(name.len > 0 && name.len <= 13);
  }
  if(text.len && !(text.len == 1 && (*text.ptr == '*' || *text.ptr == '=')))
    must_be_base64(text);
}

static void converse(struct mote_sasl *s, const struct mote_sasl_login *login, struct mote_slice rest)
{
  enum mote_sasl_verdict verdict;
  struct mote_buf out;
  CURLcode rc;
  mote_buf_init(&out, mote_mem_process(), MOTE_PART_CONN, 1000000);
  rc = mote_sasl_begin(s, login, &out, &verdict);
  while(!rc && (verdict == MOTE_SASL_COMMAND || verdict == MOTE_SASL_ANSWER)) {
    struct mote_slice line = take(&rest, '\n');
    enum mote_sasl_reply reply = MOTE_SASL_REJECTED;
    must_be_line(&out, verdict);
    if(line.len)
      reply = *line.ptr == '+' ? MOTE_SASL_CHALLENGE : *line.ptr == 'O' ? MOTE_SASL_ACCEPTED : reply;
    if(line.len) {
      line.ptr++;
      line.len--;
    }
    mote_buf_clear(&out);
    rc = mote_sasl_next(s, login, reply, line, &out, &verdict);
  }
  must(!rc || rc == CURLE_LOGIN_DENIED || rc == CURLE_AUTH_ERROR);
  mote_buf_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_slice rest = {(const char *)data, size}, offers;
  struct mote_auth_login auth = {
    .user = mote_slice_of("user%40host"), .password = mote_slice_of("secret"), .user_coded = true, .given = true,
    .ticket = true
  };
  struct mote_sasl_login login = {
    .auth = &auth, .service = mote_slice_of("imap"), .host = mote_slice_of("host"),
    .random = mote_slice_of("0123456789abcdefgh"), .port = 143, .initial = size & 1,
    .initial_most = size & 2 ? 30 : 0,
  };
  struct mote_sasl s;
  if(size & 4)
    auth.token = mote_slice_of("token");
  if(size & 8)
    auth.password.len = 0;
  mote_sasl_init(&s, mote_mem_process());
  if(!mote_sasl_options(&s, take(&rest, '\n'), "+LOGIN")) {
    offers = take(&rest, '\n');
    while(offers.len)
      mote_sasl_offer(&s, take(&offers, ' '));
    converse(&s, &login, rest);
  }
  mote_sasl_close(&s);
  return 0;
}
