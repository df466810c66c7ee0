#define _GNU_SOURCE
#include "lanes.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#if ROWCAST_HOOKS

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: What the runtime exports. Weak: a program without the runtime links, and has no schedules.

typedef SWIFT void Enqueue(void *job);
typedef SWIFT void EnqueueAfter(unsigned long long delay, void *job);
typedef SWIFT SchedulesExecutor MainExecutor(void);

extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *, Enqueue *) __attribute__((weak));
extern SWIFT void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long, void *, EnqueueAfter *)
  __attribute__((weak));
extern SWIFT void (*swift_task_enqueueMainExecutor_hook)(void *, Enqueue *) __attribute__((weak));
extern SWIFT SchedulesExecutor (*swift_task_getMainExecutor_hook)(MainExecutor *) __attribute__((weak));

extern SWIFT void swift_get_time(void) __attribute__((weak));
extern SWIFT void swift_task_cancel(void *task);
extern void *swift_retain(void *object);
extern void swift_release(void *object);
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern char *swift_demangle(const char *, size_t, char *, size_t *, uint32_t);

// MARK: The end of the process

// The line that repeats the schedule of this thread. A handler of signals may only copy it.
static _Thread_local char lastLine[4096];
static _Thread_local size_t lastLength;
static const char *lineFile;

void schedules_note(const char *text, size_t length) {
  lastLength = 0;
  if (length > sizeof lastLine) length = sizeof lastLine;
  memcpy(lastLine, text, length);
  lastLength = length;
}

static const int deadly[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
enum { deadlyCount = sizeof deadly / sizeof *deadly };
static struct sigaction formerActions[deadlyCount];

void schedules_forgetLine(void) { lastLength = 0; }

static void tellLine(int number, siginfo_t *info, void *context) {
  size_t length = lastLength;
  lastLength = 0;
  if (length && write(2, lastLine, length) < 0) {}
  if (length && lineFile) {
    int file = open(lineFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, lastLine, length) < 0) {}
    if (file >= 0) close(file);
  }
  // The former handler, which may print a backtrace, or the default ends the process: a fault by running again.
  for (int place = 0; place < deadlyCount; place++) {
    if (deadly[place] == number) sigaction(number, &formerActions[place], NULL);
  }
  if (info->si_code <= 0) raise(number);
}

static void watchSignals(void) {
  lineFile = getenv("ROWCAST_SCHEDULE_FILE");
  struct sigaction action = {.sa_sigaction = tellLine, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int place = 0; place < deadlyCount; place++) sigaction(deadly[place], &action, &formerActions[place]);
}

// A stack that overflowed has no room for the handler.
void schedules_prepareThread(void) {
  static _Thread_local char memory[32768];
  stack_t former;
  if (sigaltstack(NULL, &former) == 0 && (former.ss_flags & SS_DISABLE)) {
    sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = sizeof memory}, NULL);
  }
}

// MARK: Hooks

static SWIFT void enqueueGlobal(void *job, Enqueue *original) {
  if (current) {
    current->enqueue(current->context, job, false);
  } else {
    original(job);
  }
}

static SWIFT void enqueueGlobalWithDelay(unsigned long long delay, void *job, EnqueueAfter *original) {
  if (current) {
    current->enqueueAfter(current->context, job, delay);
  } else {
    original(delay, job);
  }
}

static SWIFT void enqueueMain(void *job, Enqueue *original) {
  if (current) {
    current->enqueue(current->context, job, true);
  } else {
    original(job);
  }
}

static SWIFT SchedulesExecutor mainExecutor(MainExecutor *original) { return current ? current->main : original(); }

// MARK: Time

// The runtime reads its clocks through this function; on a schedule they show the virtual time, which began when the hooks were
// set. All other callers of the C library's function see the real time.
enum { clockLimit = 16, getTimeSize = 128 };
static int (*originalGetTime)(clockid_t clock, struct timespec *time);
static struct timespec starts[clockLimit];

