/* run.c: runs worlds, and makes the tape of one that breaks a rule short.
 *
 *   sim [--seed FIRST] [--count N]   worlds of seeds FIRST to FIRST + N - 1
 *   sim --replay SEED                one world, with its whole tape
 *
 * Worlds run in a process of their own, which ends with the first rule that is broken, be it by a crash.
 * This one reads what was drawn from memory that both share, tries shorter tapes in further processes,
 * prints the shortest that breaks the same rule, and goes on with the next seed. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "plan.h"
#include "port/sim/sim.h"
#include "scene.h"

#define TRIES 3000   /* shorter tapes of one seed */
#define PATIENCE 20  /* processor seconds of a few worlds: the library turns in a circle */
#define AGAIN 64     /* every so many worlds one is run twice */
#define FAILURES 20  /* after which the rest is left */

/* What both processes see. */
static struct shared {
  uint64_t seed;      /* of the world that runs */
  uint64_t worlds, transfers, good, simulated;
  char rule[100];     /* that was broken */
  size_t drawn;
  struct mote_sim_drawn tape[MOTE_SIM_TAPE];
} *shared;

static void save_tape(void)
{
  const struct mote_sim_drawn *tape = mote_sim_tape(&shared->drawn);
  memcpy(shared->tape, tape, shared->drawn * sizeof *tape);
}

_Noreturn void mote_sim_broken(const char *rule)
{
  snprintf(shared->rule, sizeof shared->rule, "%s", rule);
  save_tape();
  if(getenv("SIM_ABORT")) /* for a debugger */
    abort();
  _exit(1);
}

static void on_signal(int number)
{
  snprintf(shared->rule, sizeof shared->rule, "signal %d", number);
  save_tape();
  _exit(1);
}

/* The sanitizers' own end, with their report. */
void __asan_on_error(void);
void __asan_on_error(void)
{
  snprintf(shared->rule, sizeof shared->rule, "a sanitizer's finding");
  save_tape();
}

/* Of the processor: a machine that is busy elsewhere says nothing of the library. */
static void watch_time(void)
{
  const struct itimerval once = { .it_value = { .tv_sec = PATIENCE } };
  (void)setitimer(ITIMER_VIRTUAL, &once, NULL);
}

static void child_begins(void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM };
  size_t i;
  if(!getenv("SIM_ABORT"))
    for(i = 0; i < sizeof numbers / sizeof *numbers; i++)
      signal(numbers[i], on_signal);
  shared->rule[0] = 0;
  shared->drawn = 0;
  memory_begin(0);
  memory_init();
}

/* ---- many worlds ---- */

static double clock_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The tape of the world before is in `shared`. */
static void look_at_tapes(void)
{
  size_t count, i;
  const struct mote_sim_drawn *tape = mote_sim_tape(&count);
  for(i = 0; i < count && i < shared->drawn; i++)
    if(tape[i].value != shared->tape[i].value || strcmp(tape[i].what, shared->tape[i].what)) {
      printf("  draw %zu was \"%s\": %" PRIu32 ", and is \"%s\": %" PRIu32 " again\n", i,
             shared->tape[i].what, shared->tape[i].value, tape[i].what, tape[i].value);
      fflush(stdout);
      mote_sim_broken("a seed is not the same again");
    }
}

static void run_worlds(uint64_t first, uint64_t end)
{
  struct scene one, again;
  uint64_t before = shared->transfers;
  child_begins();
  for(shared->seed = first; shared->seed < end; shared->seed++) {
    if(!(shared->seed % AGAIN))
      watch_time();
    mote_sim_begin(shared->seed);
    scene_run(&one);
    shared->worlds++;
    shared->transfers += one.transfers;
    shared->good += one.good;
    shared->simulated += (uint64_t)one.simulated;
    if(shared->seed % AGAIN)
      continue;
    save_tape();
    mote_sim_begin(shared->seed);
    scene_run(&again);
    look_at_tapes();
    if(one.trace != again.trace)
      mote_sim_broken("a seed is not the same again");
  }
  printf("%.0f transfers per second of processor time\n",
         (double)(shared->transfers - before) / clock_seconds());
}

/* ---- one tape made short ---- */

