/* The words of the event stream, and sending. */
#include "core/event.h"

static const char *const words[] = {
    [EVENT_QUEUED] = "queued",
    [EVENT_GENERATING] = "generating",
    [EVENT_COMPILING] = "compiling",
    [EVENT_COMPILED] = "compiled",
    [EVENT_TEST] = "test",
    [EVENT_RERUN] = "rerun",
    [EVENT_SANITIZING] = "sanitizing",
    [EVENT_FINISHED] = "finished",
};
_Static_assert(sizeof words / sizeof *words == EVENT_KIND_COUNT, "one word an event");

const char *event_word(EventKind kind)
{
    return kind < EVENT_KIND_COUNT ? words[kind] : "unknown";
}

void event_send(EventSink events, const Event *event)
{
    if (events.on_event)
        events.on_event(events.context, event);
}
