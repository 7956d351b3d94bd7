/* auth/sign/sigv4.c: the canonical form of a request and its signature. */
#include "auth/sign/sigv4.h"

#include <string.h>

#include "base/wipe.h"
#include "codec/url/percent.h"

static const char hex[] = "0123456789abcdef";

/* ---- the words ---- */

static struct mote_slice sign_sigv4_next_word(const char **text, const char *end)
{
  struct mote_slice word = {*text, strcspn(*text, end)};
  *text += word.len;
  if(**text)
    (*text)++;
  if(word.len > MOTE_SIGV4_WORD)
    word.len = 0;
  return word;
}

/* The label of a host, with the dot after it. */
static struct mote_slice sign_sigv4_next_label(struct mote_slice *host)
{
  struct mote_slice label = {host->ptr, 0};
  while(label.len < host->len && host->ptr[label.len] != '.')
    label.len++;
  if(label.len == host->len || label.len > MOTE_SIGV4_WORD) {
    label.len = 0;
    return label;
  }
  host->ptr += label.len + 1;
  host->len -= label.len + 1;
  return label;
}

CURLcode mote_sigv4_parse(struct mote_sigv4_words *w, const char *text, struct mote_slice host)
{
  struct mote_slice service, none = {NULL, 0};
  if(!*text)
    text = "aws:amz";
  w->provider1 = sign_sigv4_next_word(&text, ":");
  if(!w->provider1.len)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  w->provider2 = sign_sigv4_next_word(&text, ":");
  w->region = w->provider2.len ? sign_sigv4_next_word(&text, ":") : none;
  w->service = w->region.len ? sign_sigv4_next_word(&text, ":") : none;
  if(!w->provider2.len)
    w->provider2 = w->provider1;
  if(w->service.len)
    return CURLE_OK;
  service = sign_sigv4_next_label(&host);
  w->service = service;
  if(service.len && !w->region.len)
    w->region = sign_sigv4_next_label(&host);
  return w->service.len && w->region.len ? CURLE_OK : CURLE_URL_MALFORMAT;
}

bool mote_sigv4_is_s3(const struct mote_sigv4_words *w)
{
  return mote_slice_is(w->provider1, "aws") && mote_slice_is(w->service, "s3");
}

/* Services of AWS that sign the path as it is sent; the others want it encoded again. */
static bool keeps_path(struct mote_slice service)
{
  static const char *const names[] = {"s3", "s3express", "s3-outposts", "s3-object-lambda"};
  size_t i;
  for(i = 0; i < sizeof names / sizeof names[0]; i++)
    if(service.len == strlen(names[i]) && !memcmp(service.ptr, names[i], service.len))
      return true;
  return false;
}

/* ---- names made of words ---- */

enum letters { AS_THEY_ARE, LOWER, UPPER };

static size_t sign_sigv4_put(char *out, const char *text)
{
  memcpy(out, text, strlen(text));
  return strlen(text);
}

static size_t sign_sigv4_put_word(char *out, struct mote_slice word, enum letters letters)
{
  size_t i;
  for(i = 0; i < word.len; i++) {
    char c = word.ptr[i];
    out[i] = letters == LOWER ? mote_to_lower(c) : letters == UPPER ? mote_to_upper(c) : c;
  }
  return word.len;
}

size_t mote_sigv4_date_name(const struct mote_sigv4_words *w, char out[MOTE_SIGV4_NAME])
{
  size_t n = sign_sigv4_put(out, "X-");
  n += sign_sigv4_put_word(out + n, w->provider2, LOWER);
  out[2] = mote_to_upper(out[2]);
  n += sign_sigv4_put(out + n, "-Date");
  out[n] = 0;
  return n;
}

size_t mote_sigv4_payload_name(const struct mote_sigv4_words *w, char out[MOTE_SIGV4_NAME])
{
  size_t n = sign_sigv4_put(out, "x-");
  n += sign_sigv4_put_word(out + n, w->provider2, AS_THEY_ARE);
  n += sign_sigv4_put(out + n, "-content-sha256");
  out[n] = 0;
  return n;
}

size_t mote_sigv4_algorithm(const struct mote_sigv4_words *w, char out[MOTE_SIGV4_NAME])
{
  size_t n = sign_sigv4_put_word(out, w->provider1, UPPER);
  return n + sign_sigv4_put(out + n, "4-HMAC-SHA256");
}

static struct mote_slice day_of(const struct mote_sigv4 *s)
{
  struct mote_slice day = {s->date.ptr, s->date.len ? 8 : 0};
  return day;
}

/* Writes "aws4_request". */
static size_t put_request(const struct mote_sigv4 *s, char *out)
{
  size_t n = sign_sigv4_put_word(out, s->words.provider1, LOWER);
  return n + sign_sigv4_put(out + n, "4_request");
}

