#include "tool/transfers/glob.h"

#include "tool/memory.h"
#include "tool/system/system.h"
#include "tool/transfers/out.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PARTS_MAX 255   /* texts and globs of one pattern, since every text is made from all of them */
#define DIGITS_ROOM 512 /* bytes of a number that begins with zeros, with its end */

enum part_kind { PART_TEXT, PART_SET, PART_LETTERS, PART_NUMBERS };

struct part {
  enum part_kind kind;
  const char *name;     /* NULL: has none */
  size_t name_len;      /* bytes */
  unsigned first;       /* PART_TEXT, PART_SET: index of the (first) text */
  curl_off_t low, step; /* ranges */
  int width;            /* PART_NUMBERS: zero-padded to this many digits */
  curl_off_t count;     /* values */
};

struct glob {
  struct part *parts;   /* in this block, as the next two */
  const char **texts;   /* unescaped, terminated */
  char *bytes;          /* where the texts lie */
  unsigned part_count, text_count;
  curl_off_t count;     /* texts that the pattern stands for */
};

struct reader {
  struct glob *glob;
  const char *start;    /* the pattern */
  const char *p;        /* where reading is */
  char *to;             /* where the next text goes */
  struct glob_error *error;
};

static CURLcode fail_at(struct reader *r, const char *place, const char *text)
{
  r->error->text = text;
  r->error->at = (size_t)(place - r->start) + 1;
  return CURLE_URL_MALFORMAT;
}

static CURLcode glob_fail(struct reader *r, const char *text)
{
  return fail_at(r, r->p, text);
}

bool mote_cli_glob_needed(const char *pattern)
{
  return pattern[strcspn(pattern, "{}[]")] != 0;
}

/* The length of an IPv6 address in brackets or of "[]", which are no globs. 0: a range. */
static size_t literal_bracket(const char *p)
{
  const char *q = p + 1;
  int colons = 0;
  if(*q == ']')
    return 2;
  for(; isxdigit((unsigned char)*q) || *q == ':' || *q == '.'; q++)
    colons += *q == ':';
  if(colons < 2)
    return 0;
  if(*q == '%')
    q += strcspn(q, "]");
  return *q == ']' ? (size_t)(q - p) + 1 : 0;
}

static struct part *new_part(struct reader *r, enum part_kind kind)
{
  struct part *part = &r->glob->parts[r->glob->part_count++];
  part->kind = kind;
  part->count = 1;
  part->first = r->glob->text_count;
  return part;
}

static void begin_text(struct reader *r)
{
  r->glob->texts[r->glob->text_count++] = r->to;
}

static void end_text(struct reader *r)
{
  *r->to++ = 0;
}

/* Text up to the next glob. */
static CURLcode read_text(struct reader *r)
{
  new_part(r, PART_TEXT);
  begin_text(r);
  while(*r->p && *r->p != '{') {
    if(*r->p == '\\' && r->p[1] && strchr("{}[]", r->p[1]))
      r->p++;
    else if(*r->p == '}' || *r->p == ']')
      return glob_fail(r, "unmatched close brace/bracket");
    else if(*r->p == '[') {
      size_t len = literal_bracket(r->p);
      if(!len)
        break;
      memcpy(r->to, r->p, len);
      r->to += len;
      r->p += len;
      continue;
    }
    *r->to++ = *r->p++;
  }
  end_text(r);
  return CURLE_OK;
}

/* "<name>" after an opening brace or bracket. */
static CURLcode glob_read_name(struct reader *r, struct part *part)
{
  const char *q = r->p;
  if(*q != '<')
    return CURLE_OK;
  for(q++; isalnum((unsigned char)*q); q++)
    ;
  if(*q != '>' || q == r->p + 1)
    return CURLE_OK;
  part->name = r->p + 1;
  part->name_len = (size_t)(q - part->name);
  for(struct part *other = r->glob->parts; other < part; other++)
    if(other->name && other->name_len == part->name_len && !memcmp(other->name, part->name, part->name_len))
      return fail_at(r, q, "duplicate glob name");
  r->p = q + 1;
  return CURLE_OK;
}

static CURLcode read_set(struct reader *r)
{
  struct part *part = new_part(r, PART_SET);
  CURLcode rc;
  r->p++;
  rc = glob_read_name(r, part);
  if(rc)
    return rc;
  if(*r->p == '}')
    return glob_fail(r, "empty string within braces");
  begin_text(r);
  for(;;) {
    switch(*r->p) {
    case 0:
      return glob_fail(r, "unmatched brace");
    case '{':
    case '[':
      return glob_fail(r, "nested brace");
    case ']':
      return glob_fail(r, "unexpected close bracket");
    case '}':
      end_text(r);
      r->p++;
      return CURLE_OK;
    case ',':
      end_text(r);
      begin_text(r);
      part->count++;
      r->p++;
      break;
    case '\\':
      if(r->p[1] && strchr("{}[],", r->p[1]))
        r->p++;
      /* FALLTHROUGH */
    default:
      *r->to++ = *r->p++;
    }
  }
}

