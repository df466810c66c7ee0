#define _GNU_SOURCE
#include "lanes.h"

#include <stdatomic.h>
#include <stdlib.h>

#if ROWCAST_HOOKS

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

// A thread that runs jobs of schedules, one schedule after the other. Of the threads of a schedule one runs, and all others wait
// for their turn: a thread touches the schedule from when it is woken until it wakes the next.
struct SchedulesThread {
  sem_t turn;
  pid_t identity;
  // The schedule for which it is woken; NULL to end it.
  const SchedulesLane *lane;
};

static _Thread_local SchedulesThread *thisThread;

static void await(SchedulesThread *thread) {
  while (sem_wait(&thread->turn)) {}
}

static void *work(void *argument) {
  SchedulesThread *thread = argument;
  thisThread = thread;
  thread->identity = gettid();
  schedules_prepareThread();
  for (;;) {
    await(thread);
    const SchedulesLane *lane = thread->lane;
    if (!lane) break;
    current = lane;
    SchedulesThread *next = lane->work(lane->context);
    current = NULL;
    // From here on another schedule may have this thread.
    sem_post(&next->turn);
  }
  sem_destroy(&thread->turn);
  free(thread);
  return NULL;
}

SchedulesThread *schedules_thread(void) {
  static _Thread_local SchedulesThread own;
  if (!thisThread) {
    sem_init(&own.turn, 0, 0);
    own.identity = gettid();
    thisThread = &own;
  }
  return thisThread;
}

SchedulesThread *schedules_newThread(void) {
  SchedulesThread *thread = calloc(1, sizeof(SchedulesThread));
  if (!thread) return NULL;
  sem_init(&thread->turn, 0, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t identity;
  int error = pthread_create(&identity, &attributes, work, thread);
  pthread_attr_destroy(&attributes);
  if (!error) return thread;
  sem_destroy(&thread->turn);
  free(thread);
  return NULL;
}

void schedules_pass(SchedulesThread *next, const SchedulesLane *lane) {
  SchedulesThread *own = schedules_thread();
  if (lane) next->lane = lane;
  sem_post(&next->turn);
  await(own);
}

bool schedules_isThread(const SchedulesThread *thread, int identity) { return thread->identity == identity; }

void schedules_endThread(SchedulesThread *thread) {
  thread->lane = NULL;
  sem_post(&thread->turn);
}

#else

SchedulesThread *schedules_thread(void) { return NULL; }
SchedulesThread *schedules_newThread(void) { return NULL; }
void schedules_pass(SchedulesThread *next, const SchedulesLane *lane) {}
bool schedules_isThread(const SchedulesThread *thread, int identity) { return false; }
void schedules_endThread(SchedulesThread *thread) {}

#endif
