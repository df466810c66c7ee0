#include "lanes.h"

#include <stdatomic.h>
#include <stddef.h>

extern SWIFT void swift_task_enqueueGlobal(void *job);
extern SWIFT void swift_task_enqueue(void *job, uintptr_t identity, uintptr_t witnesses);
extern SWIFT uint64_t swift_task_getJobTaskId(void *job);

// MARK: The schedule of this thread

_Thread_local const SchedulesLane *schedules_current;

// The numbers of schedules that run now; 0 is free.
enum { laneLimit = 256 };
static _Atomic uint64_t alive[laneLimit];

static bool isAlive(uint64_t number) {
  for (int place = 0; place < laneLimit; place++) {
    if (atomic_load(&alive[place]) == number) return true;
  }
  return false;
}

void schedules_enter(const SchedulesLane *lane) {
  for (int place = 0; place < laneLimit; place++) {
    uint64_t none = 0;
    if (atomic_compare_exchange_strong(&alive[place], &none, lane->number)) break;
  }
  schedules_prepareThread();
  current = lane;
}

void schedules_leave(const SchedulesLane *lane) {
  current = NULL;
  for (int place = 0; place < laneLimit; place++) {
    uint64_t number = lane->number;
    if (atomic_compare_exchange_strong(&alive[place], &number, 0)) break;
  }
}

uint64_t schedules_number(void) { return current ? current->number : 0; }

void *schedules_context(uint64_t number) { return schedules_number() == number ? current->context : NULL; }

// MARK: Jobs from other threads. They stand in one list, linked through the words that a job has for its executor.

static _Atomic(void *) inbox;

static void **nextLink(void *job) { return &((void **)job)[2]; }
// The number of the schedule, and the place.
static uintptr_t *owner(void *job) { return &((uintptr_t *)job)[3]; }
enum { placeBits = 2 };
static uint64_t ownerNumber(void *job) { return *owner(job) >> placeBits; }
static int ownerPlace(void *job) { return *owner(job) & ((1 << placeBits) - 1); }

static void push(void *job) {
  void *first = atomic_load(&inbox);
  do {
    *nextLink(job) = first;
  } while (!atomic_compare_exchange_weak(&inbox, &first, job));
}

// The actor on which a task stands in line.
static uintptr_t awaitedActor(void *job) {
  uintptr_t actor = 0;
  schedules_dependency(job, &actor);
  return actor;
}

// The schedule of a job has ended: it runs off all schedules, also if this thread is on one.
static void enqueueElsewhere(void *job, uintptr_t actor) {
  const SchedulesLane *lane = current;
  current = NULL;
  if (actor) {
    swift_task_enqueue(job, actor, 0);
  } else {
    swift_task_enqueueGlobal(job);
  }
  current = lane;
}

void schedules_send(uint64_t number, void *job, int place, uintptr_t actor) {
  if (!number || !isAlive(number)) {
    enqueueElsewhere(job, actor);
    return;
  }
  *owner(job) = (uintptr_t)number << placeBits | place;
  push(job);
}

void *schedules_receive(uint64_t number, int *place, uintptr_t *actor) {
  if (!atomic_load(&inbox)) return NULL;
  void *job = atomic_exchange(&inbox, NULL);
  void *found = NULL;
  while (job) {
    void *next = *nextLink(job);
    uintptr_t awaited = ownerPlace(job) == schedulesActor ? awaitedActor(job) : 0;
    if (ownerNumber(job) == number && !found) {
      found = job;
      *place = ownerPlace(job);
      *actor = awaited;
    } else if (isAlive(ownerNumber(job))) {
      push(job);
    } else {
      enqueueElsewhere(job, awaited);
    }
    job = next;
  }
  return found;
}

// MARK: What a job is. Its flags follow a reference-counted object and the words of its executor.

uint8_t schedules_kind(const void *job) { return *(const uint8_t *)&((const uintptr_t *)job)[4]; }
uint64_t schedules_identity(void *job) { return swift_task_getJobTaskId(job); }
