/* Column widths first, then the rows. */
#include "report/table.h"

#include <assert.h>
#include <string.h>

#include "report/utf8.h"

enum { INDENT = 2, GAP = 2, FIRST_MIN = 12, LAST_MIN = 8 };

void table_add(Table *table, Canvas *canvas, const Cell *cells)
{
    assert(table->column_count <= TABLE_COLUMNS_MAX);
    if (table->row_count == table->row_capacity) {
        table->row_capacity = table->row_capacity ? 2 * table->row_capacity : 32;
        Cell(*rows)[TABLE_COLUMNS_MAX] = arena_alloc(canvas->arena, table->row_capacity * sizeof *rows);
        if (table->row_count)
            memcpy(rows, table->rows, table->row_count * sizeof *rows);
        table->rows = rows;
    }
    memcpy(table->rows[table->row_count++], cells, table->column_count * sizeof *cells);
}

static int at_least(int value, int minimum)
{
    return value < minimum ? minimum : value;
}

/* Takes `excess` columns from *width, but leaves `minimum`; returns what is still too much. */
static int shrink(int *width, int excess, int minimum)
{
    int taken = *width - minimum < excess ? *width - minimum : excess;
    if (taken <= 0)
        return excess;
    *width -= taken;
    return excess - taken;
}

static void find_widths(const Table *table, const Canvas *canvas, int widths[TABLE_COLUMNS_MAX])
{
    int total = INDENT + GAP * (int)(table->column_count - 1);
    for (size_t column = 0; column < table->column_count; column++) {
        for (size_t row = 0; row < table->row_count; row++)
            widths[column] = at_least(widths[column], utf8_text_columns(table->rows[row][column].text));
        total += widths[column];
    }
    int excess = total - canvas->width;
    if (excess > 0)
        excess = shrink(&widths[table->column_count - 1], excess, LAST_MIN);
    if (excess > 0)
        excess = shrink(&widths[0], excess, FIRST_MIN);
    if (excess > 0)
        (void)shrink(&widths[table->column_count - 1], excess, 0);
}

static void draw_cell(Canvas *canvas, const Cell *cell, Align align, int width, bool is_last)
{
    const char *text = canvas_fit(canvas, cell->text, width);
    int padding = at_least(width - utf8_text_columns(text), 0);
    if (align == ALIGN_RIGHT)
        canvas_spaces(canvas, padding);
    canvas_draw(canvas, cell->paint, text);
    if (align == ALIGN_LEFT && !is_last)
        canvas_spaces(canvas, padding);
}

/* Cells at the end of a row that have nothing to show leave no spaces behind. */
static size_t used_columns(const Cell *row, size_t count)
{
    while (count > 0 && !*row[count - 1].text)
        count--;
    return count;
}

void table_draw(const Table *table, Canvas *canvas)
{
    int widths[TABLE_COLUMNS_MAX] = {0};
    find_widths(table, canvas, widths);
    for (size_t row = 0; row < table->row_count; row++) {
        size_t used = used_columns(table->rows[row], table->column_count);
        for (size_t column = 0; column < used; column++) {
            canvas_spaces(canvas, column ? GAP : INDENT);
            if (widths[column] > 0)
                draw_cell(canvas, &table->rows[row][column], table->aligns[column], widths[column], column + 1 == used);
        }
        canvas_end_line(canvas);
    }
}
