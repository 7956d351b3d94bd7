/* main.c: driver [--way WAY] [--seconds N] [--no-global] < script
 *
 * Exit status: 0 the script ran to its end; 2 an unknown command; 97 the watchdog rang. */
#include "driver.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void on_alarm(int sig)
{
  static const char text[] = "\nwatchdog\n";
  (void)sig;
  if(write(1, text, sizeof text - 1) < 0)
    _exit(98);
  _exit(97);
}

int main(int argc, char **argv)
{
  int global = 1, rc, before, after;
  unsigned seconds = 20;
  default_way = WAY_EASY;
  for(int i = 1; i < argc; i++) {
    if(!strcmp(argv[i], "--way") && i + 1 < argc) {
      int way = way_by_name(argv[++i]);
      if(way < 0)
        return 2;
      default_way = (enum way)way;
    }
    else if(!strcmp(argv[i], "--seconds") && i + 1 < argc)
      seconds = (unsigned)atoi(argv[++i]);
    else if(!strcmp(argv[i], "--no-global"))
      global = 0;
    else
      return 2;
  }
  signal(SIGALRM, on_alarm);
  alarm(seconds);
  before = open_descriptors();
  if(global && curl_global_init(CURL_GLOBAL_DEFAULT))
    return 3;
  log_begin("version");
  log_text(curl_version());
  log_end();
  rc = script_run();
  objects_free();
  kept_free();
  if(global)
    curl_global_cleanup();
  /* a lookup thread that was abandoned may still hold its socket: it gets 5 s to end */
  after = open_descriptors();
  for(int i = 0; i < 500 && after > before; i++) {
    usleep(10000);
    after = open_descriptors();
  }
  log_begin("end");
  log_num(after - before);
  log_num(violations);
  log_end();
  return rc;
}
