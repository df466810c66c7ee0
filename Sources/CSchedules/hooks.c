#define _GNU_SOURCE
#include "lanes.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#if ROWCAST_HOOKS

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
extern SWIFT void *swift_task_getCurrent(void);
extern void *swift_retain(void *object);
extern void swift_release(void *object);
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern char *swift_demangle(const char *, size_t, char *, size_t *, uint32_t);

// MARK: The end of the process

struct SchedulesLine {
  char *text;
  size_t length, capacity;
};

static const char *lineFile;

void schedules_extend(SchedulesLine *line, const char *text, size_t length) {
  if (line->length + length > line->capacity) {
    size_t capacity = 2 * (line->length + length);
    char *grown = realloc(line->text, capacity);
    if (!grown) return;
    line->text = grown;
    line->capacity = capacity;
  }
  memcpy(line->text + line->length, text, length);
  line->length += length;
}

SchedulesLine *schedules_newLine(const char *head, size_t length) {
  SchedulesLine *line = calloc(1, sizeof(SchedulesLine));
  if (line) schedules_extend(line, head, length);
  return line;
}

void schedules_freeLine(SchedulesLine *line) {
  free(line->text);
  free(line);
}

static const int deadly[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
enum { deadlyCount = sizeof deadly / sizeof *deadly };
static struct sigaction formerActions[deadlyCount];

static void writeLine(int file, const SchedulesLine *line) {
  static const char end[] = "\" repeats it, and shows it reduced\n";
  if (write(file, line->text, line->length) < 0 || write(file, end, sizeof end - 1) < 0) {}
}

static void tellLine(int number, siginfo_t *info, void *context) {
  const SchedulesLane *lane = current;
  current = NULL;
  if (lane && lane->died) {
    lane->died(lane->context, number);
    _exit(0);
  }
  if (lane) {
    writeLine(2, lane->line);
    int file = lineFile ? open(lineFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file >= 0) {
      writeLine(file, lane->line);
      close(file);
    }
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

// MARK: Copies of the process

static int reportFile = -1;

void schedules_report(const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = write(reportFile, text, length);
    if (written <= 0) return;
    text += written;
    length -= written;
  }
}

// What can be read before the time is over; NULL if the other end is still open then.
static char *readAll(int file, int seconds) {
  size_t length = 0, capacity = 4096;
  char *text = malloc(capacity);
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  const time_t end = now.tv_sec + seconds + 1;
  while (text && now.tv_sec < end) {
    struct pollfd ready = {.fd = file, .events = POLLIN};
    if (poll(&ready, 1, 100) > 0) {
      ssize_t count = read(file, text + length, capacity - length - 1);
      if (count <= 0) {
        text[length] = 0;
        return text;
      }
      length += count;
      if (capacity - length < 2) {
        char *grown = realloc(text, capacity *= 2);
        if (!grown) break;
        text = grown;
      }
    }
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  }
  free(text);
  return NULL;
}

char *schedules_inCopy(void (*body)(void *context), void *context, int seconds) {
  int files[2];
  if (pipe(files)) return NULL;
  pid_t copy = fork();
  if (copy == 0) {
    // What the body prints, and what it says when it ends, is to be seen once: from the process itself.
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 1);
    dup2(nothing, 2);
    close(files[0]);
    reportFile = files[1];
    body(context);
    _exit(0);
  }
  close(files[1]);
  char *text = copy > 0 ? readAll(files[0], seconds) : NULL;
  close(files[0]);
  if (copy > 0) {
    kill(copy, SIGKILL);
    waitpid(copy, NULL, 0);
  }
  return text;
}

// MARK: What stands in a job and in an actor (swift/ABI/Task.h, Actor.cpp)

enum {
  // A word that the runtime reserves.
  ownerOffset = 0x30,
  nextOffset = 0x10, flagsOffset = 0x20, resumptionOffset = 0x38, contextOffset = 0x40, statusOffset = 0x60,
  dependencyOffset = 0xA0, actorQueueOffset = 0x28, actorJobOffset = 0x30, actorOffset = 0x40,
  statusCancelled = 0x100, statusComplete = 0x2000, statusDependency = 0x4000,
};

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

// A thread of a schedule that would wait for a lock lets others of the schedule run first, if one of them holds it, or may. If none
// can, a thread outside does, or this is a deadlock.
static bool letOthersRun(int holder) {
  const SchedulesLane *lane = current;
  return lane && lane->sharesLocks && lane->block(lane->context, holder);
}

// The same for a lock that says who holds it. If nobody does, it was given back meanwhile, or is just being taken: by a thread
// outside, as one of the schedule is not left there. The system may have stopped the outside thread for a while.
static bool letHolderRun(int holder, int *tries) {
  if (holder || ++*tries > 10000) return letOthersRun(holder);
  if (*tries > 1000) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  } else {
    sched_yield();
  }
  return true;
}

