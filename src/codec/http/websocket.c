/* codec/http/websocket.c: frames of the WebSocket protocol, and the key of its handshake (RFC 6455). */
#include "codec/http/websocket.h"

#include <string.h>

#include <curl/curl.h>

#include "base/digest/base64.h"
#include "base/digest/digest.h"

#define FINAL 0x80u    /* in the first byte of a head */
#define RESERVED 0x70u
#define OPCODE 0x0fu
#define MASKED 0x80u   /* in the second byte */
#define LENGTH 0x7fu
#define LENGTH_16 126u /* two bytes of length follow */
#define LENGTH_64 127u /* eight */

#define TYPES (CURLWS_TEXT | CURLWS_BINARY | CURLWS_CLOSE | CURLWS_PING | CURLWS_PONG)

const char *mote_websocket_why_text(enum mote_websocket_why why)
{
  static const char *const texts[] = {
    [MOTE_WEBSOCKET_RESERVED_BIT] = "a WebSocket frame has a reserved bit, without an extension",
    [MOTE_WEBSOCKET_OPCODE] = "a WebSocket frame has a reserved opcode",
    [MOTE_WEBSOCKET_MASKED] = "the WebSocket server has masked a frame",
    [MOTE_WEBSOCKET_LENGTH] = "a WebSocket frame's length has more than 63 bits",
    [MOTE_WEBSOCKET_LENGTH_FORM] = "a WebSocket frame's length is not in its shortest form",
    [MOTE_WEBSOCKET_CONTROL_LONG] = "a WebSocket control frame has more than 125 bytes",
    [MOTE_WEBSOCKET_CONTROL_CUT] = "a WebSocket control frame is fragmented",
    [MOTE_WEBSOCKET_NO_MESSAGE] = "a WebSocket frame continues a message that was not begun",
    [MOTE_WEBSOCKET_IN_MESSAGE] = "a WebSocket message begins inside another one",
    [MOTE_WEBSOCKET_AFTER_CLOSE] = "a WebSocket frame follows the close frame",
    [MOTE_WEBSOCKET_NOT_UTF8] = "a WebSocket text is not in UTF-8",
    [MOTE_WEBSOCKET_NO_TYPE] = "the flags name no type of WebSocket frame",
    [MOTE_WEBSOCKET_FLAGS] = "the flags of the WebSocket frame are unknown or exclude each other",
  };
  return texts[why];
}

/* ---- reading ---- */

static size_t head_needs(const struct mote_websocket_reader *r)
{
  unsigned length;
  if(r->head_len < 2)
    return 2;
  length = r->head[1] & LENGTH;
  if(length == LENGTH_64)
    return 10;
  return length == LENGTH_16 ? 4 : 2;
}

/* Judges the first byte, as soon as it is there. */
static enum mote_websocket_why judge_first(const struct mote_websocket_reader *r)
{
  unsigned opcode = r->head[0] & OPCODE;
  bool final = (r->head[0] & FINAL) != 0;
  if(r->closed)
    return MOTE_WEBSOCKET_AFTER_CLOSE;
  if(r->head[0] & RESERVED)
    return MOTE_WEBSOCKET_RESERVED_BIT;
  if(opcode > MOTE_WEBSOCKET_PONG || (opcode > MOTE_WEBSOCKET_BINARY && opcode < MOTE_WEBSOCKET_CLOSE))
    return MOTE_WEBSOCKET_OPCODE;
  if(opcode >= MOTE_WEBSOCKET_CLOSE)
    return final ? MOTE_WEBSOCKET_OK : MOTE_WEBSOCKET_CONTROL_CUT;
  if(opcode == MOTE_WEBSOCKET_CONTINUE)
    return r->message ? MOTE_WEBSOCKET_OK : MOTE_WEBSOCKET_NO_MESSAGE;
  return r->message ? MOTE_WEBSOCKET_IN_MESSAGE : MOTE_WEBSOCKET_OK;
}

static enum mote_websocket_why judge_second(const struct mote_websocket_reader *r)
{
  if(r->head[1] & MASKED)
    return MOTE_WEBSOCKET_MASKED;
  if((r->head[0] & OPCODE) >= MOTE_WEBSOCKET_CLOSE && (r->head[1] & LENGTH) > MOTE_WEBSOCKET_CONTROL)
    return MOTE_WEBSOCKET_CONTROL_LONG;
  return MOTE_WEBSOCKET_OK;
}

static uint64_t websocket_read_length(const uint8_t *bytes, size_t len)
{
  uint64_t v = 0;
  size_t i;
  for(i = 0; i < len; i++)
    v = v << 8 | bytes[i];
  return v;
}

