/* transfer/option_find.c: finds options in the sparse array (transfer/options.h). Each transfer does so many
 * times, so that this file is built for speed, and the rest of the array for size. */
#include "transfer/options.h"

static inline const uint16_t *search(const uint16_t *ids, unsigned count, uint16_t id)
{
  for(; count; count--, ids++)
    if(*ids == id)
      return ids;
  return NULL;
}

/* Unused entries have the number 0, which is never searched for, so that there is nothing to count. */
static inline const uint16_t *search_inline(const struct mote_options *o, uint16_t id)
{
  const uint16_t *ids = o->ids;
  for(; ids < o->ids + MOTE_OPTIONS_INLINE; ids += 4) {
    if(ids[0] == id)
      return ids;
    if(ids[1] == id)
      return ids + 1;
    if(ids[2] == id)
      return ids + 2;
    if(ids[3] == id)
      return ids + 3;
  }
  return NULL;
}

static inline const union mote_option_value *look_up(const struct mote_options *o, uint16_t id)
{
  const uint16_t *at;
  if(!mote_option_maybe(o, id))
    return NULL;
  at = search_inline(o, id);
  if(at)
    return &o->values[at - o->ids];
  if(o->count <= MOTE_OPTIONS_INLINE)
    return NULL;
  at = search(mote_options_more_ids(o), o->count - MOTE_OPTIONS_INLINE, id);
  return at ? &o->more[at - mote_options_more_ids(o)] : NULL;
}

const union mote_option_value *mote_option_value(const struct mote_options *o, uint16_t id)
{
  return look_up(o, id);
}

bool mote_option_has(const struct mote_options *o, uint16_t id)
{
  return look_up(o, id) != NULL;
}

bool mote_opt_is_set(const struct mote_options *o, CURLoption option)
{
  return mote_option_has(o, MOTE_OPT_ID(option));
}

long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset)
{
  const union mote_option_value *v = look_up(o, id);
  return v ? v->num : preset;
}

curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset)
{
  const union mote_option_value *v = look_up(o, id);
  return v ? v->off : preset;
}

void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id)
{
  const union mote_option_value *v = look_up(o, id);
  return v ? v->ptr : NULL;
}

void *mote_opt_find_ptr_or(const struct mote_options *o, uint16_t id, void *preset)
{
  const union mote_option_value *v = look_up(o, id);
  return v ? v->ptr : preset;
}

mote_fn mote_opt_find_fn(const struct mote_options *o, uint16_t id)
{
  const union mote_option_value *v = look_up(o, id);
  return v ? v->fn : NULL;
}
