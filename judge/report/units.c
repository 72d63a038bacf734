/* Three digits are what a measurement of a run is worth. */
#include "report/units.h"

static const double ns_per_ms = 1e6, ns_per_s = 1e9, bytes_per_kib = 1024, bytes_per_mib = 1024 * 1024;

const char *units_time(Arena *arena, int64_t time_ns)
{
    double ns = (double)time_ns;
    if (time_ns < 0)
        return "-";
    if (ns < 9.95 * ns_per_ms)
        return arena_format(arena, "%.1f ms", ns / ns_per_ms);
    if (ns < 9.9995 * ns_per_s)
        return arena_format(arena, "%.0f ms", ns / ns_per_ms);
    return arena_format(arena, "%.1f s", ns / ns_per_s);
}

const char *units_memory(Arena *arena, int64_t size_bytes)
{
    double mib = (double)size_bytes / bytes_per_mib;
    if (size_bytes < 0)
        return "-";
    return arena_format(arena, mib < 99.95 ? "%.1f MiB" : "%.0f MiB", mib);
}

const char *units_time_limit(Arena *arena, int64_t time_ns)
{
    double ns = (double)time_ns;
    if (time_ns < 0)
        return "-";
    return ns < ns_per_s ? arena_format(arena, "%.10g ms", ns / ns_per_ms)
                         : arena_format(arena, "%.10g s", ns / ns_per_s);
}

const char *units_memory_limit(Arena *arena, int64_t size_bytes)
{
    double bytes = (double)size_bytes;
    if (size_bytes < 0)
        return "-";
    return bytes < bytes_per_mib ? arena_format(arena, "%.4g KiB", bytes / bytes_per_kib)
                                 : arena_format(arena, "%.10g MiB", bytes / bytes_per_mib);
}
