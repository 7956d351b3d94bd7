/* base/text/format.c: a directive is parsed into a struct, its argument fetched, and the field written. */
#include "base/text/format.h"

#include <curl/curl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

enum arg_kind {
  ARG_NONE, /* no argument, or (in the table of positions) not seen yet */
  ARG_INT,
  ARG_LONG,
  ARG_LONG_LONG,
  ARG_INTMAX,
  ARG_SIZE,
  ARG_PTRDIFF,
  ARG_OFF_T,
  ARG_POINTER,
  ARG_DOUBLE,
  ARG_LONG_DOUBLE
};

enum {
  OFF_T_SIZE = sizeof CURL_FORMAT_CURL_OFF_T - sizeof "d" /* characters of its size */
};

union arg {
  intmax_t i;
  double d;
  const void *p;
};

#define ZEROS_MAX 325 /* digits that a precision asks for; the same as libcurl's */
#define NEXT_ARG 0  /* position: the next argument */
#define NO_ARG (-1) /* width and precision: not given by an argument */

struct directive {
  int position;     /* 1 and up, or NEXT_ARG */
  int width_arg;    /* the same, or NO_ARG */
  int precision_arg;
  int width;
  int precision;    /* -1: none */
  bool left, plus, space, alternate, zero;
  char size;        /* 0 l j z t L O; q is ll */
  char conversion;
};

/* Where arguments come from: from the list one after another, or from the table of positions. */
struct source {
  bool positional;
  int count; /* of positions */
  enum arg_kind kinds[MOTE_FORMAT_ARGS];
  union arg table[MOTE_FORMAT_ARGS];
  va_list list;
};

struct out {
  mote_format_sink sink;
  void *ctx;
  size_t written; /* at most INT_MAX */
};

/* Directives ------------------------------------------------------------------------------------------ */

/* Leading digits; 0 without any. false: over INT_MAX. */
static bool parse_number(const char **p, int *out)
{
  int value = 0;
  while(mote_is_digit(**p)) {
    int digit = **p - '0';
    if(value > (INT_MAX - digit) / 10)
      return false;
    value = value * 10 + digit;
    (*p)++;
  }
  *out = value;
  return true;
}

/* After a %: "m$". Without it nothing is consumed. */
static bool parse_position(const char **p, int *position)
{
  const char *start = *p;
  int number;
  *position = NEXT_ARG;
  if(!parse_number(p, &number) || **p != '$') {
    *p = start;
    return true;
  }
  (*p)++;
  *position = number;
  return number >= 1 && number <= MOTE_FORMAT_ARGS;
}

static void parse_flags(const char **p, struct directive *d)
{
  for(;; (*p)++) {
    switch(**p) {
    case '-': d->left = true; break;
    case '+': d->plus = true; break;
    case ' ': d->space = true; break;
    case '#': d->alternate = true; break;
    case '0': d->zero = true; break;
    default: return;
    }
  }
}

/* A width or a precision: digits, * or *m$. */
static bool parse_amount(const char **p, int *amount, int *arg)
{
  if(**p != '*')
    return parse_number(p, amount);
  (*p)++;
  return parse_position(p, arg);
}

/* What CURL_FORMAT_CURL_OFF_T has in front of its conversion: l or ll, which any format may have, or Windows'
 * I64. */
static bool is_size_of_off_t(const char *p)
{
  return CURL_FORMAT_CURL_OFF_T[0] == 'I' && !strncmp(p, CURL_FORMAT_CURL_OFF_T, OFF_T_SIZE);
}

static void format_parse_size(const char **p, struct directive *d)
{
  if(is_size_of_off_t(*p)) {
    *p += OFF_T_SIZE;
    d->size = 'O';
    return;
  }
  for(;; (*p)++) {
    char c = **p;
    switch(c) {
    case 'h': break; /* the argument is an int, whatever the caller calls it */
    case 'l': d->size = d->size == 'l' ? 'q' : 'l'; break;
    case 'q': case 'j': case 'z': case 't': case 'L': case 'O': d->size = c; break;
    default: return;
    }
  }
}

/* What follows a %, up to and with the conversion, which is 0 where the format ends. */
static bool parse_directive(const char **p, struct directive *d)
{
  *d = (struct directive){ .width_arg = NO_ARG, .precision_arg = NO_ARG, .precision = -1 };
  if(!parse_position(p, &d->position))
    return false;
  parse_flags(p, d);
  if(!parse_amount(p, &d->width, &d->width_arg))
    return false;
  if(**p == '.') {
    (*p)++;
    if(!parse_amount(p, &d->precision, &d->precision_arg))
      return false;
  }
  format_parse_size(p, d);
  d->conversion = **p;
  if(d->conversion)
    (*p)++;
  return true;
}

