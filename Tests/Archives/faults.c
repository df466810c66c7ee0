// The system calls of archives, which can fail. They are found before those of the C library, since they are in the program itself.
#define _GNU_SOURCE
#include "faults.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// What the copies of the process write, and this one reads.
static struct { int count; bool hit; char calls[4096]; } *report;
static char folder[4096];
static enum fault armed;
static int armed_code, first_call;
static const char *lasting_calls;
static bool is_ours[1024];

void faults_arm(const char *path, enum fault fault, int code, int first, const char *lasting) {
  if (!report) report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  memset(report, 0, sizeof *report);
  strncpy(folder, path, sizeof folder - 1);
  armed = fault;
  armed_code = code;
  first_call = first;
  lasting_calls = lasting;
}
int faults_count(void) { return report->count; }
const char *faults_calls(void) { return report->calls; }
bool faults_hit(void) { return report->hit; }
int faults_open(void) {
  int open = 0;
  for (int i = 0; i < 1024; i++) open += is_ours[i];
  return open;
}

static bool has_path(const char *path) { return folder[0] && path && strncmp(path, folder, strlen(folder)) == 0; }
static bool has_descriptor(int descriptor) { return folder[0] && descriptor >= 0 && descriptor < 1024 && is_ours[descriptor]; }

// The fault of a call, which is counted.
static enum fault fault(bool is_counted, char call) {
  if (!is_counted) return FAULT_NONE;
  int number = __atomic_add_fetch(&report->count, 1, __ATOMIC_SEQ_CST);
  if (number < (int)sizeof report->calls) report->calls[number - 1] = call;
  if (armed == FAULT_NONE) return FAULT_NONE;
  if (lasting_calls ? number < first_call || !strchr(lasting_calls, call) : number != first_call) return FAULT_NONE;
  report->hit = true;
  if (armed == FAULT_KILL_BEFORE) kill(getpid(), SIGKILL);
  return armed;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
// Makes a call with its fault. One that was done is undone where the caller cannot know of it.
#define CALL(type, failure, is_counted, letter, real, half, undo)    \
  {                                                                  \
    enum fault f = fault(is_counted, letter);                        \
    if (f == FAULT_ERROR) { errno = armed_code; return failure; }    \
    type result = f == FAULT_SHORT ? (half) : (real);                \
    if (f == FAULT_KILL_AFTER) kill(getpid(), SIGKILL);              \
    if (f == FAULT_ERROR_AFTER) { undo; errno = armed_code; return failure; } \
    return result;                                                   \
  }
#define SIMPLE(is_counted, letter, real) CALL(int, -1, is_counted, letter, real, real, )

static int note(int descriptor, bool is_counted) {
  if (descriptor >= 0 && descriptor < 1024) is_ours[descriptor] = is_counted;
  return descriptor;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  bool is_counted = has_path(path);
  CALL(int, -1, is_counted, flags & O_CREAT ? 'c' : 'o', note(REAL(open)(path, flags, mode), is_counted),
    note(REAL(open)(path, flags, mode), is_counted), if (result >= 0) REAL(close)(note(result, false)))
}

int close(int descriptor) {
  bool is_counted = has_descriptor(descriptor);
  if (is_counted) is_ours[descriptor] = false;
  enum fault f = fault(is_counted, 'x');
  // It is closed in any case.
  int result = REAL(close)(descriptor);
  if (f == FAULT_KILL_AFTER) kill(getpid(), SIGKILL);
  if (f == FAULT_ERROR || f == FAULT_ERROR_AFTER) { errno = armed_code; return -1; }
  return result;
}

int stat(const char *restrict path, struct stat *restrict s) SIMPLE(has_path(path), 's', REAL(stat)(path, s))
int lstat(const char *restrict path, struct stat *restrict s) SIMPLE(has_path(path), 'l', REAL(lstat)(path, s))
int fstat(int descriptor, struct stat *s) SIMPLE(has_descriptor(descriptor), 'f', REAL(fstat)(descriptor, s))
int flock(int descriptor, int operation)
  CALL(int, -1, has_descriptor(descriptor), 'k', REAL(flock)(descriptor, operation), 0, REAL(flock)(descriptor, LOCK_UN))
int ftruncate(int descriptor, off_t size) SIMPLE(has_descriptor(descriptor), 't', REAL(ftruncate)(descriptor, size))
int fsync(int descriptor) SIMPLE(has_descriptor(descriptor), 'y', REAL(fsync)(descriptor))
int fchmod(int descriptor, mode_t mode) SIMPLE(has_descriptor(descriptor), 'm', REAL(fchmod)(descriptor, mode))
int rename(const char *path, const char *name) SIMPLE(has_path(path), 'r', REAL(rename)(path, name))
int unlink(const char *path) SIMPLE(has_path(path), 'u', REAL(unlink)(path))
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
  CALL(ssize_t, -1, has_descriptor(descriptor), 'w', REAL(pwrite)(descriptor, bytes, count, offset),
    REAL(pwrite)(descriptor, bytes, (count + 1) / 2, offset), )
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset)
  CALL(ssize_t, -1, has_descriptor(descriptor), 'p', REAL(pread)(descriptor, bytes, count, offset),
    REAL(pread)(descriptor, bytes, (count + 1) / 2, offset), )
ssize_t readlink(const char *restrict path, char *restrict target, size_t size)
  CALL(ssize_t, -1, has_path(path), 'n', REAL(readlink)(path, target, size), REAL(readlink)(path, target, size), )
char *realpath(const char *restrict path, char *restrict resolved)
  CALL(char *, NULL, has_path(path), 'a', REAL(realpath)(path, resolved), REAL(realpath)(path, resolved), free(result))
DIR *opendir(const char *path)
  CALL(DIR *, NULL, has_path(path), 'd', REAL(opendir)(path), REAL(opendir)(path), if (result) closedir(result))

// MARK: - Processes

int process_fork(int *input, int *output) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return -1;
  int process = fork();
  if (process == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (int i = 0; i < 2; i++) { REAL(close)(in[i]); REAL(close)(out[i]); }
    return 0;
  }
  // From here on, only the calls of the copy count.
  folder[0] = 0;
  REAL(close)(in[0]);
  REAL(close)(out[1]);
  *input = in[1];
  *output = out[0];
  return process;
}

long process_read(int output, char *buffer, size_t size, int seconds, bool isLine) {
  size_t count = 0;
  while (count < size) {
    struct pollfd request = {.fd = output, .events = POLLIN};
    if (poll(&request, 1, seconds * 1000) == 0) return -1;
    ssize_t part = read(output, buffer + count, isLine ? 1 : size - count);
    if (part <= 0) break;
    count += part;
    if (isLine && buffer[count - 1] == '\n') break;
  }
  return count;
}

int process_end(int process, int input, int output, bool isKilled) {
  int status = 0;
  if (isKilled) kill(process, SIGKILL);
  REAL(close)(input);
  REAL(close)(output);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void process_stop(int process) {
  kill(process, SIGSTOP);
  while (waitpid(process, NULL, WUNTRACED) < 0 && errno == EINTR) {}
}
void process_resume(int process) { kill(process, SIGCONT); }
int process_run(const char *command) { return system(command); }

void process_write(int descriptor, const char *bytes, size_t size) {
  if (write(descriptor, bytes, size) != (ssize_t)size) _exit(3);
}
