/* text.c: bytes that grow, and the log of the present case. */
#include "runner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct bytes out;
static struct bytes piece;
static char piece_word[24];
static int piece_handle;

void bytes_add(struct bytes *b, const void *data, size_t n)
{
  if(b->len + n + 1 > b->room) {
    b->room = (b->len + n + 1) * 2;
    b->at = realloc(b->at, b->room);
    if(!b->at)
      abort();
  }
  if(n)
    memcpy(b->at + b->len, data, n);
  b->len += n;
  b->at[b->len] = 0;
}

void bytes_free(struct bytes *b)
{
  free(b->at);
  memset(b, 0, sizeof *b);
}

long long field_number(const struct field *f)
{
  return strtoll(f->at, NULL, 0);
}

static void flush_piece(void)
{
  struct bytes held = piece;
  if(!held.at)
    return;
  memset(&piece, 0, sizeof piece);
  log_begin(piece_word);
  log_number(piece_handle);
  log_field(held.at, held.len);
  log_end();
  bytes_free(&held);
}

static void escaped(unsigned char c)
{
  char text[8];
  const char *plain = c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\\' ? "\\\\" : NULL;
  if(plain)
    bytes_add(&out, plain, 2);
  else if(c < 0x20 || c >= 0x7f) {
    snprintf(text, sizeof text, "\\x%02x", c);
    bytes_add(&out, text, 4);
  }
  else
    bytes_add(&out, &c, 1);
}

void log_begin(const char *word)
{
  flush_piece();
  bytes_add(&out, word, strlen(word));
}

/* Prints long bytes as their beginning, their length and a checksum. */
void log_field(const void *data, size_t n)
{
  const unsigned char *p = data;
  size_t shown = n > 300000 ? 300000 : n;
  bytes_add(&out, "\t", 1);
  for(size_t i = 0; i < shown; i++)
    escaped(p[i]);
  if(shown < n) {
    unsigned int sum = 2166136261u;
    char text[60];
    for(size_t i = 0; i < n; i++)
      sum = (sum ^ p[i]) * 16777619u;
    snprintf(text, sizeof text, "\\+ %zu bytes, sum %08x", n, sum);
    bytes_add(&out, text, strlen(text));
  }
}

void log_text(const char *text)
{
  if(!text)
    text = "(null)";
  log_field(text, strlen(text));
}

void log_number(long long n)
{
  char text[24];
  snprintf(text, sizeof text, "%lld", n);
  log_text(text);
}

void log_end(void)
{
  bytes_add(&out, "\n", 1);
}

void log_line(const char *word, long long n, const char *text)
{
  log_begin(word);
  log_number(n);
  log_text(text);
  log_end();
}

void log_piece(const char *word, int handle, const void *data, size_t n)
{
  if(piece.at && (piece_handle != handle || strcmp(word, piece_word) != 0))
    flush_piece();
  snprintf(piece_word, sizeof piece_word, "%s", word);
  piece_handle = handle;
  bytes_add(&piece, data, n);
}

void log_deliver(const char *verdict)
{
  size_t done = 0;
  log_begin("end");
  log_text(verdict);
  log_end();
  bytes_add(&out, "\n", 1);
  while(done < out.len) {
    ssize_t n = write(1, out.at + done, out.len - done);
    if(n <= 0)
      _exit(98);
    done += (size_t)n;
  }
  out.len = 0;
}

_Noreturn void give_up(const char *verdict)
{
  net_log();
  log_deliver(verdict);
  _exit(97);
}