/* True when the world of this tape breaks that rule. */
static bool breaks(const struct mote_sim_drawn *tape, size_t count, const char *rule)
{
  int status;
  pid_t child = fork();
  if(!child) {
    struct scene s;
    (void)freopen("/dev/null", "w", stderr);
    child_begins();
    watch_time();
    mote_sim_play(tape, count);
    scene_run(&s);
    _exit(0);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status && !strcmp(shared->rule, rule);
}

/* Makes `n` numbers of the tape from `at` on ordinary, if the rule stays broken. */
static bool simplify(struct mote_sim_drawn *tape, size_t count, size_t at, size_t n, const char *rule)
{
  struct mote_sim_drawn *kept = malloc(n * sizeof *kept);
  bool changes = false, stays;
  size_t i;
  if(!kept)
    return false;
  memcpy(kept, tape + at, n * sizeof *kept);
  for(i = 0; i < n; i++) {
    changes = changes || tape[at + i].value;
    tape[at + i].value = 0;
  }
  stays = changes && breaks(tape, count, rule);
  if(!stays)
    memcpy(tape + at, kept, n * sizeof *kept);
  free(kept);
  return stays;
}

/* Tries ever smaller pieces, as long as one of them helped. */
static void shorten(struct mote_sim_drawn *tape, size_t *count, const char *rule)
{
  unsigned tries = 0;
  bool helped;
  do {
    size_t n, at;
    helped = false;
    for(n = *count; n; n /= 2)
      for(at = 0; at < *count && tries < TRIES; at += n, tries++)
        helped = simplify(tape, *count, at, *count - at < n ? *count - at : n, rule) || helped;
    while(*count && !tape[*count - 1].value)
      --*count;
  } while(helped && tries < TRIES);
}

/* The texts of a tape that was played are those of the world that it made. */
static void print_tape(const struct mote_sim_drawn *tape, size_t count, const char *rule)
{
  size_t i;
  (void)breaks(tape, count, rule);
  for(i = 0; i < shared->drawn; i++)
    if(shared->tape[i].value)
      printf("  %4zu  %s: %" PRIu32 "\n", i, shared->tape[i].what, shared->tape[i].value);
}

static void report(uint64_t seed)
{
  static struct mote_sim_drawn tape[MOTE_SIM_TAPE];
  size_t count = shared->drawn;
  char rule[sizeof shared->rule];
  memcpy(rule, shared->rule, sizeof rule);
  memcpy(tape, shared->tape, count * sizeof *tape);
  printf("seed %" PRIu64 ": %s\n", seed, rule);
  fflush(stdout);
  if(!breaks(tape, count, rule)) {
    printf("  it is not so when its tape is played\n");
    return;
  }
  shorten(tape, &count, rule);
  print_tape(tape, count, rule);
  fflush(stdout);
}

/* ---- the program ---- */

static int run_all(uint64_t first, uint64_t count)
{
  uint64_t next = first, end = first + count;
  unsigned failures = 0;
  while(next < end && failures < FAILURES) {
    int status = 0;
    pid_t child = fork();
    if(!child) {
      run_worlds(next, end);
      exit(0);
    }
    if(child < 0 || waitpid(child, &status, 0) != child)
      return 2;
    if(!status)
      break;
    failures++;
    next = shared->seed + 1;
    if(!shared->rule[0])
      snprintf(shared->rule, sizeof shared->rule, "the process ended with status %d", status);
    report(next - 1);
  }
  printf("%" PRIu64 " worlds, %" PRIu64 " transfers (%" PRIu64 " good), %" PRIu64 " simulated seconds, ",
         shared->worlds, shared->transfers, shared->good, shared->simulated / 1000000);
  printf("%u failed\n", failures);
  return failures ? 1 : 0;
}

static int replay(uint64_t seed)
{
  struct scene s;
  size_t i;
  pid_t child = fork();
  int status;
  if(!child) {
    child_begins();
    mote_sim_begin(seed);
    scene_run(&s);
    save_tape();
    _exit(0);
  }
  if(child < 0 || waitpid(child, &status, 0) != child)
    return 2;
  for(i = 0; i < shared->drawn; i++)
    printf("%5zu  %s: %" PRIu32 "\n", i, shared->tape[i].what, shared->tape[i].value);
  printf("seed %" PRIu64 ": %s\n", seed, status ? shared->rule : "passed");
  return status ? 1 : 0;
}

int main(int argc, char **argv)
{
  uint64_t first = 1, count = 1000;
  int i;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if(shared == MAP_FAILED)
    return 2;
  pattern_init();
  for(i = 1; i + 1 < argc; i += 2) {
    uint64_t value = strtoull(argv[i + 1], NULL, 10);
    if(!strcmp(argv[i], "--replay"))
      return replay(value);
    if(!strcmp(argv[i], "--seed"))
      first = value;
    else if(!strcmp(argv[i], "--count"))
      count = value;
  }
  return run_all(first, count);
}