size_t mote_sigv4_scope(const struct mote_sigv4 *s, char out[MOTE_SIGV4_SCOPE])
{
  size_t n = sign_sigv4_put_word(out, day_of(s), AS_THEY_ARE);
  out[n++] = '/';
  n += sign_sigv4_put_word(out + n, s->words.region, AS_THEY_ARE);
  out[n++] = '/';
  n += sign_sigv4_put_word(out + n, s->words.service, AS_THEY_ARE);
  out[n++] = '/';
  return n + put_request(s, out + n);
}

/* ---- dates ---- */

static void put_digits(char *out, unsigned n, int64_t v)
{
  while(n--) {
    out[n] = (char)('0' + v % 10);
    v /= 10;
  }
}

/* Days are counted from March, so that a leap day is a year's last. */
void mote_sigv4_print_date(int64_t seconds, char out[MOTE_SIGV4_DATE])
{
  int64_t days = seconds / 86400 + 719468;
  int64_t rest = seconds % 86400;
  int64_t era = days / 146097;
  int64_t day = days % 146097;
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  int64_t month;
  day -= 365 * year + year / 4 - year / 100;
  month = (5 * day + 2) / 153;
  put_digits(out, 4, year + era * 400 + (month >= 10));
  put_digits(out + 4, 2, month + (month < 10 ? 3 : -9));
  put_digits(out + 6, 2, day - (153 * month + 2) / 5 + 1);
  out[8] = 'T';
  put_digits(out + 9, 2, rest / 3600);
  put_digits(out + 11, 2, rest / 60 % 60);
  put_digits(out + 13, 2, rest % 60);
  out[15] = 'Z';
}

/* ---- encoding ---- */

/* Gives the bytes of a canonical text one by one: all but the unreserved ones are percent-encoded. */
struct coder {
  const char *p;   /* next byte of the text */
  const char *end;
  bool query;      /* escapes and "+" are decoded first; else they are bytes like others, and "/" stays */
  uint8_t byte;    /* that `left` digits belong to */
  uint8_t left;    /* hex digits still to be given: 0 to 2 */
};

static struct coder coder_of(struct mote_slice text, bool query)
{
  struct coder c = {text.ptr, text.ptr + text.len, query, 0, 0};
  return c;
}

static bool is_plain(const struct coder *c, char b)
{
  return mote_is_alnum(b) || b == '-' || b == '.' || b == '_' || b == '~' || (!c->query && b == '/');
}

/* Returns the next byte, or -1 at the end. */
static int next_byte(struct coder *c)
{
  int escape = -1;
  char b;
  if(c->left)
    return "0123456789ABCDEF"[c->left-- == 2 ? c->byte >> 4 : c->byte & 15];
  if(c->p == c->end)
    return -1;
  if(c->query)
    escape = mote_percent_byte(c->p, c->end);
  b = escape >= 0 ? (char)escape : c->query && *c->p == '+' ? ' ' : *c->p;
  c->p += escape >= 0 ? 3 : 1;
  if(is_plain(c, b))
    return b;
  c->byte = (uint8_t)b;
  c->left = 2;
  return '%';
}

/* ---- sorting ---- */

typedef int (*compare_fn)(const struct mote_sigv4_item *a, const struct mote_sigv4_item *b);

static int compare_names(struct mote_slice a, struct mote_slice b)
{
  size_t i, n = a.len < b.len ? a.len : b.len;
  for(i = 0; i < n; i++) {
    int d = (unsigned char)mote_to_lower(a.ptr[i]) - (unsigned char)mote_to_lower(b.ptr[i]);
    if(d)
      return d;
  }
  return a.len < b.len ? -1 : a.len > b.len;
}

static int compare_fields(const struct mote_sigv4_item *a, const struct mote_sigv4_item *b)
{
  int d = compare_names(a->name, b->name);
  return d ? d : a->order < b->order ? -1 : a->order > b->order;
}

static int compare_coded(struct mote_slice a, struct mote_slice b)
{
  struct coder x = coder_of(a, true);
  struct coder y = coder_of(b, true);
  int p, q;
  do {
    p = next_byte(&x);
    q = next_byte(&y);
  } while(p == q && p >= 0);
  return p - q;
}

static int compare_params(const struct mote_sigv4_item *a, const struct mote_sigv4_item *b)
{
  int d = compare_coded(a->name, b->name);
  return d ? d : compare_coded(a->value, b->value);
}

