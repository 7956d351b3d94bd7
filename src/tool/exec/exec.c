#include "tool/exec/exec.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/transfers/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define USAGE \
  "usage: mote exec [--memory] PROGRAM [ARGUMENT...]\n" \
  "Runs a program that was written for libcurl on this library, and what it starts, too.\n" \
  "  --memory   afterwards, what the library took in each process that used it"

extern char **environ;

static bool exec_is_file(const char *path)
{
  struct stat st;
  return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* A kept text of the three, or NULL after a text for the user. */
static char *exec_text(const char *a, const char *b, const char *c)
{
  char *text = mote_cli_join(a, b, c);
  if(!text)
    mote_cli_error("out of memory");
  return text;
}

/* Where libcurl.so.4 is: beside the command in a build, or where it was installed (MOTE_DROPIN_FROM_BIN is
 * that folder seen from the command's; the build sets it). The caller frees it; NULL after a text for the
 * user. */
static char *find_folder(void)
{
  static const char *const folders[] = { "/drop-in", "/" MOTE_DROPIN_FROM_BIN };
  char self[PATH_MAX], found[PATH_MAX], *slash;
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = '\0';
  slash = strrchr(self, '/');
  if(slash)
    *slash = '\0';
  for(size_t i = 0; slash && i < sizeof folders / sizeof folders[0]; i++) {
    char *folder = exec_text(self, folders[i], ""),
         *library = folder ? exec_text(folder, "/", EXEC_LIBRARY) : NULL;
    bool there = library && exec_is_file(library) && realpath(folder, found);
    mote_cli_free(library);
    mote_cli_free(folder);
    if(there)
      return exec_text(found, "", "");
  }
  mote_cli_error("exec: " EXEC_LIBRARY " is neither in drop-in/ beside the command nor installed with it "
                 "(make drop-in, make install)");
  return NULL;
}

/* The program's file as the shell finds it. The caller frees it; NULL: *status is the exit status, after a
 * text. */
static char *find_program(const char *name, int *status)
{
  const char *path = getenv("PATH"), *end;
  bool seen = false;
  if(strchr(name, '/'))
    path = "";
  for(; path; path = *end ? end + 1 : NULL) {
    char *folder, *file;
    end = strchr(path, ':') ? strchr(path, ':') : path + strlen(path);
    folder = mote_cli_strndup(path, (size_t)(end - path));
    file = folder ? exec_text(folder, *folder ? "/" : "", name) : NULL;
    mote_cli_free(folder);
    if(!file) {
      *status = EXEC_FAILED;
      return NULL;
    }
    if(exec_is_file(file) && !access(file, X_OK))
      return file;
    seen = seen || exec_is_file(file);
    mote_cli_free(file);
  }
  *status = seen ? EXEC_REFUSED : EXEC_NOT_FOUND;
  mote_cli_error(seen ? "exec: %s may not be executed" : "exec: no such program: %s", name);
  return NULL;
}

/* Puts a path in front of what a variable has. */
static bool prepend(const char *variable, const char *path)
{
  const char *old = getenv(variable);
  char *text = exec_text(path, old && *old ? ":" : "", old ? old : "");
  bool good = text && !setenv(variable, text, 1);
  mote_cli_free(text);
  return good;
}

static int cannot_run(const char *file)
{
  int error = errno;
  mote_cli_error("exec: %s: %s", file, strerror(error));
  return error == ENOENT ? EXEC_NOT_FOUND : EXEC_REFUSED;
}

/* A file without a name for long that processes append to by its name; -1 after a text for the user. */
static int open_report(char *path, size_t size)
{
  const char *folder = getenv("TMPDIR");
  char *text = exec_text(folder && *folder ? folder : "/tmp", "/", "mote-exec-XXXXXX");
  int fd = -1;
  if(text && strlen(text) < size) {
    strcpy(path, text); /* it fits */
    fd = mkstemp(path);
    if(fd < 0)
      mote_cli_error("exec: %s: %s", path, strerror(errno));
    else
      (void)fcntl(fd, F_SETFD, FD_CLOEXEC); /* the program has not asked for it */
  }
  mote_cli_free(text);
  return fd;
}

/* Signals that would end this process alone, whose program would go on without it. */
static const int passed_on[] = { SIGTERM, SIGHUP };
enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };
static volatile sig_atomic_t watched; /* the program's process; 0: it has ended */