// The next definition after this program's own is the C library's. Constructors of other libraries call these functions before the
// one below has run, and may have started threads: each of them finds the same function.
static void *originalOf(_Atomic(void *) *known, const char *name) {
  void *found = atomic_load_explicit(known, memory_order_relaxed);
  if (!found) {
    found = dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, found, memory_order_relaxed);
  }
  return found;
}

typedef int LockMutex(pthread_mutex_t *mutex);
typedef long SystemCall(long number, ...);
static _Atomic(void *) lockMutex, tryLockMutex, systemCall;

// Async streams, task groups, and most libraries lock their state by this function.
__attribute__((weak)) int pthread_mutex_lock(pthread_mutex_t *mutex) {
  LockMutex *original = (LockMutex *)originalOf(&lockMutex, "pthread_mutex_lock");
  const SchedulesLane *lane = current;
  if (!lane) return original(mutex);
  if (lane->notesLocks) {
    if (lockCount < lockLimit) locks[lockCount] = (uintptr_t)mutex;
    if (lockCount <= lockLimit) lockCount++;
  }
  LockMutex *tryOriginal = lane->sharesLocks ? (LockMutex *)originalOf(&tryLockMutex, "pthread_mutex_trylock") : NULL;
  int tries = 0;
  while (lane->sharesLocks) {
    int result = tryOriginal(mutex);
    if (result != EBUSY) return result;
    if (!letHolderRun(__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED), &tries)) break;
  }
  return original(mutex);
}

// Other locks wait by this system call: the mutex of `Synchronization`, and queues of Dispatch.
__attribute__((weak)) long syscall(long number, ...) {
  SystemCall *original = (SystemCall *)originalOf(&systemCall, "syscall");
  va_list list;
  va_start(list, number);
  long values[6];
  for (int place = 0; place < 6; place++) values[place] = va_arg(list, long);
  va_end(list);
  const SchedulesLane *lane = current;
  if (number == SYS_futex && lane && lane->sharesLocks) {
    int operation = (int)values[1] & FUTEX_CMD_MASK;
    _Atomic uint32_t *word = (_Atomic uint32_t *)values[0];
    if (operation == FUTEX_LOCK_PI) {
      int kind = (int)values[1] & ~FUTEX_CMD_MASK & ~FUTEX_CLOCK_REALTIME;
      int tries = 0;
      do {
        long result = original(SYS_futex, word, FUTEX_TRYLOCK_PI | kind, 0, NULL, NULL, 0);
        if (result == 0 || errno != EWOULDBLOCK) return result;
      } while (letHolderRun(atomic_load(word) & FUTEX_TID_MASK, &tries));
    } else if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
      // Who waits looks at the word again.
      if (atomic_load(word) == (uint32_t)values[2] && letOthersRun(0)) return 0;
    }
  }
  return original(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}
#endif

bool schedules_canLeave(void) { return schedules_notesLocks(); }

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

enum { serialExecutorOption = 0, taskExecutorOption = 5, ownedTaskExecutorOption = 6, nameOption = 7 };

extern SWIFT TaskAndContext swift_task_create_common(
  size_t flags, const Option *options, const void *resultType, const void *function, void *closure, size_t contextSize);

// Of a task that is to be enqueued; another one runs at once, in the job that creates it.
enum { enqueueFlag = 0x1000 };

enum { callerLimit = 16 };

// Follows the frames of this thread; Swift marks those of asynchronous functions by a bit of the address.
int schedules_callers(uintptr_t *callers, int limit) {
  const uintptr_t *frame = __builtin_frame_address(0);
  int count = 0;
  while (count < limit) {
    callers[count++] = frame[1];
    const uintptr_t *next = (const uintptr_t *)(frame[0] & ~(1ull << 60));
    if (next <= frame || (uintptr_t)next - (uintptr_t)frame > 1 << 20) break;
    frame = next;
  }
  return count;
}

static _Thread_local bool isCreating;

bool schedules_isCreating(void) { return isCreating; }