/* The head is complete. */
static enum mote_websocket_why begin_frame(struct mote_websocket_reader *r)
{
  size_t needs = head_needs(r);
  uint8_t opcode = r->head[0] & OPCODE;
  uint64_t size = needs == 2 ? r->head[1] & LENGTH : websocket_read_length(r->head + 2, needs - 2);
  if(size > INT64_MAX)
    return MOTE_WEBSOCKET_LENGTH;
  if((needs == 4 && size < LENGTH_16) || (needs == 10 && size <= UINT16_MAX))
    return MOTE_WEBSOCKET_LENGTH_FORM;
  r->size = r->left = size;
  r->final = (r->head[0] & FINAL) != 0;
  r->opcode = opcode ? opcode : r->message;
  if(opcode < MOTE_WEBSOCKET_CLOSE)
    r->message = r->final ? 0 : r->opcode;
  r->closed = opcode == MOTE_WEBSOCKET_CLOSE;
  r->head_len = 0;
  r->in_frame = true;
  return MOTE_WEBSOCKET_OK;
}

enum mote_websocket_why mote_websocket_head(struct mote_websocket_reader *r, const char *bytes, size_t len,
                                            size_t *used)
{
  size_t at = 0;
  enum mote_websocket_why why = MOTE_WEBSOCKET_OK;
  while(!why && !r->in_frame && at < len) {
    r->head[r->head_len++] = (uint8_t)bytes[at++];
    if(r->head_len == 1)
      why = judge_first(r);
    else if(r->head_len == 2)
      why = judge_second(r);
    if(!why && r->head_len >= head_needs(r))
      why = begin_frame(r);
  }
  *used = at;
  return why;
}

/* The first byte of a character beyond ASCII (RFC 3629 section 4): neither an overlong form nor a surrogate
 * nor one above U+10FFFF may follow. Returns false where there is no such character. */
static bool begin_character(struct mote_websocket_reader *r, uint8_t c)
{
  r->low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
  r->high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
  r->due = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
  return c >= 0xc2 && c <= 0xf4;
}

static bool take_character(struct mote_websocket_reader *r, uint8_t c)
{
  if(!r->due)
    return c < 0x80 || begin_character(r, c);
  if(c < r->low || c > r->high)
    return false;
  r->due--;
  r->low = 0x80;
  r->high = 0xbf;
  return true;
}

/* Returns how many of the first bytes are ASCII, eight at a time. */
static size_t skip_ascii(const char *bytes, size_t n)
{
  uint64_t eight;
  size_t at;
  for(at = 0; n - at >= sizeof eight; at += sizeof eight) {
    memcpy(&eight, bytes + at, sizeof eight);
    if(eight & UINT64_C(0x8080808080808080))
      break;
  }
  return at;
}

enum mote_websocket_why mote_websocket_judge(struct mote_websocket_reader *r, const char *bytes, size_t n)
{
  size_t at = 0;
  if(r->opcode != MOTE_WEBSOCKET_TEXT)
    return MOTE_WEBSOCKET_OK;
  while(at < n) {
    if(!r->due)
      at += skip_ascii(bytes + at, n - at);
    if(at < n && !take_character(r, (uint8_t)bytes[at++]))
      return MOTE_WEBSOCKET_NOT_UTF8;
  }
  return n == r->left && r->final && r->due ? MOTE_WEBSOCKET_NOT_UTF8 : MOTE_WEBSOCKET_OK;
}

void mote_websocket_took(struct mote_websocket_reader *r, uint64_t n)
{
  r->left -= n;
  r->in_frame = r->left > 0;
}

unsigned mote_websocket_flags(const struct mote_websocket_reader *r)
{
  static const uint8_t flags[] = {
    [MOTE_WEBSOCKET_TEXT] = CURLWS_TEXT, [MOTE_WEBSOCKET_BINARY] = CURLWS_BINARY,
    [MOTE_WEBSOCKET_CLOSE] = CURLWS_CLOSE, [MOTE_WEBSOCKET_PING] = CURLWS_PING,
    [MOTE_WEBSOCKET_PONG] = CURLWS_PONG,
  };
  return flags[r->opcode] | (r->final ? 0u : (unsigned)CURLWS_CONT);
}

/* ---- writing ---- */

/* Finds the opcode that the type in the flags means. CONTINUE: they have none. */
static bool opcode_of(unsigned flags, unsigned *opcode)
{
  switch(flags & ~(unsigned)CURLWS_CONT) {
  case 0:
    *opcode = MOTE_WEBSOCKET_CONTINUE;
    return true;
  case CURLWS_TEXT:
    *opcode = MOTE_WEBSOCKET_TEXT;
    return true;
  case CURLWS_BINARY:
    *opcode = MOTE_WEBSOCKET_BINARY;
    return true;
  case CURLWS_CLOSE:
    *opcode = MOTE_WEBSOCKET_CLOSE;
    return true;
  case CURLWS_PING:
    *opcode = MOTE_WEBSOCKET_PING;
    return true;
  case CURLWS_PONG:
    *opcode = MOTE_WEBSOCKET_PONG;
    return true;
  default:
    return false;
  }
}

/* Finds the first byte of the head. The first frame of a message has its type, the others are
 * continuations, whatever type the application repeats (curl_ws_send(3)). */
