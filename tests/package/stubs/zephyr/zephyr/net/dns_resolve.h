#include <stdint.h>
#include <zephyr/net/net_ip.h>
enum dns_query_type { DNS_QUERY_TYPE_A = 1, DNS_QUERY_TYPE_AAAA = 28 };
enum dns_resolve_status {
  DNS_EAI_NONAME = -2,
  DNS_EAI_INPROGRESS = -100,
  DNS_EAI_CANCELED = -101,
  DNS_EAI_ALLDONE = -103
};
struct dns_addrinfo {
  struct sockaddr ai_addr;
  socklen_t ai_addrlen;
  uint8_t ai_family;
};
typedef void (*dns_resolve_cb_t)(enum dns_resolve_status status, struct dns_addrinfo *info, void *user_data);
int dns_get_addr_info(const char *query, enum dns_query_type type, uint16_t *dns_id, dns_resolve_cb_t cb,
                      void *user_data, int32_t timeout);
int dns_cancel_addr_info(uint16_t dns_id);
