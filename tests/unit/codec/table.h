/* tests/unit/codec/table.h: cases from a file, bytes in and events out.
 *
 * A case is a run of lines "key: text" up to an empty line; lines that begin with # are comments. In text
 * that is taken as bytes, \r \n \t \0 \xHH \\ stand for what they do in C, and \*N(c) for N times the byte c.
 * What is expected ("out") is compared as written: the tests escape what they got by table_escape(). */
#ifndef MOTE_TEST_TABLE_H
#define MOTE_TEST_TABLE_H

#include "test.h"

#define TABLE_LINES 24

struct table_line {
  char *key;
  char *text;
};

struct table_case {
  char block[16384]; /* keys and texts point in here */
  struct table_line lines[TABLE_LINES];
  unsigned count;
  unsigned line; /* in the file, for messages */
};

static inline FILE *table_open(const char *name)
{
  char path[1000];
  FILE *f;
  snprintf(path, sizeof path, "%s/%s", MOTE_TEST_DATA, name);
  f = fopen(path, "r");
  if(!f) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  return f;
}

/* The next case; *at counts the file's lines. */
static inline bool table_next(FILE *f, struct table_case *c, unsigned *at)
{
  size_t used = 0;
  c->count = 0;
  while(used < sizeof c->block - 4096 && fgets(c->block + used, 4096, f)) {
    char *line = c->block + used;
    char *text;
    ++*at;
    line[strcspn(line, "\n")] = 0;
    if(!*line) {
      if(c->count)
        return true;
      continue;
    }
    text = strchr(line, ':');
    if(*line == '#')
      continue;
    if(!text || c->count == TABLE_LINES) {
      fprintf(stderr, "table: line %u: %s\n", *at, line);
      exit(EXIT_FAILURE);
    }
    if(!c->count)
      c->line = *at;
    *text++ = 0;
    if(*text == ' ')
      text++;
    c->lines[c->count].key = line;
    c->lines[c->count].text = text;
    c->count++;
    used += strlen(text) + (size_t)(text - line) + 1;
  }
  return c->count > 0;
}

/* Text of the n-th line with that key, NULL when there are fewer. */
static inline const char *table_get(const struct table_case *c, const char *key, unsigned n)
{
  unsigned i;
  for(i = 0; i < c->count; i++)
    if(!strcmp(c->lines[i].key, key) && !n--)
      return c->lines[i].text;
  return NULL;
}

/* Bytes that text stands for, from malloc; *len of them. */
static inline char *table_bytes(const char *text, size_t *len)
{
  size_t cap = strlen(text) + 1;
  char *out = malloc(cap);
  *len = 0;
  while(out && *text) {
    unsigned long times = 1;
    char *end;
    char c = *text++;
    if(c == '\\') {
      c = *text++;
      switch(c) {
      case 'r': c = '\r'; break;
      case 'n': c = '\n'; break;
      case 't': c = '\t'; break;
      case '0': c = 0; break;
      case 'x': {
        char hex[3] = { text[0], text[1], 0 };
        c = (char)strtoul(hex, NULL, 16);
        text += 2;
        break;
      }
      case '*':
        times = strtoul(text, &end, 10);
        c = end[1];
        text = end + 3;
        break;
      default: break;
      }
    }
    if(*len + times + strlen(text) + 1 > cap) {
      char *more;
      cap = *len + times + strlen(text) + 1;
      more = realloc(out, cap);
      if(!more)
        abort();
      out = more;
    }
    memset(out + *len, c, times);
    *len += times;
  }
  return out;
}

/* Events as text. */
struct table_log {
  char text[16384];
  size_t len;
};

static inline void table_log(struct table_log *l, const char *s)
{
  while(*s && l->len + 1 < sizeof l->text)
    l->text[l->len++] = *s++;
  l->text[l->len] = 0;
}

