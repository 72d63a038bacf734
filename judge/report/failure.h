/* The block of the terminal view about the first failing test. */
#ifndef GAVEL_REPORT_FAILURE_H
#define GAVEL_REPORT_FAILURE_H

#include "report/canvas.h"

void failure_draw(Canvas *canvas, const Report *report);

#endif