static enum arg_kind integer_kind(char size)
{
  switch(size) {
  case 'l': return ARG_LONG;
  case 'q': return ARG_LONG_LONG;
  case 'j': return ARG_INTMAX;
  case 'z': return ARG_SIZE;
  case 't': return ARG_PTRDIFF;
  case 'O': return ARG_OFF_T;
  default: return ARG_INT;
  }
}

/* ARG_NONE: no such conversion. */
static enum arg_kind format_kind_of(const struct directive *d)
{
  if(!d->conversion)
    return ARG_NONE;
  if(strchr("diuoxX", d->conversion))
    return integer_kind(d->size);
  if(strchr("eEfFgGaA", d->conversion))
    return d->size == 'L' ? ARG_LONG_DOUBLE : ARG_DOUBLE;
  if(d->conversion == 'c')
    return ARG_INT;
  return strchr("sSpn", d->conversion) ? ARG_POINTER : ARG_NONE;
}

/* Arguments ------------------------------------------------------------------------------------------- */

static union arg format_fetch(struct source *s, enum arg_kind kind)
{
  union arg a = { .i = 0 };
  switch(kind) {
  case ARG_INT: a.i = va_arg(s->list, int); break;
  case ARG_LONG: a.i = va_arg(s->list, long); break;
  case ARG_LONG_LONG: a.i = va_arg(s->list, long long); break;
  case ARG_INTMAX: a.i = va_arg(s->list, intmax_t); break;
  case ARG_SIZE: a.i = (intmax_t)va_arg(s->list, size_t); break;
  case ARG_PTRDIFF: a.i = va_arg(s->list, ptrdiff_t); break;
  case ARG_OFF_T: a.i = va_arg(s->list, curl_off_t); break;
  case ARG_POINTER: a.p = va_arg(s->list, const void *); break;
  case ARG_DOUBLE: a.d = va_arg(s->list, double); break;
  case ARG_LONG_DOUBLE: a.d = (double)va_arg(s->list, long double); break;
  case ARG_NONE: break;
  }
  return a;
}

/* false: positions and no positions are mixed. */
static bool format_take(struct source *s, int position, enum arg_kind kind, union arg *out)
{
  if((position != NEXT_ARG) != s->positional)
    return false;
  *out = s->positional ? s->table[position - 1] : format_fetch(s, kind);
  return true;
}

static bool note_position(struct source *s, int position, enum arg_kind kind)
{
  if(position == NO_ARG)
    return true;
  if(position == NEXT_ARG || (s->kinds[position - 1] != ARG_NONE && s->kinds[position - 1] != kind))
    return false;
  s->kinds[position - 1] = kind;
  if(position > s->count)
    s->count = position;
  return true;
}

/* Read the whole format for the type of every position, then fetch them all. */
static bool fill_table(struct source *s, const char *fmt)
{
  struct directive d;
  int i;
  s->positional = true;
  while((fmt = strchr(fmt, '%')) != NULL) {
    fmt++;
    if(!parse_directive(&fmt, &d))
      return false;
    if(format_kind_of(&d) != ARG_NONE &&
       (!note_position(s, d.position, format_kind_of(&d)) || !note_position(s, d.width_arg, ARG_INT) ||
        !note_position(s, d.precision_arg, ARG_INT)))
      return false;
  }
  for(i = 0; i < s->count; i++) {
    if(s->kinds[i] == ARG_NONE)
      return false;
    s->table[i] = format_fetch(s, s->kinds[i]);
  }
  return true;
}

/* Width and precision, where arguments give them. */
static bool take_amounts(struct source *s, struct directive *d)
{
  union arg a;
  if(d->width_arg != NO_ARG) {
    if(!format_take(s, d->width_arg, ARG_INT, &a) || a.i == INT_MIN)
      return false;
    if(a.i < 0)
      d->left = true;
    d->width = (int)(a.i < 0 ? -a.i : a.i);
  }
  if(d->precision_arg != NO_ARG) {
    if(!format_take(s, d->precision_arg, ARG_INT, &a))
      return false;
    d->precision = a.i < 0 ? -1 : (int)a.i;
  }
  return true;
}

/* Output ---------------------------------------------------------------------------------------------- */

static bool format_put(struct out *o, const char *bytes, size_t len)
{
  if(!len)
    return true;
  if(len > INT_MAX - o->written || !o->sink(o->ctx, bytes, len))
    return false;
  o->written += len;
  return true;
}

static bool put_many(struct out *o, char c, size_t count)
{
  static const char blanks[] = "                ";
  static const char zeros[] = "0000000000000000";
  const char *bytes = c == '0' ? zeros : blanks;
  while(count) {
    size_t n = count < sizeof blanks - 1 ? count : sizeof blanks - 1;
    if(!format_put(o, bytes, n))
      return false;
    count -= n;
  }
  return true;
}