/* Decimal digits at r->p, which is moved past them. False: there are none. *fits: the number is in *n. */
static bool glob_read_number(struct reader *r, curl_off_t *n, bool *fits)
{
  curl_off_t sum = 0;
  *fits = true;
  if(!isdigit((unsigned char)*r->p))
    return false;
  for(; isdigit((unsigned char)*r->p); r->p++) {
    if(sum > (INT64_MAX - (*r->p - '0')) / 10)
      *fits = false;
    else
      sum = sum * 10 + (*r->p - '0');
  }
  *n = sum;
  return true;
}

/* "]" or ":step]", after the bounds. False: neither. */
static bool read_step(struct reader *r, curl_off_t *step, bool *good)
{
  bool fits;
  *step = 1;
  if(*r->p == ':') {
    const char *start = ++r->p;
    if(!glob_read_number(r, step, &fits) || !fits) {
      r->p = start;
      return false;
    }
    if(!*step)
      *good = false;
  }
  if(*r->p != ']')
    return false;
  r->p++;
  return true;
}

/* A range that makes no sense is reported where it ends. One that cannot be parsed is reported where reading
 * stopped, a number that is too large where it begins. *good: it makes sense. */
static bool read_letters(struct reader *r, struct part *part, curl_off_t *high, bool *good)
{
  const char *first = r->p;
  part->kind = PART_LETTERS;
  part->low = *first;
  if(first[1] != '-' || !first[2] || (first[3] != ']' && first[3] != ':'))
    return false;
  *high = first[2];
  *good = isalpha((unsigned char)first[2]) &&
          !islower((unsigned char)first[0]) == !islower((unsigned char)first[2]);
  r->p += 3;
  return read_step(r, &part->step, good);
}

static bool read_digits(struct reader *r, struct part *part, curl_off_t *high, bool *good)
{
  const char *first = r->p;
  bool fits;
  if(!glob_read_number(r, &part->low, &fits) || !fits || *r->p != '-') {
    if(!fits)
      r->p = first;
    return false;
  }
  if(r->p - first >= DIGITS_ROOM) {
    r->p = first;
    return false;
  }
  part->width = *first == '0' ? (int)(r->p - first) : 0;
  r->p++;
  while(*r->p == ' ')
    r->p++;
  first = r->p;
  if(!glob_read_number(r, high, &fits) || !fits || (*r->p != ']' && *r->p != ':')) {
    if(!fits)
      r->p = first;
    return false;
  }
  return read_step(r, &part->step, good);
}

/* "low-high" and perhaps ":step", up to the bracket. */
static CURLcode glob_read_range(struct reader *r)
{
  struct part *part = new_part(r, PART_NUMBERS);
  curl_off_t high = 0;
  bool good = true;
  CURLcode rc;
  r->p++;
  rc = glob_read_name(r, part);
  if(rc)
    return rc;
  if(isalpha((unsigned char)*r->p) ? !read_letters(r, part, &high, &good)
                                   : !read_digits(r, part, &high, &good))
    return glob_fail(r, "bad range");
  if(!good || high < part->low || (part->step > high - part->low && high != part->low))
    return glob_fail(r, "bad range");
  /* 2^63 values, which [0-9223372036854775807] has, are one more than the counter can hold. */
  part->count = (high - part->low) / part->step;
  if(part->count < INT64_MAX)
    part->count++;
  return CURLE_OK;
}

static CURLcode read_pattern(struct reader *r)
{
  CURLcode rc = CURLE_OK;
  while(*r->p && !rc) {
    unsigned before = r->glob->part_count;
    if(before == PARTS_MAX)
      return glob_fail(r, "too many globs");
    if(*r->p == '{')
      rc = read_set(r);
    else if(*r->p == '[' && !literal_bracket(r->p))
      rc = glob_read_range(r);
    else
      rc = read_text(r);
    if(!rc) {
      curl_off_t values = r->glob->parts[before].count;
      if(r->glob->count > INT64_MAX / values)
        return glob_fail(r, "range overflow");
      r->glob->count *= values;
    }
  }
  return rc;
}

CURLcode mote_cli_glob_new(struct glob **glob, const char *pattern, struct glob_error *error)
{
  size_t len = strlen(pattern), opens = 0, commas = 0, parts, texts;
  struct reader r = { .start = pattern, .p = pattern, .error = error };
  CURLcode rc;
  for(const char *p = pattern; *p; p++) {
    opens += *p == '{' || *p == '[';
    commas += *p == ',';
  }
  parts = 2 * opens + 1;
  texts = 2 * opens + 1 + commas;
  r.glob = mote_cli_alloc(sizeof *r.glob + parts * sizeof(struct part) + texts * sizeof(char *) + len +
                          texts);
  if(!r.glob)
    return CURLE_OUT_OF_MEMORY;
  r.glob->parts = (struct part *)(r.glob + 1);
  r.glob->texts = (const char **)(r.glob->parts + parts);
  r.glob->bytes = r.to = (char *)(r.glob->texts + texts);
  r.glob->count = 1;
  rc = read_pattern(&r);
  if(rc) {
    mote_cli_glob_free(r.glob);
    return rc;
  }
  *glob = r.glob;
  return CURLE_OK;
}

