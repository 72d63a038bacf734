/* Prints one picture, the same bytes for the same arguments:
 *   random M N PERCENT SEED        each cell is land with the given probability
 *   random-crlf M N PERCENT SEED   the same, lines end with CR LF
 *   land M N | water M N | checkerboard M N
 *   snake M N                      one path that runs right and left in turn, a row of water between
 *   spiral M N                     one path that winds inwards
 *   comb M N WIDTH SEED            a spine along the middle row with teeth of WIDTH columns up and down, WIDTH columns
 *                                  of water between them; about one tooth in four is cut off from the spine */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

static uint64_t random_next(void)   /* splitmix64 */
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static unsigned random_below(unsigned bound)
{
    return (unsigned)((random_next() >> 32) * bound >> 32);
}

typedef struct Picture {
    int m, n;
    char *cells;                /* '0' or '1', row after row */
    const char *line_end;
} Picture;

static char *cell(Picture *p, int row, int column)
{
    return &p->cells[(size_t)row * (size_t)p->n + (size_t)column];
}

static void fill_random(Picture *p, unsigned percent)
{
    for (size_t i = 0; i < (size_t)p->m * (size_t)p->n; i++)
        p->cells[i] = random_below(100) < percent ? '1' : '0';
}

static void fill_checkerboard(Picture *p)
{
    for (int row = 0; row < p->m; row++)
        for (int column = 0; column < p->n; column++)
            *cell(p, row, column) = (row + column) % 2 ? '0' : '1';
}

static void fill_snake(Picture *p)
{
    for (int row = 0; row < p->m; row += 2)
        memset(cell(p, row, 0), '1', (size_t)p->n);
    for (int row = 1; row < p->m; row += 2)
        *cell(p, row, row % 4 == 1 ? p->n - 1 : 0) = '1';
}

static int is_land(Picture *p, int row, int column)
{
    return row >= 0 && row < p->m && column >= 0 && column < p->n && *cell(p, row, column) == '1';
}

/* May the path go on to (row, column), coming in direction (dr, dc)? Not if it would touch an older part of itself. */
static int is_free(Picture *p, int row, int column, int dr, int dc)
{
    return row >= 0 && row < p->m && column >= 0 && column < p->n && *cell(p, row, column) == '0' &&
        !is_land(p, row + dr, column + dc);
}

static void fill_spiral(Picture *p)
{
    int row = 0, column = 0, dr = 0, dc = 1;
    *cell(p, row, column) = '1';
    for (int turns = 0; turns < 2;) {
        if (is_free(p, row + dr, column + dc, dr, dc)) {
            row += dr;
            column += dc;
            *cell(p, row, column) = '1';
            turns = 0;
        } else {
            int right = dc;     /* turn right: (dr, dc) becomes (dc, -dr) */
            dc = -dr;
            dr = right;
            turns++;
        }
    }
}

static void fill_comb(Picture *p, int width)
{
    int spine = p->m / 2;
    for (int left = 0; left < p->n; left += 2 * width) {
        int right = left + width < p->n ? left + width : p->n;
        for (int row = 0; row < p->m; row++)
            memset(cell(p, row, left), '1', (size_t)(right - left));
        if (spine > 0 && random_below(4) == 0)
            memset(cell(p, spine - 1, left), '0', (size_t)(right - left));
        if (spine + 1 < p->m && random_below(4) == 0)
            memset(cell(p, spine + 1, left), '0', (size_t)(right - left));
    }
    memset(cell(p, spine, 0), '1', (size_t)p->n);
}

static void print_picture(Picture *p)
{
    printf("%d %d%s", p->m, p->n, p->line_end);
    for (int row = 0; row < p->m; row++) {
        fwrite(cell(p, row, 0), 1, (size_t)p->n, stdout);
        fputs(p->line_end, stdout);
    }
}

static int fail(const char *message)
{
    fprintf(stderr, "gen: %s\n", message);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 6)
        return fail("arguments: KIND M N [PARAMETER SEED]");
    const char *kind = argv[1];
    Picture p = { .m = atoi(argv[2]), .n = atoi(argv[3]), .line_end = "\n" };
    if (p.m < 1 || p.m > 2000 || p.n < 1 || p.n > 2000)
        return fail("sides are 1 to 2000");
    int parameter = argc == 6 ? atoi(argv[4]) : 0;
    random_state = argc == 6 ? strtoull(argv[5], NULL, 10) : 0;
    p.cells = malloc((size_t)p.m * (size_t)p.n);
    if (!p.cells)
        return fail("out of memory");
    memset(p.cells, '0', (size_t)p.m * (size_t)p.n);

    if (strcmp(kind, "random") == 0 && argc == 6)
        fill_random(&p, (unsigned)parameter);
    else if (strcmp(kind, "random-crlf") == 0 && argc == 6) {
        fill_random(&p, (unsigned)parameter);
        p.line_end = "\r\n";
    } else if (strcmp(kind, "land") == 0)
        memset(p.cells, '1', (size_t)p.m * (size_t)p.n);
    else if (strcmp(kind, "checkerboard") == 0)
        fill_checkerboard(&p);
    else if (strcmp(kind, "snake") == 0)
        fill_snake(&p);
    else if (strcmp(kind, "spiral") == 0)
        fill_spiral(&p);
    else if (strcmp(kind, "comb") == 0 && parameter > 0)
        fill_comb(&p, parameter);
    else if (strcmp(kind, "water") != 0)
        return fail("unknown kind, or a parameter is missing");
    print_picture(&p);
    return 0;
}