// Weak, so that a program may have its own; a sanitizer has a weak one, before which this is to stand, also while it is set up.
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define REPLACES __attribute__((disable_sanitizer_instrumentation))
#else
#define REPLACES __attribute__((weak))
#endif

REPLACES int clock_gettime(clockid_t clock, struct timespec *time) {
  uintptr_t distance = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&swift_get_time;
  if (current && distance < getTimeSize && clock >= 0 && clock < clockLimit) {
    uint64_t nanoseconds = starts[clock].tv_nsec + current->now(current->context);
    *time = (struct timespec){starts[clock].tv_sec + nanoseconds / 1000000000, nanoseconds % 1000000000};
    return 0;
  }
  return originalGetTime ? originalGetTime(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

// MARK: Locks

enum { lockLimit = 64 };
static _Thread_local uintptr_t locks[lockLimit];
static _Thread_local int lockCount;

const uintptr_t *schedules_locks(int *count) {
  *count = lockCount > lockLimit ? -1 : lockCount;
  return locks;
}

void schedules_forgetLocks(void) { lockCount = 0; }

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
bool schedules_notesLocks(void) { return false; }
#else
bool schedules_notesLocks(void) { return true; }

// Async streams, task groups, and most libraries lock their state by this function.
__attribute__((weak)) int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*original)(pthread_mutex_t *mutex);
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  if (current && current->notesLocks) {
    if (lockCount < lockLimit) locks[lockCount] = (uintptr_t)mutex;
    if (lockCount <= lockLimit) lockCount++;
  }
  return original(mutex);
}
#endif

void schedules_install(void) {
  watchSignals();
  for (clockid_t clock = 0; clock < clockLimit; clock++) clock_gettime(clock, &starts[clock]);
  swift_task_enqueueGlobal_hook = enqueueGlobal;
  swift_task_enqueueGlobalWithDelay_hook = enqueueGlobalWithDelay;
  swift_task_enqueueMainExecutor_hook = enqueueMain;
  swift_task_getMainExecutor_hook = mainExecutor;
}

// MARK: Creating tasks

// An unstructured task does not inherit the executor of the task that creates it, and hops of a task without one are
// invisible: it takes over the actors that are free. This function stands before the runtime's, whose body it repeats;
// a task that is created on a schedule gets the schedule's executor. It is weak, so that a program that links the
// runtime statically keeps the runtime's.

typedef struct {
  int32_t function;
  uint32_t contextSize;
} AsyncFunctionPointer;

typedef struct {
  void *task;
  void *context;
} TaskAndContext;

typedef struct Option {
  size_t flags;
  const struct Option *parent;
  uintptr_t values[2];
} Option;

enum { taskExecutorOption = 5, ownedTaskExecutorOption = 6, nameOption = 7 };

extern SWIFT TaskAndContext swift_task_create_common(
  size_t flags, const Option *options, const void *resultType, const void *function, void *closure, size_t contextSize);

enum { callerLimit = 16 };

// Follows the frames of this thread; Swift marks those of asynchronous functions by a bit of the address.
static void collectCallers(uintptr_t *callers) {
  const uintptr_t *frame = __builtin_frame_address(0);
  int count = 0;
  while (count < callerLimit) {
    callers[count++] = frame[1];
    const uintptr_t *next = (const uintptr_t *)(frame[0] & ~(1ull << 60));
    if (next <= frame || (uintptr_t)next - (uintptr_t)frame > 1 << 20) break;
    frame = next;
  }
  callers[count] = 0;
}

