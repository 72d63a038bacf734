/* Times and sizes for people. Owned by the arena; "-" for what is unknown (negative). */
#ifndef GAVEL_REPORT_UNITS_H
#define GAVEL_REPORT_UNITS_H

#include <stdint.h>

#include "base/arena.h"

/* Measured values: "0.8 ms", "312 ms", "12.4 s"; "3.4 MiB", "256 MiB". */
const char *units_time(Arena *arena, int64_t time_ns);
const char *units_memory(Arena *arena, int64_t size_bytes);

/* Limits, which are round: "1.5 s", "250 ms"; "8 MiB", "128 KiB", "2048 MiB". */
const char *units_time_limit(Arena *arena, int64_t time_ns);
const char *units_memory_limit(Arena *arena, int64_t size_bytes);

#endif
