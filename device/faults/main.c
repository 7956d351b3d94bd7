/* Faults of the field, one after the other on one handle out of one static block. After each of them the same page must
 * be fetched, and no byte may be lost. Arguments: the URL of a page, a URL with a name to look up.
 * Prints a line for each fault. */
#include <curl/curl.h>
#include <lwip/dns.h>
#include <lwip/netif.h>
#include <lwip/pbuf.h>
#include <mote/mote.h>
#include <stdio.h>
#include <string.h>

#include "board.h"
#include "roots.h"

#define ALL UINT32_MAX
#define PEAK 28672u

static _Alignas(8) char block[PEAK];
static char arguments[512], *nameless;
static CURL *curl;
static uint32_t frames = ALL, seen, wrong;
static netif_linkoutput_fn usual_out;
static netif_input_fn usual_in;

/* ---- a network that loses frames: all after the first `frames` of both directions ---- */

static bool lost(void)
{
  seen++;
  if(frames != ALL && !frames)
    return true;
  frames -= frames != ALL;
  return false;
}

static err_t lossy_out(struct netif *n, struct pbuf *p)
{
  return lost() ? ERR_OK : usual_out(n, p);
}

static err_t lossy_in(struct pbuf *p, struct netif *n)
{
  if(!lost())
    return usual_in(p, n);
  pbuf_free(p);
  return ERR_OK;
}

/* ---- fetching ---- */

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  (void)p;
  (void)arg;
  return size * n;
}

static bool begin(size_t size)
{
  if(curl)
    curl_easy_cleanup(curl);
  curl = NULL;
  curl_global_cleanup();
  return !mote_init_static(block, size);
}

static CURLcode get(const char *url, long ms)
{
  CURLcode rc;
  if(!curl) {
    curl = curl_easy_init();
    if(!curl)
      return CURLE_OUT_OF_MEMORY;
    rc = roots_use(curl);
    if(!rc)
      rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    if(rc)
      return rc;
  }
  rc = curl_easy_setopt(curl, CURLOPT_URL, url);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, ms);
  return rc ? rc : curl_easy_perform(curl);
}

static void report(const char *what, bool good, unsigned number)
{
  printf("%s: %u%s\n", what, number, good ? "" : " WRONG");
  wrong += !good;
}

static bool works(void)
{
  CURLcode rc;
  frames = ALL;
  rc = get(arguments, 30000);
  if(rc)
    printf("the page: code %d\n", (int)rc);
  return !rc;
}

/* ---- the faults ---- */

static void no_link(void)
{
  CURLcode rc;
  frames = 0;
  rc = get(arguments, 2000);
  report("no link", (rc == CURLE_OPERATION_TIMEDOUT || rc == CURLE_COULDNT_CONNECT) && works(), rc);
}

/* The link is lost after each frame of a fetch on a new connection. */
static void link_lost(void)
{
  uint32_t all, n;
  unsigned codes = 0;
  bool good = begin(sizeof block);
  seen = 0;
  good &= works();
  all = seen;
  for(n = 0; n < all && good; n++) {
    CURLcode rc;
    good = begin(sizeof block);
    frames = n;
    rc = get(arguments, 1500);
    codes |= 1u << (rc & 31);
    /* what is lost at the very end is no loss to the caller */
    good &= (rc == CURLE_OPERATION_TIMEDOUT || rc == CURLE_COULDNT_CONNECT || (!rc && n + 6 > all)) && works();
  }
  report("link lost after each frame", good && codes & 1u << CURLE_OPERATION_TIMEDOUT, n);
}

static void silent_names(void)
{
  static const ip4_addr_t nowhere = IPADDR4_INIT_BYTES(10, 0, 2, 77);
  CURLcode rc;
  dns_setserver(0, &nowhere);
  rc = get(nameless, 2000);
  report("no answer for a name", rc == CURLE_OPERATION_TIMEDOUT && works(), rc);
}

static void other_address(void)
{
  static const ip4_addr_t address = IPADDR4_INIT_BYTES(10, 0, 2, 33), mask = IPADDR4_INIT_BYTES(255, 255, 255, 0),
                          gateway = IPADDR4_INIT_BYTES(10, 0, 2, 2);
  bool good = works();
  netif_set_addr(netif_default, &address, &mask, &gateway);
  report("another address", works() && good, 33);
}

static void no_buffers(void)
{
  struct pbuf *taken[64];
  unsigned n = 0;
  CURLcode rc;
  while(n < 64 && (taken[n] = pbuf_alloc(PBUF_RAW, 100, PBUF_POOL)))
    n++;
  rc = get(arguments, 3000);
  while(n--)
    pbuf_free(taken[n]);
  report("no buffers for frames", rc == CURLE_OPERATION_TIMEDOUT && works(), rc);
}

/* Blocks that grow by what is said to be missing, and by one byte less. */
static void little_memory(void)
{
  struct mote_static_info info;
  size_t size = 1536;
  unsigned stages = 0;
  bool good = true;
  CURLcode rc;
  while((good = good && begin(size)) && (rc = get(arguments, 30000))) {
    size_t enough;
    good = rc == CURLE_OUT_OF_MEMORY && !mote_static_info(&info) && info.missing;
    enough = size + info.missing;
    good = good && begin(enough - 1);
    rc = get(arguments, 30000); /* the last piece may be one that it can do without */
    good = good && (!rc || (rc == CURLE_OUT_OF_MEMORY && !mote_static_info(&info) && info.missing));
    size = enough;
    stages++;
  }
  report("stages of too little memory", good && stages > 3 && begin(sizeof block) && works(), stages);
}

int main(void)
{
  board_arguments(arguments, sizeof arguments);
  nameless = strchr(arguments, ' ');
  if(!nameless || !board_network_up(10000) || !begin(sizeof block))
    return 2;
  *nameless++ = 0;
  usual_out = netif_default->linkoutput;
  usual_in = netif_default->input;
  netif_default->linkoutput = lossy_out;
  netif_default->input = lossy_in;
  report("without a fault", works(), 0);
  little_memory();
  no_link();
  silent_names();
  no_buffers();
  other_address();
  link_lost();
  printf(wrong ? "FAILED\n" : "passed\n");
  return wrong != 0;
}