__attribute__((weak)) SWIFT TaskAndContext swift_task_create(
  size_t flags, const Option *options, const void *resultType, const AsyncFunctionPointer *closure, void *context
) {
  const char *function = (const char *)closure + closure->function;
  const SchedulesLane *lane = current;
  if (!lane) return swift_task_create_common(flags, options, resultType, function, context, closure->contextSize);
  const char *name = NULL;
  bool hasExecutor = false;
  for (const Option *option = options; option; option = option->parent) {
    unsigned kind = option->flags & 0xFF;
    if (kind == nameOption) name = (const char *)option->values[0];
    if ((kind == taskExecutorOption || kind == ownedTaskExecutorOption) && option->values[0] &&
        option->values[0] != lane->tasks.identity) {
      hasExecutor = true;
    }
  }
  Option executor = {taskExecutorOption, options, {lane->tasks.identity, lane->tasks.witnesses}};
  TaskAndContext created = swift_task_create_common(
    flags, hasExecutor ? options : &executor, resultType, function, context, closure->contextSize);
  uintptr_t callers[callerLimit + 1];
  collectCallers(callers);
  lane->create(lane->context, created.task, name, hasExecutor, callers);
  return created;
}

// MARK: Entering actors

// A task that hops to an actor enqueues itself there at once, in the job that led to the hop; and an actor runs all that
// it has in one job. On a schedule each entry of an actor is a job of its own: the task first goes to an executor of the
// schedule, and to the actor when it is chosen. This function stands before the runtime's, and ends in it.

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

typedef ASYNC void Resume(CONTEXT void *context);
typedef ASYNC void Switch(CONTEXT void *context, Resume *function, uintptr_t identity, uintptr_t witnesses);

// A frame as the runtime expects it, and where the task was going.
typedef struct {
  void *parent;
  Resume *parentFunction;
  void *context;
  Resume *function;
  uintptr_t actor;
} Entry;

extern SWIFT void *swift_task_alloc(size_t size);
extern SWIFT void swift_task_dealloc(void *memory);
extern SWIFT SchedulesExecutor swift_task_getCurrentExecutor(void);
static Switch *originalSwitch;
static SWIFT SchedulesExecutor (*originalGlobalExecutor)(void);

// The next definition after this program's own is the runtime's.
__attribute__((constructor)) static void findOriginals(void) {
  *(void **)&originalGetTime = dlsym(RTLD_NEXT, "clock_gettime");
  *(void **)&originalSwitch = dlsym(RTLD_NEXT, "swift_task_switch");
  *(void **)&originalGlobalExecutor = dlsym(RTLD_NEXT, "$ss24globalConcurrentExecutorSch_pvg");
}

static ASYNC void enter(CONTEXT void *context) {
  Entry entry = *(Entry *)context;
  swift_task_dealloc(context);
  return originalSwitch(entry.context, entry.function, entry.actor, 0);
}

__attribute__((weak)) ASYNC void swift_task_switch(
  CONTEXT void *context, Resume *function, uintptr_t identity, uintptr_t witnesses
) {
  const SchedulesLane *lane = current;
  // A task that is on the actor already stays there, without a suspension.
  if (!lane || !identity || witnesses || swift_task_getCurrentExecutor().identity == identity) {
    return originalSwitch(context, function, identity, witnesses);
  }
  Entry *entry = swift_task_alloc(sizeof(Entry));
  *entry = (Entry){context, function, context, function, identity};
  return originalSwitch(entry, enter, lane->gate.identity, lane->gate.witnesses);
}

// `globalConcurrentExecutor`, for tasks that prefer it: the runtime's object has a queue of its own.
SWIFT SchedulesExecutor globalExecutor(void) __asm__("$ss24globalConcurrentExecutorSch_pvg");
__attribute__((weak)) SWIFT SchedulesExecutor globalExecutor(void) {
  if (!current) return originalGlobalExecutor();
  swift_retain((void *)current->tasks.identity);
  return current->tasks;
}

bool schedules_areSupported(void) {
  // A program that links the runtime statically has no other definition than the runtime's.
  return &swift_task_enqueueGlobal_hook && &swift_task_getMainExecutor_hook && originalSwitch && originalGlobalExecutor;
}

// MARK: What stands in a job (swift/ABI/Task.h)

enum {
  flagsOffset = 0x20, resumptionOffset = 0x38, contextOffset = 0x40, statusOffset = 0x60, dependencyOffset = 0xA0,
  actorJobOffset = 0x30, actorOffset = 0x40,
  statusCancelled = 0x100, statusComplete = 0x2000, statusDependency = 0x4000,
};