static void exec_pass_on(int number)
{
  int error = errno;
  if(watched)
    kill((pid_t)watched, number);
  errno = error;
}

/* Starts the program. A signal that comes meanwhile waits until there is a process to pass it on to. One that
 * is ignored (nohup) stays so in both. */
static pid_t exec_start(const char *file, char **argv)
{
  struct sigaction pass = { .sa_handler = exec_pass_on }, before;
  sigset_t block, mask;
  pid_t child;
  sigemptyset(&block);
  for(int i = 0; i < PASSED_ON; i++)
    sigaddset(&block, passed_on[i]);
  sigprocmask(SIG_BLOCK, &block, &mask);
  child = fork();
  if(!child) {
    sigprocmask(SIG_SETMASK, &mask, NULL);
    execve(file, argv, environ);
    _exit(cannot_run(file));
  }
  watched = child > 0 ? (sig_atomic_t)child : 0;
  for(int i = 0; child > 0 && i < PASSED_ON; i++)
    if(!sigaction(passed_on[i], NULL, &before) && before.sa_handler != SIG_IGN)
      sigaction(passed_on[i], &pass, NULL);
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return child;
}

static int wait_for(pid_t child)
{
  int status;
  while(waitpid(child, &status, 0) < 0)
    if(errno != EINTR)
      return EXEC_FAILED;
  watched = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A key that ends the program is the program's affair: this process has the tables to print. */
static int run_watched(const char *folder, const char *file, char **argv)
{
  char report[PATH_MAX];
  /* LD_PRELOAD is split at blanks. A name without a slash is looked for as libraries are. */
  bool blank = strchr(folder, ' ') != NULL;
  char *reporter = exec_text(blank ? "" : folder, blank ? "" : "/", EXEC_REPORTER);
  int fd = open_report(report, sizeof report), status = EXEC_FAILED;
  pid_t child = -1;
  if(reporter && fd >= 0 && prepend("LD_PRELOAD", reporter) && !setenv(EXEC_REPORT_VARIABLE, report, 1))
    child = exec_start(file, argv);
  if(child < 0 && reporter && fd >= 0)
    mote_cli_error("exec: %s cannot be started: %s", file, strerror(errno));
  if(child > 0) {
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    status = wait_for(child);
    if(!mote_cli_exec_print(fd))
      mote_cli_error("exec: the report cannot be read");
  }
  if(fd >= 0) {
    unlink(report);
    close(fd);
  }
  mote_cli_free(reporter);
  return status;
}

/* The dynamic linker splits LD_LIBRARY_PATH at both, and would go on with the system's libcurl. */
static bool can_be_searched(const char *folder)
{
  if(folder && strpbrk(folder, ":;"))
    mote_cli_error("exec: " EXEC_LIBRARY " is in %s, and no program finds it in a folder with ':' or ';' in "
                   "its name", folder);
  return folder && !strpbrk(folder, ":;");
}

static int exec_run(bool memory, char **argv)
{
  int status = EXEC_FAILED;
  char *folder = find_folder(), *file = can_be_searched(folder) ? find_program(argv[0], &status) : NULL;
  if(file)
    status = mote_cli_exec_judge(file, argv[0]);
  if(file && !status) {
    status = EXEC_FAILED;
    signal(SIGPIPE, SIG_DFL);
    if(prepend("LD_LIBRARY_PATH", folder)) {
      if(memory)
        status = run_watched(folder, file, argv);
      else {
        execve(file, argv, environ);
        status = cannot_run(file);
      }
    }
  }
  mote_cli_free(file);
  mote_cli_free(folder);
  return status;
}

int mote_cli_exec(char **argv)
{
  bool memory = false;
  for(; *argv && **argv == '-'; argv++) {
    if(!strcmp(*argv, "--help")) {
      return mote_cli_write_all(1, USAGE "\n", sizeof USAGE) == sizeof USAGE ? 0 : EXEC_FAILED;
    }
    if(!strcmp(*argv, "--")) {
      argv++;
      break;
    }
    if(strcmp(*argv, "--memory")) {
      mote_cli_error("exec: no such option: %s\n" USAGE, *argv);
      return EXEC_FAILED;
    }
    memory = true;
  }
  if(!*argv) {
    mote_cli_error("exec: no program\n" USAGE);
    return EXEC_FAILED;
  }
  return exec_run(memory, argv);
}
