/* tests/unit/transfer/test_source.c: the chain of readers that gives a request's body: pieces, framing on top
 * of memory, rewinding, and readers that do not fit into the chain's own block. */
#include "transfer/upload/source.h"

#include "protocol/http1/h1.h"
#include "subject.h"

static char room[256];

/* A reader that makes upper case of what comes from below. */
struct upper {
  struct mote_reader reader;
  char room[300]; /* does not fit into the block */
};

static int closed; /* how many were closed */

static CURLcode upper_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  struct upper *u = (struct upper *)r;
  CURLcode rc = mote_reader_read(t, r->below, p);
  for(size_t i = 0; i < p->len; i++)
    u->room[i] = p->bytes[i] >= 'a' && p->bytes[i] <= 'z' ? (char)(p->bytes[i] - 32) : p->bytes[i];
  p->bytes = u->room;
  return rc;
}

static void upper_close(struct mote_transfer *t, struct mote_reader *r)
{
  (void)t;
  (void)r;
  closed++;
}

static const struct mote_reader_row upper_row = {
  .name = "upper", .bytes = sizeof(struct upper), .read = upper_read, .close = upper_close
};

static bool begin(struct subject *s, const char *body)
{
  CURLcode rc;
  subject_begin(s, "http");
  closed = 0;
  s->run.request.method = MOTE_METHOD_POST;
  rc = mote_option_set_ptr(&s->t.options, ID(POSTFIELDS), (char *)(uintptr_t)body);
  if(!rc)
    rc = mote_source_open(&s->t);
  return CHECK(!rc || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed)) && !rc;
}

static void end(struct subject *s)
{
  mote_source_close(&s->t);
  mote_source_close(&s->t);
  subject_end(s);
}

/* Reads a piece and checks its bytes; returns whether it was the last. */
static bool piece(struct subject *s, size_t most, const char *expected)
{
  struct mote_piece p;
  p.room = room;
  p.most = most;
  CHECK_INT(mote_source_read(&s->t, &p), CURLE_OK);
  CHECK_MEM(p.bytes, p.len, expected, strlen(expected));
  return p.end;
}

TEST(memory_is_lent_piece_by_piece)
{
  static const char body[] = "hello world";
  struct subject s;
  struct mote_piece p = {.room = room, .most = 5};
  begin(&s, body);
  CHECK_INT(mote_source_size(&s.t), 11);
  CHECK_INT(s.run.request.size_up, 11);
  CHECK(mote_source_at_hand(&s.t));
  CHECK_INT(mote_source_read(&s.t, &p), CURLE_OK);
  CHECK(p.bytes == body);
  CHECK_INT((long)p.len, 5);
  CHECK(!p.end);
  CHECK(!piece(&s, 5, " worl"));
  CHECK(piece(&s, 5, "d"));
  CHECK(piece(&s, 5, ""));
  CHECK_INT(mote_source_rewind(&s.t), CURLE_OK);
  CHECK(piece(&s, sizeof room, "hello world"));
  end(&s);
}

TEST(chunks_are_framed_and_not_payload)
{
  struct subject s;
  struct mote_piece p = {.room = room, .most = MOTE_H1_FRAMING + 5};
  begin(&s, "hello!");
  CHECK(mote_source_push(&s.t, &mote_h1_chunks) != NULL);
  CHECK_INT(mote_source_size(&s.t), -1);
  CHECK_INT(mote_source_read(&s.t, &p), CURLE_OK);
  CHECK_MEM(p.bytes, p.len, "5\r\nhello\r\n", 10);
  CHECK_INT((long)p.front, 3);
  CHECK_INT((long)p.back, 2);
  CHECK(!piece(&s, sizeof room, "1\r\n!\r\n"));
  CHECK(piece(&s, sizeof room, "0\r\n\r\n"));
  CHECK(piece(&s, sizeof room, ""));
  CHECK_INT(mote_source_rewind(&s.t), CURLE_OK);
  CHECK(!piece(&s, sizeof room, "6\r\nhello!\r\n"));
  mote_source_strip(&s.t);
  CHECK_INT(mote_source_size(&s.t), 6);
  end(&s);
}

TEST(a_large_reader_gets_a_block_of_its_own)
{
  struct subject s;
  begin(&s, "hello");
  CHECK(mote_source_push(&s.t, &upper_row) != NULL);
  CHECK(!mote_source_at_hand(&s.t));
  CHECK(mote_source_push(&s.t, &mote_h1_chunks) != NULL);
  CHECK(!piece(&s, sizeof room, "5\r\nHELLO\r\n"));
  mote_source_strip(&s.t);
  CHECK_INT(closed, 1);
  CHECK(mote_source_push(&s.t, &upper_row) != NULL);
  CHECK_INT(mote_source_rewind(&s.t), CURLE_OK);
  CHECK(piece(&s, sizeof room, "HELLO"));
  end(&s);
  CHECK_INT(closed, 2);
}

static void any_allocation(void)
{
  struct subject s;
  if(begin(&s, "hello") && mote_source_push(&s.t, &upper_row))
    CHECK(piece(&s, sizeof room, "HELLO"));
  else
    CHECK(test_mem.failed);
  end(&s);
}

TEST(a_handle_keeps_the_block_for_its_next_body)
{
  struct subject s;
  uint64_t calls;
  begin(&s, "body");
  calls = test_calls(&s.t.account);
  mote_source_close(&s.t);
  CHECK(!mote_source_open(&s.t));
  CHECK(piece(&s, 100, "body"));
  CHECK_INT(test_calls(&s.t.account), calls);
  end(&s);
}

TEST(out_of_memory_leaves_nothing)
{
  run_with_failures(any_allocation);
}

int main(void)
{
  TEST_RUN(memory_is_lent_piece_by_piece);
  TEST_RUN(chunks_are_framed_and_not_payload);
  TEST_RUN(a_large_reader_gets_a_block_of_its_own);
  TEST_RUN(a_handle_keeps_the_block_for_its_next_body);
  TEST_RUN(out_of_memory_leaves_nothing);
  return test_end();
}
