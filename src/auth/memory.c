/* auth/memory.c: what is remembered of a challenge (auth/memory.h). */
#include "auth/memory.h"

#include <string.h>

#include "auth/scheme.h"
#include "base/memory.h"
#include "base/out.h"

static size_t auth_memory_size_of(const struct mote_auth_memory *m)
{
  return sizeof *m + m->host + m->user + m->password;
}

struct mote_auth_memory *mote_auth_memory_new(struct mote_account *account,
                                              const struct mote_auth_scheme *choice,
                                              const struct mote_auth_place *place,
                                              const struct mote_auth_login *login)
{
  struct mote_auth_memory head = {
    .choice = choice, .host = (uint32_t)place->host.len, .user = (uint32_t)login->user.len,
    .password = (uint32_t)login->password.len, .port = place->port, .tls = place->tls,
    .user_coded = login->user_coded, .password_coded = login->password_coded,
  };
  struct mote_auth_memory *m = mote_mem_alloc(account, MOTE_PART_TRANSFER, auth_memory_size_of(&head));
  if(m) {
    struct mote_out texts = mote_out_in((char *)(m + 1), auth_memory_size_of(&head) - sizeof head);
    *m = head;
    mote_out_slice(&texts, place->host);
    mote_out_slice(&texts, login->user);
    mote_out_slice(&texts, login->password);
  }
  return m;
}

void mote_auth_memory_drop_state(struct mote_account *account, struct mote_auth_memory *m)
{
  if(m->state)
    m->choice->close(m->state, account);
  m->state = NULL;
}

void mote_auth_memory_free(struct mote_account *account, struct mote_auth_memory *m)
{
  if(!m)
    return;
  mote_auth_memory_drop_state(account, m);
  mote_mem_free(account, MOTE_PART_TRANSFER, m, auth_memory_size_of(m));
}

bool mote_auth_memory_is_of(const struct mote_auth_memory *m, const struct mote_auth_place *place)
{
  return m->port == place->port && m->tls == place->tls && m->host == place->host.len &&
         mote_equal_nocase_n((const char *)(m + 1), place->host.ptr, m->host);
}

static bool auth_memory_is(const char *kept, uint32_t len, struct mote_slice text)
{
  return len == text.len && (!len || !memcmp(kept, text.ptr, len));
}

bool mote_auth_memory_knows(const struct mote_auth_memory *m, const struct mote_auth_login *login)
{
  const char *user = (const char *)(m + 1) + m->host;
  return m->user_coded == login->user_coded && m->password_coded == login->password_coded &&
         auth_memory_is(user, m->user, login->user) &&
           auth_memory_is(user + m->user, m->password, login->password);
}
