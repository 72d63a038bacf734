/* Rows of cells in aligned columns, whatever the language: widths are columns of the terminal, not bytes. */
#ifndef GAVEL_REPORT_TABLE_H
#define GAVEL_REPORT_TABLE_H

#include "report/canvas.h"

enum { TABLE_COLUMNS_MAX = 8 };

typedef enum Align { ALIGN_LEFT, ALIGN_RIGHT } Align;

typedef struct Cell {
    const char *text; /* safe */
    Paint paint;
} Cell;

typedef struct Table {
    size_t column_count;
    Align aligns[TABLE_COLUMNS_MAX];
    Cell (*rows)[TABLE_COLUMNS_MAX];
    size_t row_count, row_capacity;
} Table;

/* Adds a row of `column_count` cells; memory comes from the canvas's arena. */
void table_add(Table *table, Canvas *canvas, const Cell *cells);

/* Draws all rows behind an indent of two. If they are wider than the canvas, the last column gives way, then the first
 * (names), each with "..." for what is missing; numbers between them are never cut. */
void table_draw(const Table *table, Canvas *canvas);

#endif