/* A field: padding, prefix (sign, 0x), zeros, body, padding. zero_pad: fill the width with zeros. */
static bool format_put_field(struct out *o, const struct directive *d, struct mote_slice prefix, size_t zeros,
                             struct mote_slice body, bool zero_pad)
{
  size_t len = prefix.len + zeros + body.len;
  size_t pad = (size_t)d->width > len ? (size_t)d->width - len : 0;
  if(zero_pad && !d->left) {
    zeros += pad;
    pad = 0;
  }
  return (d->left || put_many(o, ' ', pad)) && format_put(o, prefix.ptr, prefix.len) &&
    put_many(o, '0', zeros) &&
         format_put(o, body.ptr, body.len) && (!d->left || put_many(o, ' ', pad));
}

static struct mote_slice format_slice(const char *ptr, size_t len)
{
  return (struct mote_slice){ ptr, len };
}

static unsigned size_bits(char size)
{
  switch(size) {
  case 'l': return CHAR_BIT * sizeof(long);
  case 'q': return CHAR_BIT * sizeof(long long);
  case 'j': return CHAR_BIT * sizeof(intmax_t);
  case 'z': return CHAR_BIT * sizeof(size_t);
  case 't': return CHAR_BIT * sizeof(ptrdiff_t);
  case 'O': return CHAR_BIT * sizeof(curl_off_t);
  default: return CHAR_BIT * sizeof(int);
  }
}

/* A sign and 0x, or one of them. */
static struct mote_slice format_join(char out[4], const char *sign, const char *prefix)
{
  size_t len = 0;
  while(*sign)
    out[len++] = *sign++;
  while(*prefix)
    out[len++] = *prefix++;
  return format_slice(out, len);
}

/* Digits from the end of the buffer towards its beginning; none for 0. */
static struct mote_slice format_digits(char *end, uintmax_t value, unsigned base, bool upper)
{
  const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  char *p = end;
  for(; value; value /= base)
    *--p = set[value % base];
  return format_slice(p, (size_t)(end - p));
}

static bool format_put_number(struct out *o, const struct directive *d, uintmax_t value, unsigned base,
                              struct mote_slice prefix)
{
  char buffer[CHAR_BIT * sizeof value / 3 + 1];
  struct mote_slice body = format_digits(buffer + sizeof buffer, value, base, d->conversion == 'X');
  size_t precision = d->precision < 0 ? 1 : d->precision > ZEROS_MAX ? ZEROS_MAX : (size_t)d->precision;
  if(d->conversion == 'o' && d->alternate && precision <= body.len)
    precision = body.len + 1;
  return format_put_field(o, d, prefix, precision > body.len ? precision - body.len : 0, body, d->zero);
}

/* In front of what is not negative, whether its type has a sign or not. */
static const char *sign_of(const struct directive *d)
{
  return d->plus ? "+" : d->space ? " " : "";
}

static bool put_signed(struct out *o, const struct directive *d, intmax_t raw)
{
  unsigned unused = CHAR_BIT * sizeof raw - size_bits(d->size);
  uintmax_t value = (uintmax_t)raw << unused;
  uintmax_t fill = value >> (CHAR_BIT * sizeof value - 1) ? UINTMAX_MAX : 0;
  const char *sign = fill ? "-" : sign_of(d);
  value >>= unused;
  if(fill)
    value = 0 - (unused ? value | (fill << (CHAR_BIT * sizeof value - unused)) : value);
  return format_put_number(o, d, value, 10, mote_slice_of(sign));
}

static bool put_unsigned(struct out *o, const struct directive *d, intmax_t raw)
{
  unsigned unused = CHAR_BIT * sizeof raw - size_bits(d->size);
  uintmax_t value = (uintmax_t)raw << unused >> unused;
  unsigned base = d->conversion == 'u' ? 10 : d->conversion == 'o' ? 8 : 16;
  const char *prefix = "";
  char text[4];
  if(base == 16 && d->alternate)
    prefix = d->conversion == 'X' ? "0X" : "0x";
  return format_put_number(o, d, value, base, format_join(text, sign_of(d), prefix));
}

/* NULL goes to the other side of its field than everything else does, as with libcurl. */
static bool put_pointer(struct out *o, const struct directive *d, const void *p)
{
  struct directive other = *d;
  char text[4];
  other.left = !d->left;
  if(!p)
    return format_put_field(o, &other, format_slice("", 0), 0, format_slice("(nil)", 5), false);
  return format_put_number(o, d, (uintptr_t)p, 16, format_join(text, sign_of(d), "0x"));
}