__attribute__((weak)) SWIFT TaskAndContext swift_task_create(
  size_t flags, const Option *options, const void *resultType, const AsyncFunctionPointer *closure, void *context
) {
  const char *function = (const char *)closure + closure->function;
  const SchedulesLane *lane = current;
  if (!lane) return swift_task_create_common(flags, options, resultType, function, context, closure->contextSize);
  const char *name = NULL;
  bool hasExecutor = false;
  Option *actor = NULL, *missing = NULL;
  for (const Option *option = options; option; option = option->parent) {
    unsigned kind = option->flags & 0xFF;
    // The options of an isolated task stand in the frame of its creator.
    if (kind == serialExecutorOption && option->values[0] && !option->values[1]) actor = (Option *)option;
    if (kind == nameOption) name = (const char *)option->values[0];
    if (kind == taskExecutorOption || kind == ownedTaskExecutorOption) {
      if (!option->values[0]) {
        missing = (Option *)option;
      } else if (option->values[0] != lane->tasks.identity) {
        hasExecutor = true;
      }
    }
  }
  Option executor = {taskExecutorOption, options, {lane->tasks.identity, lane->tasks.witnesses}};
  if (actor) actor->values[1] = lane->actors;
  // `Task.immediate` has an option of no executor, and the last option counts.
  Option former;
  if (missing && hasExecutor) missing = NULL;
  if (missing) {
    former = *missing;
    *missing = (Option){
      (former.flags & ~(size_t)0xFF) | taskExecutorOption, former.parent, {executor.values[0], executor.values[1]}};
  }
  isCreating = true;
  TaskAndContext created = swift_task_create_common(
    flags, hasExecutor ? options : &executor, resultType, function, context, closure->contextSize);
  isCreating = false;
  if (missing) *missing = former;
  if (actor) actor->values[1] = 0;
  uintptr_t callers[callerLimit + 1];
  callers[schedules_callers(callers, callerLimit)] = 0;
  lane->create(lane->context, created.task, name, hasExecutor, !(flags & enqueueFlag), callers);
  return created;
}

// MARK: Entering actors

// Off schedules, a default actor runs all tasks that it has in one job, in an order that no executor sees. On a schedule it is
// an executor like any other: a reference to it has the witness table of the schedule instead of none, so each task that becomes
// ready there, by a hop, a continuation, or as a new one, is enqueued by the schedule, which runs it as a job of its own. The
// runtime compares references by the object alone.
//
// The actor itself still excludes others that use it, off the schedule or on another one: while the schedule runs a task there,
// a job of the schedule occupies it.

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

typedef ASYNC void Resume(CONTEXT void *context);
typedef ASYNC void Switch(CONTEXT void *context, Resume *function, uintptr_t identity, uintptr_t witnesses);

extern SWIFT void swift_task_enqueue(void *job, uintptr_t identity, uintptr_t witnesses);
extern SWIFT void swift_job_run_on_serial_and_task_executor(
  void *job, uintptr_t identity, uintptr_t witnesses, uintptr_t taskIdentity, uintptr_t taskWitnesses);
static Switch *originalSwitch;
static SWIFT SchedulesExecutor (*originalGlobalExecutor)(void);

// The next definition after this program's own is the runtime's.
__attribute__((constructor)) static void findOriginals(void) {
  *(void **)&originalGetTime = dlsym(RTLD_NEXT, "clock_gettime");
  *(void **)&originalSwitch = dlsym(RTLD_NEXT, "swift_task_switch");
  *(void **)&originalGlobalExecutor = dlsym(RTLD_NEXT, "$ss24globalConcurrentExecutorSch_pvg");
}

__attribute__((weak)) ASYNC void swift_task_switch(
  CONTEXT void *context, Resume *function, uintptr_t identity, uintptr_t witnesses
) {
  const SchedulesLane *lane = current;
  return originalSwitch(context, function, identity, lane && identity && !witnesses ? lane->actors : witnesses);
}

// A job as the runtime runs it (swift/ABI/Task.h), for a task.
typedef struct {
  uintptr_t object[4];
  uint32_t flags, number;
  uintptr_t reserved[2];
  ASYNC void (*run)(void *job);
  void *task;
  uintptr_t actor;
  const SchedulesLane *lane;
} Occupation;

enum { occupationKind = 195 };

static uintptr_t word(const void *object, size_t offset) {
  return *(const uintptr_t *)((const char *)object + offset);
}

static void setWord(void *object, size_t offset, uintptr_t value) { *(uintptr_t *)((char *)object + offset) = value; }

static ASYNC void occupy(void *job) {
  Occupation occupation = *(Occupation *)job;
  free(job);
  const SchedulesLane *lane = occupation.lane;
  if (current == lane) {
    swift_job_run_on_serial_and_task_executor(
      occupation.task, occupation.actor, lane->actors, lane->tasks.identity, lane->tasks.witnesses);
    schedules_divert(occupation.actor);
  } else {
    // Another thread ran the actor, and does this with it. The task has left the schedule.
    const SchedulesLane *other = current;
    current = NULL;
    swift_job_run_on_serial_and_task_executor(occupation.task, occupation.actor, 0, 0, 0);
    current = other;
  }
}

