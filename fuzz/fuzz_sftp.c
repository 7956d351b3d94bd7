/* Fuzz target of codec/ssh/sftp.h. The first byte chooses by how much the bytes at hand grow. What comes in pieces
 * is what comes at once.
 *
 * needs: src/codec/ssh/sftp.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_sftp.c src/codec/ssh/sftp.c */
#include "codec/ssh/sftp.h"
#include "fuzz.h"

struct heard {
  size_t data;   /* bytes of DATA */
  size_t events; /* but pieces of DATA */
  uint32_t sum;  /* of what the events say */
  int broken;
};

static uint32_t add_text(uint32_t sum, struct mote_slice text)
{
  size_t i;
  for(i = 0; i < text.len; i++)
    sum = sum * 31 + (uint8_t)text.ptr[i];
  return sum + (uint32_t)text.len;
}

static void note(struct heard *h, const struct mote_sftp_event *e)
{
  if(e->type == MOTE_SFTP_DATA)
    h->data += e->text.len;
  if(e->type == MOTE_SFTP_DATA && !e->end)
    return;
  h->events++;
  h->sum = h->sum * 31 + e->type + e->id + e->code + e->attrs.mode;
  if(e->type != MOTE_SFTP_DATA)
    h->sum = add_text(add_text(h->sum, e->text), e->text2);
}

static struct heard feed(const char *bytes, size_t len, size_t grow)
{
  struct heard h = {0, 0, 0, 0};
  struct mote_sftp_in in = {.type = 0};
  size_t from = 0, to = 0;
  while(!h.broken) {
    struct mote_sftp_event e;
    char *piece = copy_of(bytes + from, to - from);
    size_t used = mote_sftp_feed(&in, piece, to - from, &e);
    must(used <= to - from);
    must(!e.type || !e.broken);
    h.broken = e.broken;
    if(e.type)
      note(&h, &e);
    free(piece);
    from += used;
    if(e.type || used)
      continue;
    if(to == len)
      break;
    to = len - to > grow ? to + grow : len;
  }
  return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct heard whole, cut;
  if(!size)
    return 0;
  whole = feed((const char *)data + 1, size - 1, size);
  cut = feed((const char *)data + 1, size - 1, 1 + data[0] % 7u);
  must(whole.events == cut.events && whole.sum == cut.sum);
  must(whole.broken == cut.broken && whole.data == cut.data);
  return 0;
}
