/* Sending an event to whoever listens. */
#ifndef GAVEL_CORE_EVENT_H
#define GAVEL_CORE_EVENT_H

#include "gavel/judge.h"

void event_send(EventSink events, const Event *event);

#endif
