#include "tool/exec/exec.h"
#include "tool/show/messages.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LINE_MAX_READ 256 /* the kernel reads as much of a script's first line */

enum kind { KIND_DYNAMIC, KIND_STATIC, KIND_SCRIPT, KIND_OTHER_MACHINE, KIND_NONE };

static bool reads_at(int fd, void *p, size_t size, off_t at)
{
  return pread(fd, p, size, at) == (ssize_t)size;
}

/* The command's own header says what programs of this machine are. */
static bool is_of_this_machine(const ElfW(Ehdr) *head)
{
  ElfW(Ehdr) own;
  int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool known = fd >= 0 && reads_at(fd, &own, sizeof own, 0);
  if(fd >= 0)
    close(fd);
  return !known || (own.e_machine == head->e_machine && !memcmp(own.e_ident, head->e_ident, EI_VERSION));
}

/* A program that asks for a dynamic linker has a header that names it. */
static enum kind kind_of_elf(int fd)
{
  ElfW(Ehdr) head;
  ElfW(Phdr) row;
  unsigned i;
  if(!reads_at(fd, &head, sizeof head, 0))
    return KIND_NONE;
  if(!is_of_this_machine(&head))
    return KIND_OTHER_MACHINE;
  for(i = 0; i < head.e_phnum; i++)
    if(reads_at(fd, &row, sizeof row, (off_t)(head.e_phoff + (size_t)i * head.e_phentsize)) &&
       row.p_type == PT_INTERP)
      return KIND_DYNAMIC;
  return KIND_STATIC;
}

/* line: the interpreter of a script, on KIND_SCRIPT. */
static enum kind kind_of(int fd, char line[LINE_MAX_READ])
{
  ssize_t n = pread(fd, line, LINE_MAX_READ - 1, 0);
  char *name = line + 2;
  line[n > 0 ? n : 0] = '\0';
  if(n >= SELFMAG && !memcmp(line, ELFMAG, SELFMAG))
    return kind_of_elf(fd);
  if(strncmp(line, "#!", 2))
    return KIND_NONE;
  name += strspn(name, " \t");
  name[strcspn(name, " \t\r\n")] = '\0';
  memmove(line, name, strlen(name) + 1);
  return KIND_SCRIPT;
}

/* The dynamic linker ignores our variables then, as it has to. It does not where the user has these rights
 * anyway: root all capabilities, and each user those of their own programs. */
static bool has_privileges(int fd)
{
  struct stat st;
  if(!fstat(fd, &st) && (((st.st_mode & S_ISUID) && st.st_uid != getuid()) ||
                         ((st.st_mode & S_ISGID) && st.st_gid != getgid())))
    return true;
  return getuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

static int judge_file(int fd, const char *path, const char *name, bool is_interpreter)
{
  char line[LINE_MAX_READ];
  enum kind kind = kind_of(fd, line);
  const char *why = kind == KIND_STATIC          ? "is linked statically, and loads no library"
                    : kind == KIND_OTHER_MACHINE ? "is a program of another machine"
                    : has_privileges(fd)
                      ? "has more rights than its user (set-uid, set-gid or capabilities), and "
                        "such a program loads no other libraries than its own"
                      : NULL;
  if(kind == KIND_SCRIPT)
    return is_interpreter ? 0 : mote_cli_exec_judge(line, NULL);
  if(!why)
    return 0; /* what is no program at all is the kernel's to refuse */
  mote_cli_error("exec: %s %s", name ? name : path, why);
  return EXEC_REFUSED;
}

int mote_cli_exec_judge(const char *path, const char *name)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC), status;
  if(fd < 0)
    return 0; /* executable, not readable: it may run */
  status = judge_file(fd, path, name, !name);
  close(fd);
  return status;
}
