/* One submission on its way through the judge: what the steps of judge_submission share. */
#ifndef GAVEL_CORE_JOURNEY_H
#define GAVEL_CORE_JOURNEY_H

#include "core/explain.h"
#include "core/run.h"
#include "core/validate.h"
#include "gavel/judge.h"

typedef struct Journey {
    Judge *judge;
    const JudgeJob *job;
    const Problem *problem;
    const Language *language;
    EventSink events;
    const CancelToken *cancel;
    Report *report;
    Arena *arena; /* the report's */
    SourceSet sources;
    Program program;
    Validator validator;
    int64_t time_limit_ns;
    int64_t started_ns;  /* CLOCK_MONOTONIC */
    size_t wanted_count; /* tests that this job may run */
    size_t done_count;
} Journey;

/* Checks the job and starts the report. False: the job itself is unusable (ERROR_INPUT). */
bool journey_begin(Judge *judge, const JudgeJob *job, EventSink events, const CancelToken *cancel, Journey *ret_journey,
                   Error *error) MUST_CHECK;
void journey_done(Journey *journey); /* everything but the report */

/* Builds the submission; a compile error is a verdict. */
bool journey_build(Journey *journey, Error *error) MUST_CHECK;

/* Runs and validates one test, and explains it if it is the first that fails. */
typedef struct TestData {
    RunInput input;
    Buffer answer;
    bool has_answer; /* false: the output is not compared with anything */
} TestData;
bool journey_test(Journey *journey, const TestCase *test, const TestData *data, const Visibility *visibility,
                  size_t index, RunOutput *ret_output, Error *error) MUST_CHECK;
void test_data_done(TestData *data);

/* All tests that the job asks for, in order, until one fails. */
bool journey_tests(Journey *journey, Error *error) MUST_CHECK;

/* A sanitizer run on the first failing test, if it crashed there. `data` as in journey_test, NULL: from its files. */
bool journey_sanitize(Journey *journey, const TestCase *test, const TestData *data, Error *error) MUST_CHECK;

/* Verdict and score from the tests; see aggregate.c. */
void journey_aggregate(Journey *journey);

/* Ends the journey: `is_complete` false turns the fault into a judge error, unless it is the caller's cancellation.
 * Takes `fault`. */
bool journey_finish(Journey *journey, bool is_complete, Error *fault, Report **ret_report, Error *error) MUST_CHECK;

/* Everything for a replay that is known before the build, and what the build adds. */
void provenance_begin(Journey *journey);
void provenance_build(Journey *journey);

#endif