static enum mote_websocket_why first_byte(const struct mote_websocket_writer *w, unsigned flags,
                                          uint64_t size, uint8_t *first)
{
  bool final = !(flags & CURLWS_CONT);
  unsigned opcode;
  if(!opcode_of(flags & ~(unsigned)CURLWS_OFFSET, &opcode))
    return MOTE_WEBSOCKET_FLAGS;
  if(opcode == MOTE_WEBSOCKET_CONTINUE && !w->in_message)
    return MOTE_WEBSOCKET_NO_TYPE;
  if(opcode >= MOTE_WEBSOCKET_CLOSE && !final)
    return MOTE_WEBSOCKET_CONTROL_CUT;
  if(opcode >= MOTE_WEBSOCKET_CLOSE && size > MOTE_WEBSOCKET_CONTROL)
    return MOTE_WEBSOCKET_CONTROL_LONG;
  if(opcode < MOTE_WEBSOCKET_CLOSE && w->in_message)
    opcode = MOTE_WEBSOCKET_CONTINUE;
  *first = (uint8_t)((final ? FINAL : 0u) | opcode);
  return MOTE_WEBSOCKET_OK;
}

static size_t put_length(char *to, uint64_t size)
{
  size_t bytes = size < LENGTH_16 ? 0 : size <= UINT16_MAX ? 2 : 8, i;
  unsigned length = size < LENGTH_16 ? (unsigned)size : bytes == 2 ? LENGTH_16 : LENGTH_64;
  to[0] = (char)(MASKED | length);
  for(i = 0; i < bytes; i++)
    to[1 + i] = (char)(uint8_t)(size >> 8 * (bytes - 1 - i));
  return 1 + bytes;
}

enum mote_websocket_why mote_websocket_begin(struct mote_websocket_writer *w, unsigned flags, uint64_t size,
                                             const uint8_t mask[4], char head[MOTE_WEBSOCKET_HEAD],
                                             size_t *head_len)
{
  uint8_t first;
  size_t n;
  enum mote_websocket_why why = first_byte(w, flags, size, &first);
  if(why)
    return why;
  head[0] = (char)first;
  n = 1 + put_length(head + 1, size);
  memcpy(head + n, mask, sizeof w->mask);
  memcpy(w->mask, mask, sizeof w->mask);
  *head_len = n + sizeof w->mask;
  w->left = size;
  if((first & OPCODE) < MOTE_WEBSOCKET_CLOSE)
    w->in_message = !(first & FINAL);
  return MOTE_WEBSOCKET_OK;
}

/* Masks 32 bytes at a time by words, which compilers turn into vectors; `to` may be `from`. */
static size_t mask_words(uint64_t mask, char *to, const char *from, size_t n)
{
  size_t at;
  for(at = 0; n - at >= 4 * sizeof mask; at += 4 * sizeof mask) {
    uint64_t v[4];
    memcpy(v, from + at, sizeof v);
    v[0] ^= mask;
    v[1] ^= mask;
    v[2] ^= mask;
    v[3] ^= mask;
    memcpy(to + at, v, sizeof v);
  }
  return at;
}

/* A multiple of four bytes does not move the mask. */
void mote_websocket_mask(struct mote_websocket_writer *w, char *to, const char *from, size_t n)
{
  uint8_t mask[8];
  uint64_t word;
  size_t at, turn = n % 4, i;
  memcpy(mask, w->mask, 4);
  memcpy(mask + 4, w->mask, 4);
  memcpy(&word, mask, sizeof word);
  for(at = mask_words(word, to, from, n); at < n; at++)
    to[at] = (char)(from[at] ^ mask[at % 4]);
  for(i = 0; i < 4; i++)
    w->mask[i] = mask[turn + i];
  w->left -= n;
}

/* ---- the handshake ---- */

void mote_websocket_key(const uint8_t nonce[MOTE_WEBSOCKET_NONCE], char key[MOTE_WEBSOCKET_KEY + 1])
{
  mote_base64_encode(key, nonce, MOTE_WEBSOCKET_NONCE);
}

bool mote_websocket_accepts(const char *key, size_t key_len, const char *accept, size_t accept_len)
{
  static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* section 1.3 */
  struct mote_digest_state s;
  uint8_t digest[MOTE_SHA1_SIZE];
  char want[MOTE_BASE64_SIZE(MOTE_SHA1_SIZE)];
  _Static_assert(sizeof want == MOTE_WEBSOCKET_ACCEPT + 1, "the value is a digest in base 64");
  mote_digest_init(&s, &mote_sha1_digest);
  mote_digest_add(&s, key, key_len);
  mote_digest_add(&s, guid, sizeof guid - 1);
  mote_digest_end(&s, digest);
  mote_base64_encode(want, digest, sizeof digest);
  return accept_len == MOTE_WEBSOCKET_ACCEPT && !memcmp(accept, want, MOTE_WEBSOCKET_ACCEPT);
}