static void sign_sigv4_sift(struct mote_sigv4_item *items, size_t at, size_t n, compare_fn compare)
{
  struct mote_sigv4_item moved = items[at];
  size_t child;
  while((child = 2 * at + 1) < n) {
    if(child + 1 < n && compare(&items[child], &items[child + 1]) < 0)
      child++;
    if(compare(&moved, &items[child]) >= 0)
      break;
    items[at] = items[child];
    at = child;
  }
  items[at] = moved;
}

/* Heapsort, so that no query of a redirect costs more than n log n. */
static void sign_sigv4_sort(struct mote_sigv4_item *items, size_t n, compare_fn compare)
{
  size_t i;
  for(i = n / 2; i-- > 0;)
    sign_sigv4_sift(items, i, n, compare);
  while(n > 1) {
    struct mote_sigv4_item last = items[--n];
    items[n] = items[0];
    items[0] = last;
    sign_sigv4_sift(items, 0, n, compare);
  }
}

/* ---- the canonical request ---- */

static void sign_sigv4_add(struct mote_sha256 *to, const char *text)
{
  mote_sha256_add(to, text, strlen(text));
}

static void sign_sigv4_add_slice(struct mote_sha256 *to, struct mote_slice s)
{
  if(s.len)
    mote_sha256_add(to, s.ptr, s.len);
}

static void add_coded(struct mote_sha256 *to, struct mote_slice text, bool query)
{
  struct coder c = coder_of(text, query);
  char piece[64];
  int b;
  do {
    size_t n = 0;
    while(n < sizeof piece && (b = next_byte(&c)) >= 0)
      piece[n++] = (char)b;
    mote_sha256_add(to, piece, n);
  } while(b >= 0);
}

static void add_name(struct mote_sha256 *to, struct mote_slice name)
{
  char piece[64];
  while(name.len) {
    struct mote_slice part = {name.ptr, name.len < sizeof piece ? name.len : sizeof piece};
    (void)sign_sigv4_put_word(piece, part, LOWER);
    mote_sha256_add(to, piece, part.len);
    name.ptr += part.len;
    name.len -= part.len;
  }
}

/* Runs of blanks become one space. */
static void sign_sigv4_add_value(struct mote_sha256 *to, struct mote_slice value)
{
  size_t i = 0;
  value = mote_slice_trim(value);
  while(i < value.len) {
    size_t from = i;
    while(i < value.len && !mote_is_blank(value.ptr[i]))
      i++;
    mote_sha256_add(to, value.ptr + from, i - from);
    from = i;
    while(i < value.len && mote_is_blank(value.ptr[i]))
      i++;
    if(i > from)
      mote_sha256_add(to, " ", 1);
  }
}

size_t mote_sigv4_count(struct mote_slice query)
{
  size_t i, n = 0;
  for(i = 0; i < query.len; i++)
    if(query.ptr[i] != '&' && (!i || query.ptr[i - 1] == '&'))
      n++;
  return n;
}

static size_t sign_sigv4_read_params(const struct mote_sigv4 *s)
{
  const char *p = s->query.ptr;
  const char *end = p + s->query.len;
  size_t n = 0;
  while(p < end) {
    const char *next = memchr(p, '&', (size_t)(end - p));
    const char *equals;
    if(!next)
      next = end;
    equals = memchr(p, '=', (size_t)(next - p));
    if(!equals)
      equals = next;
    if(next > p) {
      struct mote_sigv4_item *item = &s->params[n++];
      item->name.ptr = p;
      item->name.len = (size_t)(equals - p);
      item->value.ptr = equals < next ? equals + 1 : next;
      item->value.len = (size_t)(next - item->value.ptr);
    }
    p = next + (next < end);
  }
  return n;
}

static void sign_sigv4_add_query(struct mote_sha256 *to, const struct mote_sigv4 *s)
{
  size_t i, n = sign_sigv4_read_params(s);
  sign_sigv4_sort(s->params, n, compare_params);
  for(i = 0; i < n; i++) {
    if(i)
      sign_sigv4_add(to, "&");
    add_coded(to, s->params[i].name, true);
    sign_sigv4_add(to, "=");
    add_coded(to, s->params[i].value, true);
  }
}

bool mote_sigv4_repeats(const struct mote_sigv4 *s, unsigned i)
{
  return i && !compare_names(s->fields[i].name, s->fields[i - 1].name);
}

static void add_fields(struct mote_sha256 *to, const struct mote_sigv4 *s)
{
  unsigned i;
  for(i = 0; i < s->field_count; i++) {
    if(mote_sigv4_repeats(s, i))
      sign_sigv4_add(to, ",");
    else {
      sign_sigv4_add(to, i ? "\n" : "");
      add_name(to, s->fields[i].name);
      sign_sigv4_add(to, ":");
    }
    sign_sigv4_add_value(to, s->fields[i].value);
  }
  sign_sigv4_add(to, s->field_count ? "\n\n" : "\n");
  for(i = 0; i < s->field_count; i++)
    if(!mote_sigv4_repeats(s, i)) {
      sign_sigv4_add(to, i ? ";" : "");
      add_name(to, s->fields[i].name);
    }
}