/* In quotes, with escapes, long runs of one byte as \*N(c). */
static inline void table_escape(struct table_log *l, const char *bytes, size_t len)
{
  size_t i;
  size_t run;
  table_log(l, "\"");
  for(i = 0; i < len; i += run) {
    char one[32];
    unsigned char c = (unsigned char)bytes[i];
    for(run = 1; i + run < len && bytes[i + run] == bytes[i]; run++)
      ;
    if(run < 40)
      run = 1;
    if(run > 1)
      snprintf(one, sizeof one, "\\*%zu(%c)", run, c);
    else if(c == '\r' || c == '\n' || c == '\t')
      snprintf(one, sizeof one, "\\%c", c == '\r' ? 'r' : c == '\n' ? 'n' : 't');
    else if(c == '\\')
      snprintf(one, sizeof one, "\\\\");
    else if(c < 0x20 || c >= 0x7f)
      snprintf(one, sizeof one, c ? "\\x%02x" : "\\0", c);
    else
      snprintf(one, sizeof one, "%c", c);
    table_log(l, one);
  }
  table_log(l, "\"");
}

/* All "out" lines of the case, each with a newline. */
static inline void table_expected(const struct table_case *c, struct table_log *l)
{
  const char *text;
  unsigned n;
  l->len = 0;
  l->text[0] = 0;
  for(n = 0; (text = table_get(c, "out", n)) != NULL; n++) {
    table_log(l, text);
    table_log(l, "\n");
  }
}

static inline bool table_compare(const struct table_case *c, const struct table_log *got, const char *how)
{
  struct table_log want;
  table_expected(c, &want);
  if(CHECK(!strcmp(want.text, got->text)))
    return true;
  fprintf(stderr, "  case at line %u (%s), %s\n  expected:\n%s  got:\n%s", c->line,
          c->lines[0].text, how, want.text, got->text);
  return false;
}

/* How the bytes of a case reach the codec; RANDOM and above cut at random. */
enum table_cut { TABLE_WHOLE, TABLE_BYTES, TABLE_RANDOM, TABLE_CUTS = 12 };

static inline const char *table_cut_name(unsigned cut)
{
  return cut == TABLE_WHOLE ? "whole" : cut == TABLE_BYTES ? "byte by byte" : "cut at random";
}

/* How many of the `left` bytes arrive next. */
static inline size_t table_step(unsigned cut, size_t left)
{
  size_t n = left;
  if(cut == TABLE_BYTES)
    n = 1;
  else if(cut >= TABLE_RANDOM)
    n = 1 + test_random() % (test_random() % 4 ? 9 : 2000);
  return n < left ? n : left;
}

/* Runs each case of the file, cut by `cut`; one() writes the log that is compared. Returns their number. */
static inline unsigned table_run(const char *file, unsigned cut,
                                 void (*one)(const struct table_case *c, char *bytes, size_t len,
                                             unsigned cut, struct table_log *l))
{
  static struct table_case c;
  FILE *f = table_open(file);
  unsigned line = 0;
  unsigned cases = 0;
  while(table_next(f, &c, &line)) {
    static struct table_log log;
    size_t len;
    char *bytes = table_bytes(table_get(&c, "in", 0), &len);
    log.len = 0;
    log.text[0] = 0;
    one(&c, bytes, len, cut, &log);
    table_compare(&c, &log, table_cut_name(cut));
    free(bytes);
    cases++;
  }
  fclose(f);
  return cases;
}

/* The three tests of a table that is run by run(cut). */
#define TABLE_TESTS(run)                        \
  TEST(table_whole) { run(TABLE_WHOLE); }       \
  TEST(table_byte_by_byte) { run(TABLE_BYTES); } \
  TEST(table_cut_at_random)                     \
  {                                             \
    unsigned cut;                               \
    for(cut = TABLE_RANDOM; cut < TABLE_CUTS; cut++) \
      run(cut);                                 \
  }

#endif