static bool format_put_string(struct out *o, const struct directive *d, const char *s)
{
  bool quoted = d->alternate || d->conversion == 'S';
  struct directive field = *d;
  size_t len = 0;
  if(!s) {
    s = d->precision < 0 || d->precision >= 5 ? "(nil)" : "";
    len = strlen(s);
    quoted = quoted && !len;
  }
  else if(d->precision >= 0) {
    const char *nul = memchr(s, 0, (size_t)d->precision);
    len = nul ? (size_t)(nul - s) : (size_t)d->precision;
    field.width -= d->precision - (int)len; /* libcurl pads as if the precision were the string's length */
    if(field.width < 0)
      field.width = 0;
  }
  else
    len = strlen(s);
  return (!quoted || format_put(o, "\"", 1)) &&
    format_put_field(o, &field, format_slice("", 0), 0, format_slice(s, len), false) &&
         (!quoted || format_put(o, "\"", 1));
}

static bool put_float(struct out *o, const struct directive *d, double value)
{
  char text[MOTE_FORMAT_FLOAT_SIZE];
  struct mote_float_style style = {
    .conversion = d->conversion,
    .precision = d->precision,
    .plus = d->plus,
    .space = d->space,
    .alternate = d->alternate,
  };
  int len = mote_format_float(text, &style, value);
  size_t prefix = 0;
  if(len < 0)
    return false;
  if(text[0] == '-' || text[0] == '+' || text[0] == ' ')
    prefix = 1;
  if(text[prefix] == '0' && (text[prefix + 1] == 'x' || text[prefix + 1] == 'X'))
    prefix += 2;
  return format_put_field(o, d, format_slice(text, prefix), 0,
                          format_slice(text + prefix, (size_t)len - prefix), false);
}

static bool format_put_value(struct out *o, const struct directive *d, union arg a)
{
  char c;
  switch(d->conversion) {
  case 'd': case 'i':
    return put_signed(o, d, a.i);
  case 'u': case 'o': case 'x': case 'X':
    return put_unsigned(o, d, a.i);
  case 'c':
    c = (char)(unsigned char)a.i;
    return format_put_field(o, d, format_slice("", 0), 0, format_slice(&c, 1), false);
  case 's': case 'S':
    return format_put_string(o, d, a.p);
  case 'p':
    return put_pointer(o, d, a.p);
  case 'n':
    return true;
  default:
    return put_float(o, d, a.d);
  }
}

/* ----------------------------------------------------------------------------------------------------- */

static bool format_run(struct out *o, struct source *s, const char *fmt)
{
  struct directive d;
  bool first = true;
  for(;;) {
    const char *start = fmt;
    union arg a;
    fmt = strchr(start, '%');
    if(!fmt)
      return format_put(o, start, strlen(start));
    if(!format_put(o, start, (size_t)(fmt - start)))
      return false;
    start = fmt++;
    if(!parse_directive(&fmt, &d))
      return false;
    if(format_kind_of(&d) == ARG_NONE) {
      size_t len = (size_t)(fmt - start);
      bool percent = len == 2 && d.conversion == '%';
      if(!format_put(o, start, percent ? 1 : len))
        return false;
      continue;
    }
    if(first && d.position != NEXT_ARG && !fill_table(s, start))
      return false;
    first = false;
    if(!take_amounts(s, &d) || !format_take(s, d.position, format_kind_of(&d), &a) ||
       !format_put_value(o, &d, a))
      return false;
  }
}

int mote_format(mote_format_sink sink, void *ctx, const char *fmt, va_list args)
{
  struct out o = { .sink = sink, .ctx = ctx };
  struct source s;
  bool ok;
  s.positional = false;
  s.count = 0;
  memset(s.kinds, 0, sizeof s.kinds);
  va_copy(s.list, args);
  ok = format_run(&o, &s, fmt);
  va_end(s.list);
  return ok ? (int)o.written : -1;
}

/* Into a fixed buffer --------------------------------------------------------------------------------- */

struct fixed {
  char *ptr;
  size_t left; /* room, without the NUL */
  bool full;
};

static bool to_fixed(void *ctx, const char *bytes, size_t len)
{
  struct fixed *f = ctx;
  f->full = len > f->left;
  if(f->full)
    len = f->left;
  memcpy(f->ptr, bytes, len);
  f->ptr += len;
  f->left -= len;
  return !f->full;
}

int mote_vsnprintf(char *out, size_t size, const char *fmt, va_list args)
{
  struct fixed f = { .ptr = out };
  int len;
  if(!size)
    return 0;
  f.left = size - 1;
  len = mote_format(to_fixed, &f, fmt, args);
  *f.ptr = 0;
  return len < 0 && f.full ? (int)(f.ptr - out) : len;
}

int mote_snprintf(char *out, size_t size, const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = mote_vsnprintf(out, size, fmt, args);
  va_end(args);
  return len;
}