static void print_hex(const uint8_t digest[MOTE_SHA256_SIZE], char out[MOTE_SIGV4_HEX])
{
  size_t i;
  for(i = 0; i < MOTE_SHA256_SIZE; i++) {
    out[2 * i] = hex[digest[i] >> 4];
    out[2 * i + 1] = hex[digest[i] & 15];
  }
}

static void digest_request(const struct mote_sigv4 *s, char out[MOTE_SIGV4_HEX])
{
  uint8_t digest[MOTE_SHA256_SIZE];
  struct mote_sha256 to;
  mote_sha256_init(&to);
  sign_sigv4_add_slice(&to, s->method);
  sign_sigv4_add(&to, "\n");
  if(keeps_path(s->words.service))
    sign_sigv4_add_slice(&to, s->path);
  else
    add_coded(&to, s->path, false);
  sign_sigv4_add(&to, "\n");
  sign_sigv4_add_query(&to, s);
  sign_sigv4_add(&to, "\n");
  add_fields(&to, s);
  sign_sigv4_add(&to, "\n");
  sign_sigv4_add_slice(&to, s->payload);
  mote_sha256_end(&to, digest);
  print_hex(digest, out);
}

/* ---- the signature ---- */

/* The first key of the chain is "AWS4" and the secret. A long key stands for its digest (RFC 2104). */
static size_t first_key(const struct mote_sigv4 *s, char key[64])
{
  size_t len = s->words.provider1.len + 1 + s->secret.len;
  char prefix[MOTE_SIGV4_WORD + 1];
  size_t n = sign_sigv4_put_word(prefix, s->words.provider1, UPPER);
  prefix[n++] = '4';
  if(len > 64) {
    struct mote_sha256 h;
    mote_sha256_init(&h);
    mote_sha256_add(&h, prefix, n);
    sign_sigv4_add_slice(&h, s->secret);
    mote_sha256_end(&h, (uint8_t *)key);
    return MOTE_SHA256_SIZE;
  }
  memcpy(key, prefix, n);
  if(s->secret.len)
    memcpy(key + n, s->secret.ptr, s->secret.len);
  return len;
}

void mote_sigv4_make_key(const struct mote_sigv4 *s, struct mote_hmac *out)
{
  char first[64], request[MOTE_SIGV4_NAME];
  uint8_t key[MOTE_SHA256_SIZE];
  const struct mote_slice chain = {(const char *)key, sizeof key};
  mote_hmac(&mote_sha256_digest, (struct mote_slice){first, first_key(s, first)}, day_of(s), key);
  mote_wipe(first, sizeof first);
  mote_hmac(&mote_sha256_digest, chain, s->words.region, key);
  mote_hmac(&mote_sha256_digest, chain, s->words.service, key);
  mote_hmac(&mote_sha256_digest, chain, (struct mote_slice){request, put_request(s, request)}, key);
  mote_hmac_init(out, &mote_sha256_digest, key, sizeof key);
  mote_wipe(key, sizeof key);
}

void mote_sigv4_digest(struct mote_slice bytes, char out[MOTE_SIGV4_HEX])
{
  /* That of no bytes at all, which most requests have. */
  static const char none[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  uint8_t digest[MOTE_SHA256_SIZE];
  if(!bytes.len) {
    memcpy(out, none, MOTE_SIGV4_HEX);
    return;
  }
  mote_sha256(bytes.ptr, bytes.len, digest);
  print_hex(digest, out);
}

void mote_sigv4_sign(struct mote_sigv4 *s, const struct mote_hmac *key, char out[MOTE_SIGV4_HEX])
{
  uint8_t digest[MOTE_SHA256_SIZE];
  char text[MOTE_SIGV4_SCOPE];
  struct mote_hmac h = *key;
  sign_sigv4_sort(s->fields, s->field_count, compare_fields);
  mote_hmac_add(&h, text, mote_sigv4_algorithm(&s->words, text));
  mote_hmac_add(&h, "\n", 1);
  mote_hmac_add(&h, s->date.ptr, s->date.len);
  mote_hmac_add(&h, "\n", 1);
  mote_hmac_add(&h, text, mote_sigv4_scope(s, text));
  mote_hmac_add(&h, "\n", 1);
  digest_request(s, out);
  mote_hmac_add(&h, out, MOTE_SIGV4_HEX);
  mote_hmac_end(&h, digest);
  print_hex(digest, out);
}
