/* tests/unit/net/test_preset.c: lines of CURLOPT_RESOLVE. What is malformed was compared with curl 7.88.1. */
#include "net/names/preset.h"

#include "net/names/address.h"

#include "test.h"

static const struct {
  const char *line;
  int kind;              /* -1: malformed */
  const char *host;
  int port;
  const char *addresses; /* separated by blanks */
} lines[] = {
  {"a.test:80:192.0.2.1", MOTE_PRESET_KEEP, "a.test", 80, "192.0.2.1"},
  {"a.test:80:192.0.2.1,192.0.2.2", MOTE_PRESET_KEEP, "a.test", 80, "192.0.2.1 192.0.2.2"},
  {"a.test:80:[2001:db8::1],192.0.2.2", MOTE_PRESET_KEEP, "a.test", 80, "2001:db8::1 192.0.2.2"},
  {"a.test:80:2001:db8::1", MOTE_PRESET_KEEP, "a.test", 80, "2001:db8::1"},
  {"a.test:80:::1", MOTE_PRESET_KEEP, "a.test", 80, "::1"},
  {"a.test:80:[192.0.2.1]", MOTE_PRESET_KEEP, "a.test", 80, "192.0.2.1"},
  {"a.test:0:192.0.2.1", MOTE_PRESET_KEEP, "a.test", 0, "192.0.2.1"},
  {"a.test:65535:192.0.2.1", MOTE_PRESET_KEEP, "a.test", 65535, "192.0.2.1"},
  {"+a.test:80:192.0.2.1", MOTE_PRESET_MORTAL, "a.test", 80, "192.0.2.1"},
  {"*:80:192.0.2.1", MOTE_PRESET_KEEP, "*", 80, "192.0.2.1"},
  {"+*:80:192.0.2.1", MOTE_PRESET_MORTAL, "*", 80, "192.0.2.1"},
  {"[2001:db8::7]:80:192.0.2.1", MOTE_PRESET_KEEP, "2001:db8::7", 80, "192.0.2.1"},
  {":80:192.0.2.1", MOTE_PRESET_KEEP, "", 80, "192.0.2.1"},
  {"a.test:80:192.0.2.1,,192.0.2.2", MOTE_PRESET_KEEP, "a.test", 80, "192.0.2.1 192.0.2.2"},
  {"a.test:80:192.0.2.1,", MOTE_PRESET_KEEP, "a.test", 80, "192.0.2.1"},
  {"a.test:80:,192.0.2.1", MOTE_PRESET_KEEP, "a.test", 80, "192.0.2.1"},
  {"-a.test:80", MOTE_PRESET_REMOVE, "a.test", 80, ""},
  {"-*:80", MOTE_PRESET_REMOVE, "*", 80, ""},
  {"-[2001:db8::7]:80", MOTE_PRESET_REMOVE, "2001:db8::7", 80, ""},
  {"-a.test:80:192.0.2.1", MOTE_PRESET_REMOVE, "a.test", 80, ""},
  {"-a.test", MOTE_PRESET_IGNORE, NULL, 0, ""},
  {"-a.test:x", MOTE_PRESET_IGNORE, NULL, 0, ""},
  {"-", MOTE_PRESET_IGNORE, NULL, 0, ""},
  {"", -1, NULL, 0, NULL},
  {"+", -1, NULL, 0, NULL},
  {"a.test", -1, NULL, 0, NULL},
  {"a.test:80", -1, NULL, 0, NULL},
  {"a.test:80:", -1, NULL, 0, NULL},
  {"a.test:80:,", -1, NULL, 0, NULL},
  {"a.test::192.0.2.1", -1, NULL, 0, NULL},
  {"a.test:65536:192.0.2.1", -1, NULL, 0, NULL},
  {"a.test:99999999999999999999:192.0.2.1", -1, NULL, 0, NULL},
  {"a.test:-1:192.0.2.1", -1, NULL, 0, NULL},
  {"a.test:80x:192.0.2.1", -1, NULL, 0, NULL},
  {"a.test:80: 192.0.2.1", -1, NULL, 0, NULL},
  {"a.test:80:192.0.2.1 ,192.0.2.2", -1, NULL, 0, NULL},
  {"a.test:80:192.0.2.1:5", -1, NULL, 0, NULL},
  {"a.test:80:b.test", -1, NULL, 0, NULL},
  {"a.test:80:bad,192.0.2.1", -1, NULL, 0, NULL},
  {"a.test:80:192.0.2.1,bad", -1, NULL, 0, NULL},
  {"a.test:80:[2001:db8::1", -1, NULL, 0, NULL},
  {"a.test:80:[]", -1, NULL, 0, NULL},
  {"[2001:db8::7:80:192.0.2.1", -1, NULL, 0, NULL},
  {"[2001:db8::7]80:192.0.2.1", -1, NULL, 0, NULL},
};

static void print_all(const struct mote_preset *p, char *out)
{
  size_t i;
  *out = 0;
  for(i = 0; i < p->count; i++) {
    char one[MOTE_ADDR_TEXT_MAX];
    (void)mote_addr_print(&p->addrs[i], one);
    strcat(strcat(out, i ? " " : ""), one);
  }
}

TEST(table)
{
  size_t i;
  for(i = 0; i < sizeof lines / sizeof *lines; i++) {
    struct mote_preset p;
    char host[100], text[500];
    bool ok = mote_preset_parse(lines[i].line, &p);
    CHECK_INT(ok ? (int)p.kind : -1, lines[i].kind);
    if(!ok || !CHECK(lines[i].kind >= 0)) {
      if(ok != (lines[i].kind >= 0))
        fprintf(stderr, "  line \"%s\"\n", lines[i].line);
      continue;
    }
    print_all(&p, text);
    CHECK_STR(text, lines[i].addresses);
    if(!lines[i].host)
      continue;
    memcpy(host, p.host.ptr, p.host.len);
    host[p.host.len] = 0;
    CHECK_STR(host, lines[i].host);
    CHECK_INT(p.port, lines[i].port);
  }
}

TEST(more_than_there_is_room_for)
{
  char line[20 * MOTE_PRESET_MAX] = "a.test:80:192.0.2.0";
  struct mote_preset p;
  int i;
  for(i = 1; i < MOTE_PRESET_MAX + 5; i++)
    sprintf(line + strlen(line), ",192.0.2.%d", i);
  CHECK(mote_preset_parse(line, &p));
  CHECK_INT(p.count, MOTE_PRESET_MAX);
  CHECK_INT(p.addrs[MOTE_PRESET_MAX - 1].ip[3], MOTE_PRESET_MAX - 1);
  strcat(line, ",bad");
  CHECK(!mote_preset_parse(line, &p));
}

int main(void)
{
  TEST_RUN(table);
  TEST_RUN(more_than_there_is_room_for);
  return test_end();
}
