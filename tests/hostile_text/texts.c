/* tests/hostile_text/texts.c: the texts (hostile.h). */
#include "hostile.h"

#include <stdlib.h>
#include <string.h>

#define MARKED HOSTILE_MARK ": b"

static const char *const first[] = {"x\n" MARKED, "x\r\n" MARKED, "\n\n"};

static const char *const others[] = {
  "\n" MARKED, "x\n", "x\r", "x\n\n" MARKED, "x\r\n\r\n" MARKED, "\r\n", "\r\n\r\n", "x\r" MARKED,
  "\r" MARKED, "x\n ", "x\r\n\t" MARKED, "x\r\n.\r\n" MARKED, "x%0a" MARKED, "x%0d%0a" MARKED,
  "x%0D" MARKED, "x%00" MARKED, "%0d%0a",
  "x\xc4\x8a" MARKED, "x\xe2\x80\xa8" MARKED, "x\xc2\x85" MARKED, "x\x80", "x\xff", "\xff\xfa\xff\xf0",
};

static const unsigned lengths[] = {1, 63, 64, 127, 255, 256, 257, 1024, 4096, 16383, 16384, 65535, 65536,
                                   300000, 1048576};

#define FIRST (sizeof first / sizeof *first)
#define OTHERS (sizeof others / sizeof *others)
#define LENGTHS (sizeof lengths / sizeof *lengths)
#define CONTROLS 32u /* 1 to 31, and 127 */
#define SHAPES 3u

const char *const text_kinds[] = {"line end", "control", "byte", "long"};

size_t text_count(void)
{
  return FIRST + OTHERS + CONTROLS * SHAPES + LENGTHS;
}

size_t text_always(void)
{
  return FIRST;
}

static enum text_kind kind_of(const char *text)
{
  static const char controls[] = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0b\x0c\x0e\x0f\x10\x11\x12"
                                 "\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f";
  if(strpbrk(text, "\r\n") || strstr(text, "%0"))
    return TEXT_LINE_END;
  return strpbrk(text, controls) ? TEXT_CONTROL : TEXT_BYTE;
}

static struct text copy(const char *text)
{
  struct text t = {strdup(text), kind_of(text)};
  return t;
}

static struct text with_control(size_t i)
{
  static const char *const shapes[SHAPES][2] = {{"x", MARKED}, {"", MARKED}, {"x", ""}};
  unsigned c = i / SHAPES + 1 < CONTROLS ? (unsigned)(i / SHAPES + 1) : 127;
  const char *const *shape = shapes[i % SHAPES];
  char text[32], *at = text;
  strcpy(at, shape[0]);
  at += strlen(at);
  *at++ = (char)c;
  strcpy(at, shape[1]);
  return copy(text);
}

struct text text_at(size_t i)
{
  struct text t = {NULL, TEXT_LONG};
  if(i < FIRST)
    return copy(first[i]);
  i -= FIRST;
  if(i < OTHERS)
    return copy(others[i]);
  i -= OTHERS;
  if(i < CONTROLS * SHAPES)
    return with_control(i);
  i -= CONTROLS * SHAPES;
  t.ptr = malloc(lengths[i] + 1);
  if(t.ptr) {
    memset(t.ptr, 'y', lengths[i]);
    t.ptr[lengths[i]] = 0;
  }
  return t;
}
