/* tests/coverage/replay.c: main of a fuzz target without a fuzzer. It runs each file that it is given, as a
 * fuzzer runs its seeds. Exit status 1: a file cannot be read. */
#include <stdio.h>
#include <stdlib.h>

#include "../../fuzz/fuzz.h"

static int replay_file(const char *name)
{
  static uint8_t bytes[1 << 20];
  uint8_t *copy;
  size_t n;
  FILE *f = fopen(name, "rb");
  if(!f) {
    perror(name);
    return EXIT_FAILURE;
  }
  n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  copy = copy_of(bytes, n);
  LLVMFuzzerTestOneInput(copy, n);
  free(copy);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  int status = EXIT_SUCCESS;
  int i;
  for(i = 1; i < argc; i++)
    status |= replay_file(argv[i]);
  return status;
}
