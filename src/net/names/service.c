/* net/names/service.c: the service that an answer has besides its addresses (net/names/names.h). */
#include <string.h>

#include "base/memory.h"
#include "net/names/names.h"

void mote_answer_drop_service(struct mote_answer *a)
{
  mote_mem_free(a->account, MOTE_PART_NAME, a->service, a->service_size);
  a->service = NULL;
}

void mote_answer_set_service(struct mote_answer *a, const struct mote_dns_service *s, uint32_t size)
{
  mote_answer_drop_service(a);
  a->service = s ? mote_mem_alloc(a->account, MOTE_PART_NAME, size) : NULL;
  a->service_size = size;
  if(a->service)
    memcpy(a->service, s, size);
}
