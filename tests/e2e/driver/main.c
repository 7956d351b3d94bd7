/* main.c: driver [--way WAY] [--seconds N] [--no-global] [--zygote FD] < script
 *
 * Exit status: 0 the script ran to its end; 2 an unknown command; 97 the watchdog rang (with calls failing on
 * purpose: SIGABRT, so that the log of the calls is written). */
#include "driver.h"
#include "system.h"
#include "torture.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_alarm(void)
{
  static const char text[] = "\nwatchdog\n";
  if(write(1, text, sizeof text - 1) < 0)
    _exit(98);
  if(torture)
    abort();
  _exit(97);
}

/* a lookup thread that was abandoned may still hold its socket: it gets 5 s to end */
static int descriptors_left(int before)
{
  int left = open_descriptors();
  for(int i = 0; i < 500 && left > before; i++) {
    usleep(10000);
    left = open_descriptors();
  }
  return left - before;
}

static int run(int global)
{
  int rc, before;
  script_fd = script_open();
  before = open_descriptors();
  if(global && curl_global_init(CURL_GLOBAL_DEFAULT)) {
    if(!torture)
      return 3;
    log_code("noglobal", "", "", 0);
    global = 0;
  }
  log_begin("version");
  log_text(curl_version());
  log_end();
  rc = script_run();
  if(torture)
    torture_after();
  objects_free();
  kept_free();
  if(global)
    curl_global_cleanup();
  int left = descriptors_left(before);
  if(torture)
    torture_figures();
  log_begin("end");
  log_num(left);
  log_num(violations);
  log_end();
  return rc;
}

int main(int argc, char **argv)
{
  int global = 1, zygote = -1, rc;
  unsigned seconds = 20;
  default_way = WAY_EASY;
  system_start();
  for(int i = 1; i < argc; i++) {
    if(!strcmp(argv[i], "--way") && i + 1 < argc) {
      int way = way_by_name(argv[++i]);
      if(way < 0)
        return 2;
      default_way = (enum way)way;
    }
    else if(!strcmp(argv[i], "--seconds") && i + 1 < argc)
      seconds = (unsigned)atoi(argv[++i]);
    else if(!strcmp(argv[i], "--tls") && i + 1 < argc) {
      if(curl_global_sslset((curl_sslbackend)-1, argv[++i], NULL) != CURLSSLSET_OK)
        return 2;
    }
    else if(!strcmp(argv[i], "--no-global"))
      global = 0;
    else if(!strcmp(argv[i], "--zygote") && i + 1 < argc)
      zygote = atoi(argv[++i]);
    else
      return 2;
  }
  if(zygote >= 0) {
    rc = zygote_serve(zygote, &seconds);
    if(rc >= 0)
      return rc;
  }
  system_alarm(seconds, on_alarm);
  return run(global);
}