void mote_cli_glob_free(struct glob *glob)
{
  mote_cli_free(glob);
}

curl_off_t mote_cli_glob_count(const struct glob *glob)
{
  return glob->count;
}

/* Which value part number `at` has in text number n. */
static curl_off_t glob_digit(const struct glob *glob, unsigned at, curl_off_t n)
{
  for(unsigned i = glob->part_count - 1; i > at; i--)
    n /= glob->parts[i].count;
  return n % glob->parts[at].count;
}

/* The text of a part's value; `room` holds the digits of a range. */
static const char *value_text(const struct glob *glob, unsigned at, curl_off_t n, char *room, size_t size)
{
  const struct part *part = &glob->parts[at];
  curl_off_t index = glob_digit(glob, at, n);
  switch(part->kind) {
  case PART_TEXT:
  case PART_SET:
    return glob->texts[part->first + (size_t)index];
  case PART_LETTERS:
    room[0] = (char)(part->low + index * part->step);
    room[1] = 0;
    break;
  case PART_NUMBERS:
    snprintf(room, size, "%0*lld", part->width, (long long)(part->low + index * part->step));
    break;
  }
  return room;
}

char *mote_cli_glob_text(const struct glob *glob, curl_off_t n)
{
  char room[DIGITS_ROOM], *text, *to;
  size_t len = 1;
  for(unsigned i = 0; i < glob->part_count; i++)
    len += strlen(value_text(glob, i, n, room, sizeof room));
  text = to = mote_cli_alloc(len);
  for(unsigned i = 0; text && i < glob->part_count; i++)
    to = stpcpy(to, value_text(glob, i, n, room, sizeof room));
  return text;
}

/* A glob that a reference means, and which of its values. */
struct meant {
  const struct glob *glob;
  curl_off_t n;
  int part;
};

/* Look for a named part. False: the glob has none of that name. */
static bool find_named(const struct glob *glob, const char *name, size_t len, int *part)
{
  for(unsigned i = 0; glob && i < glob->part_count; i++)
    if(glob->parts[i].name && glob->parts[i].name_len == len && !memcmp(glob->parts[i].name, name, len)) {
      *part = (int)i;
      return true;
    }
  return false;
}

/* Look for the part that "#3" or "#<name>" at p means. *end: what follows. A number means a part of the URL's
 * glob. False: none; *unknown: since there is no such name. */
static bool reference(const struct glob_turn *turn, const char *p, const char **end, struct meant *meant,
                      bool *unknown)
{
  int wanted = 0;
  meant->glob = turn->urls;
  meant->n = turn->url_at;
  if(p[1] == '<') {
    size_t len = strcspn(p + 2, ">");
    if(!p[2 + len])
      return false;
    *end = p + 3 + len;
    if(find_named(turn->urls, p + 2, len, &meant->part))
      return true;
    meant->glob = turn->uploads;
    meant->n = turn->upload_at;
    *unknown = !find_named(turn->uploads, p + 2, len, &meant->part);
    return !*unknown;
  }
  for(*end = p + 1; isdigit((unsigned char)**end) && wanted < 1000; (*end)++)
    wanted = wanted * 10 + (**end - '0');
  for(unsigned i = 0; wanted && meant->glob && i < meant->glob->part_count; i++)
    if(meant->glob->parts[i].kind != PART_TEXT && !--wanted) {
      meant->part = (int)i;
      return true;
    }
  return false;
}

/* Bytes of the longest value that has its turn; at least those of a number. */
static size_t longest_value(const struct glob *glob, curl_off_t n)
{
  size_t longest = 24;
  char room[DIGITS_ROOM];
  for(unsigned i = 0; glob && i < glob->part_count; i++) {
    size_t len = strlen(value_text(glob, i, n, room, sizeof room));
    if(len > longest)
      longest = len;
  }
  return longest;
}

CURLcode mote_cli_glob_name(const struct glob_turn *turn, const char *pattern, char **name, size_t *at)
{
  const char *start = pattern;
  size_t marks = 0;
  char room[DIGITS_ROOM], *to;
  for(const char *p = pattern; *p; p++)
    marks += *p == '#';
  marks *= longest_value(turn->urls, turn->url_at) + longest_value(turn->uploads, turn->upload_at);
  *name = to = mote_cli_alloc(strlen(pattern) + marks + 1);
  if(!to)
    return CURLE_OUT_OF_MEMORY;
  while(*pattern) {
    const char *end;
    struct meant meant;
    bool unknown = false;
    if(*pattern == '#' && reference(turn, pattern, &end, &meant, &unknown)) {
      to = stpcpy(to, value_text(meant.glob, (unsigned)meant.part, meant.n, room, sizeof room));
      pattern = end;
      continue;
    }
    if(unknown) {
      *at = (size_t)(end - start);
      mote_cli_free(*name);
      *name = NULL;
      return CURLE_BAD_FUNCTION_ARGUMENT;
    }
    *to++ = *pattern++;
  }
  return CURLE_OK;
}
