/* protocol/http2/h2_common.c: how a connection's session begins and ends, and what those of a multi share. */
#include "base/memory.h"
#include "base/memory/block.h"
#include "net/conn_struct.h"
#include "protocol/http2/h2.h"
#include "transfer/multi/push.h"
#include "transfer/multi/schedule.h"

/* What the sessions of a multi share. A connection that may move to another multi has one of its own. */
struct mote_h2_common {
  struct mote_loan loan;        /* first: the frame buffer; as in transfer/multi/schedule.h */
  struct mote_account *account; /* of the first session, that pays: borrowed */
  uint32_t sessions;            /* that use it */
  struct mote_mux_windows windows;
  _Alignas(8) char frame[MOTE_H2_FRAME];
};

static struct mote_h2_common *h2_common_of(const struct mote_h2 *h)
{
  return mote_container_of(h->link.windows, struct mote_h2_common, windows);
}

static CURLcode h2_common_join(struct mote_h2 *h, struct mote_h2_common **at)
{
  struct mote_account *account = h->link.drive.conn->env.account;
  struct mote_h2_common *common = at ? *at : NULL;
  struct mote_block_info info;
  if(!common) {
    common = mote_mem_alloc(account, MOTE_PART_CONN, sizeof *common);
    if(!common)
      return CURLE_OUT_OF_MEMORY;
    common->loan.at = offsetof(struct mote_h2_common, frame);
    common->loan.size = CURL_MAX_WRITE_SIZE;
    common->account = account;
    common->sessions = 0;
    mote_mux_windows_init(&common->windows, mote_account_room(account), mote_block_get(&info));
    if(at)
      *at = common;
  }
  common->sessions++;
  h->link.windows = &common->windows;
  return CURLE_OK;
}

bool mote_h2_is_common(const struct mote_h2 *h)
{
  const struct mote_multi *m = mote_mux_multi(&h->link);
  return m && m->h2 == h2_common_of(h);
}

static void h2_common_leave(struct mote_h2 *h)
{
  struct mote_h2_common *common = h2_common_of(h);
  if(!--common->sessions && mote_h2_is_common(h)) {
    mote_schedule_end_loan(mote_mux_multi(&h->link));
    mote_mux_multi(&h->link)->h2 = NULL;
  }
  h->link.windows = NULL;
  if(common->sessions)
    return;
  mote_mem_free(common->account, MOTE_PART_CONN, common, sizeof *common);
}

/* A connection that may move to another multi shares nothing with the others of this one. */
CURLcode mote_h2_open_session(struct mote_h2 *h, const struct mote_h2_user *user,
                              const struct mote_transfer *upgraded)
{
  struct mote_multi *m = mote_mux_multi(&h->link);
  struct mote_h2_opening how = {.user = user, .account = h->link.drive.conn->env.account,
                                .window = MOTE_MUX_WINDOW, .push = mote_push_is_wanted(m)};
  CURLcode rc = h2_common_join(h, h->link.drive.conn->of_share ? NULL : &m->h2);
  if(rc)
    return rc;
  if(mote_h2_frame_is_shared())
    how.frame = h2_common_of(h)->frame;
  how.upgraded = upgraded != NULL;
  how.head = upgraded && upgraded->run->request.method == MOTE_METHOD_HEAD;
  rc = mote_h2_open(&h->session, &how);
  if(rc)
    h2_common_leave(h);
  return rc;
}

void mote_h2_close_session(struct mote_h2 *h)
{
  mote_h2_close(&h->session);
  if(h->link.windows)
    h2_common_leave(h);
}