void schedules_occupy(uintptr_t actor, void *task) {
  Occupation *occupation = calloc(1, sizeof(Occupation));
  occupation->flags = occupationKind | (word(task, flagsOffset) & 0xFF00);
  occupation->run = occupy;
  occupation->task = task;
  occupation->actor = actor;
  occupation->lane = current;
  swift_task_enqueue(occupation, actor, 0);
}

// The runtime's own functions hop to an actor without asking; the task is in the actor's queue then. Before the actor runs it, it
// gets another way to go on, which leads to the gate of the schedule, and there its own way back.

typedef struct {
  uintptr_t function, context, actor;
} Diversion;

static ASYNC void arrive(CONTEXT void *context) { abort(); }

static ASYNC void divert(CONTEXT void *context) {
  return originalSwitch(context, arrive, current->gate.identity, current->gate.witnesses);
}

// Whether a job in the queue of an actor is a task of this schedule that has not been diverted. The jobs of others come to the thread
// that runs the actor by the actor's state, which ThreadSanitizer does not see.
__attribute__((no_sanitize("thread"))) static bool diverts(const uintptr_t *job, uint64_t number) {
  return ((const uint8_t *)job)[flagsOffset] == 0 && job[ownerOffset / sizeof *job] == number &&
         job[resumptionOffset / sizeof *job] != (uintptr_t)&divert;
}

void schedules_divert(uintptr_t actor) {
  for (uintptr_t job = word((void *)actor, actorQueueOffset); job; job = word((void *)job, nextOffset)) {
    void *task = (void *)job;
    if (!diverts(task, current->number)) continue;
    Diversion *diversion = malloc(sizeof(Diversion));
    *diversion = (Diversion){word(task, resumptionOffset), word(task, contextOffset), actor};
    setWord(task, resumptionOffset, (uintptr_t)&divert);
    setWord(task, contextOffset, (uintptr_t)diversion);
  }
}

uintptr_t schedules_arrival(void *task) {
  Diversion *diversion = (Diversion *)word(task, contextOffset);
  uintptr_t actor = diversion->actor;
  setWord(task, resumptionOffset, diversion->function);
  setWord(task, contextOffset, diversion->context);
  free(diversion);
  return actor;
}

void *schedules_currentTask(void) { return swift_task_getCurrent(); }
uint64_t schedules_owner(const void *task) { return word(task, ownerOffset); }
void schedules_own(void *task) { setWord(task, ownerOffset, current->number); }

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

bool schedules_isAsyncLet(const void *task) { return ((const uint8_t *)task)[flagsOffset + 3] & 0x10; }

int schedules_backtrace(const void *task, uintptr_t *functions, int limit) {
  int count = 0;
  uintptr_t function = word(task, resumptionOffset), context = word(task, contextOffset);
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
  uintptr_t witnesses = kind == 4 ? word((void *)record, 0x18) : 0;
  if (!witnesses) return kind;
  if (!current) return 5;
  if (witnesses == current->actors) return 4;
  return *object == current->main.identity || *object == current->gate.identity ? 6 : 5;
}

uintptr_t schedules_actor(const void *job) {
  // The job of an actor stands in it, or points to it.
  return schedules_kind(job) == 192 ? (uintptr_t)job - actorJobOffset : word(job, actorOffset);
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
void schedules_prepareThread(void) {}
SchedulesLine *schedules_newLine(const char *head, size_t length) { return NULL; }
void schedules_extend(SchedulesLine *line, const char *text, size_t length) {}
void schedules_freeLine(SchedulesLine *line) {}
void schedules_report(const char *text, size_t length) {}
char *schedules_inCopy(void (*body)(void *context), void *context, int seconds) { return NULL; }
bool schedules_isCreating(void) { return false; }
bool schedules_canLeave(void) { return false; }
int schedules_callers(uintptr_t *callers, int limit) { return 0; }
bool schedules_isAsyncLet(const void *task) { return true; }
int schedules_backtrace(const void *task, uintptr_t *functions, int limit) { return 0; }
bool schedules_isComplete(const void *task) { return false; }
bool schedules_isCancelled(const void *task) { return false; }
int schedules_dependency(const void *task, uintptr_t *object) { return 0; }
uintptr_t schedules_actor(const void *job) { return 0; }
void schedules_occupy(uintptr_t actor, void *task) {}
void schedules_divert(uintptr_t actor) {}
uintptr_t schedules_arrival(void *task) { return 0; }
void *schedules_currentTask(void) { return NULL; }
uint64_t schedules_owner(const void *task) { return 0; }
void schedules_own(void *task) {}
void schedules_cancel(void *task) {}
void schedules_retain(void *object) {}
void schedules_release(void *object) {}
void schedules_retainMemory(void *object) {}
void schedules_releaseMemory(void *object) {}
char *schedules_demangle(const char *mangled, uintptr_t length) { return NULL; }
uintptr_t schedules_anchor(void) { return 0; }

#endif