bool schedules_isAsyncLet(const void *task) { return ((const uint8_t *)task)[flagsOffset + 3] & 0x10; }

static uintptr_t word(const void *object, size_t offset) {
  return *(const uintptr_t *)((const char *)object + offset);
}

static bool isEntering(const void *task) { return word(task, resumptionOffset) == (uintptr_t)&enter; }

int schedules_backtrace(const void *task, uintptr_t *functions, int limit) {
  int count = 0;
  uintptr_t function = word(task, resumptionOffset), context = word(task, contextOffset);
  if (isEntering(task)) {
    const Entry *entry = (const Entry *)context;
    function = (uintptr_t)entry->function;
    context = (uintptr_t)entry->context;
  }
  if (count < limit) functions[count++] = function;
  for (; context && count < limit; context = word((void *)context, 0)) {
    functions[count++] = word((void *)context, sizeof(uintptr_t));
  }
  return count;
}

static uint32_t status(const void *task) {
  return atomic_load((const _Atomic uint32_t *)((const char *)task + statusOffset));
}

bool schedules_isComplete(const void *task) { return status(task) & statusComplete; }
bool schedules_isCancelled(const void *task) { return status(task) & statusCancelled; }

int schedules_dependency(const void *task, uintptr_t *object) {
  if (!(status(task) & statusDependency)) return 0;
  uintptr_t record = word(task, dependencyOffset);
  if (!record) return 0;
  *object = word((void *)record, 0x10);
  int kind = *(const int32_t *)((const char *)record + 0x20);
  bool isCustom = kind == 4 && word((void *)record, 0x18);
  bool isOurs = current && (*object == current->main.identity || *object == current->gate.identity);
  return !isCustom ? kind : isOurs ? 6 : 5;
}

uintptr_t schedules_actor(const void *job) {
  // The job of an actor stands in it, or points to it.
  return schedules_kind(job) == 192 ? (uintptr_t)job - actorJobOffset : word(job, actorOffset);
}

uintptr_t schedules_entered(const void *task) {
  return isEntering(task) ? ((const Entry *)word(task, contextOffset))->actor : 0;
}

void schedules_cancel(void *task) { swift_task_cancel(task); }
void schedules_retain(void *object) { swift_retain(object); }
void schedules_release(void *object) { swift_release(object); }
void schedules_retainMemory(void *object) { swift_unownedRetain(object); }
void schedules_releaseMemory(void *object) { swift_unownedRelease(object); }

char *schedules_demangle(const char *mangled, uintptr_t length) {
  return swift_demangle(mangled, length, NULL, NULL, 0);
}

uintptr_t schedules_anchor(void) { return (uintptr_t)&schedules_anchor; }

#else

// Nothing is known of the runtime: tasks are told apart, and nothing is read of them.

bool schedules_areSupported(void) { return false; }
void schedules_install(void) {}
bool schedules_notesLocks(void) { return false; }
const uintptr_t *schedules_locks(int *count) { return NULL; }
void schedules_forgetLocks(void) {}
void schedules_note(const char *text, size_t length) {}
void schedules_prepareThread(void) {}
void schedules_forgetLine(void) {}
bool schedules_isAsyncLet(const void *task) { return true; }
int schedules_backtrace(const void *task, uintptr_t *functions, int limit) { return 0; }
bool schedules_isComplete(const void *task) { return false; }
bool schedules_isCancelled(const void *task) { return false; }
int schedules_dependency(const void *task, uintptr_t *object) { return 0; }
uintptr_t schedules_actor(const void *job) { return 0; }
uintptr_t schedules_entered(const void *task) { return 0; }
void schedules_cancel(void *task) {}
void schedules_retain(void *object) {}
void schedules_release(void *object) {}
void schedules_retainMemory(void *object) {}
void schedules_releaseMemory(void *object) {}
char *schedules_demangle(const char *mangled, uintptr_t length) { return NULL; }
uintptr_t schedules_anchor(void) { return 0; }

#endif
