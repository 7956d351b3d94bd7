/* Fetches what its arguments name, by <curl/curl.h> alone, out of one static block. The arguments take
 * effect in their order:
 *   block=BYTES          starts the library again with so much of the block (at first all of it)
 *   ca=0|1               root to trust (roots.c), from the next block= on
 *   timeout=MS
 *   get=CODE,BYTES,SUM,URL   fetches; CURLcode, length and Adler-32 of the body must be these
 * Prints a line per fetch, then the memory in use; exits with 1 when a fetch had another result. */
#include <curl/curl.h>
#include <mote/mote.h>
#include <string.h>

#include "board.h"
#include "roots.h"

#ifndef TINY_BLOCK
#define TINY_BLOCK 28672
#endif

#ifndef TINY_BUFFER
#define TINY_BUFFER 1024L /* for heads, and for bodies that TLS does not lend */
#endif

struct body {
  uint32_t bytes, a, b; /* a, b: Adler-32 */
};

static char arguments[4096];
static _Alignas(8) char block[TINY_BLOCK];
static CURL *curl;
static uint32_t wrong, peak, missing;
static long timeout_ms = 10000;
static unsigned root;

static void print_number(const char *what, uint32_t number)
{
  board_print(what);
  board_print_number(number);
}

static uint32_t number_of(char **rest)
{
  uint32_t n = 0;
  char *p;
  for(p = *rest; *p >= '0' && *p <= '9'; p++)
    n = n * 10 + (uint32_t)(*p - '0');
  *rest = *p == ',' ? p + 1 : p;
  return n;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  struct body *body = arg;
  size_t i;
  for(i = 0; i < size * n; i++) {
    body->a = (body->a + (uint8_t)p[i]) % 65521;
    body->b = (body->b + body->a) % 65521;
  }
  body->bytes += size * n;
  return size * n;
}

/* ---- the library's life ---- */

static void stop(void)
{
  struct mote_static_info info;
  if(curl)
    curl_easy_cleanup(curl);
  curl = NULL;
  if(mote_static_info(&info))
    return;
  if(info.peak > peak)
    peak = (uint32_t)info.peak;
  curl_global_cleanup();
}

static void start(uint32_t size)
{
  stop();
  if(size > sizeof block || mote_init_static(block, size)) {
    board_print("the block is refused\n");
    wrong++;
  }
}

static CURLcode make_handle(void)
{
  CURLcode rc;
  curl = curl_easy_init();
  if(!curl)
    return CURLE_OUT_OF_MEMORY;
  rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, TINY_BUFFER);
  return rc ? rc : roots_set(curl, root);
}

static CURLcode prepare(const char *url, struct body *body)
{
  CURLcode rc = curl ? CURLE_OK : make_handle();
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_URL, url);
  if(!rc)
    rc = curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
  return rc ? rc : curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
}

/* ---- fetching ---- */

static void report(uint32_t found, uint32_t wanted, const char *what)
{
  print_number(what, found);
  if(found == wanted)
    return;
  print_number(" WRONG, not ", wanted);
  wrong++;
}

static void get(char *spec)
{
  uint32_t code = number_of(&spec), bytes = number_of(&spec), sum = number_of(&spec);
  struct body body = {0, 1, 0};
  struct mote_static_info info = {0};
  CURLcode rc = prepare(spec, &body);
  if(!rc)
    rc = curl_easy_perform(curl);
  board_print(spec);
  report((uint32_t)rc, code, " code ");
  report(body.bytes, bytes, " bytes ");
  if(body.bytes == bytes)
    report(body.b << 16 | body.a, sum, " sum ");
  if(!mote_static_info(&info) && info.missing) {
    missing = (uint32_t)info.missing;
    print_number(" missing ", missing);
  }
  if((rc == CURLE_OUT_OF_MEMORY) != (info.missing != 0)) {
    board_print(" WRONG");
    wrong++;
  }
  board_print("\n");
}

static void obey(char *word)
{
  char *value = strchr(word, '=');
  if(!value)
    return;
  *value++ = 0;
  if(!strcmp(word, "block"))
    start(number_of(&value));
  else if(!strcmp(word, "ca"))
    root = number_of(&value);
  else if(!strcmp(word, "timeout"))
    timeout_ms = (long)number_of(&value);
  else
    get(value);
}

int main(void)
{
  char *word, *space;
  board_arguments(arguments, sizeof arguments);
  if(!board_network_up(10000)) {
    board_print("no network\n");
    return 2;
  }
  start(sizeof block);
  for(word = arguments; word; word = space) {
    space = strchr(word, ' ');
    if(space)
      *space++ = 0;
    obey(word);
  }
  stop();
  print_number(wrong ? "FAILED, block " : "passed, block ", peak);
  print_number(", stack ", (uint32_t)board_stack_used());
  board_print("\n");
  return wrong != 0;
}
