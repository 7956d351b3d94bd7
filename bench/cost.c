/* cost FILE PROGRAM [ARGUMENT ...]: runs the program and writes its time and peak resident memory to FILE.
 * Small itself, because a child's peak includes what it had of its parent before exec. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
  return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
  struct timespec a;
  struct timespec b;
  struct rusage r;
  FILE *out;
  int status;
  pid_t pid;
  if(argc < 3)
    return 2;
  clock_gettime(CLOCK_MONOTONIC, &a);
  pid = vfork();
  if(!pid) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  if(pid < 0 || wait4(pid, &status, 0, &r) != pid)
    return 2;
  clock_gettime(CLOCK_MONOTONIC, &b);
  out = fopen(argv[1], "w");
  if(!out)
    return 2;
  fprintf(out, "cost clock=%.6f user=%.6f system=%.6f resident_kb=%ld\n",
          (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9, seconds(r.ru_utime),
          seconds(r.ru_stime), r.ru_maxrss);
  fclose(out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
