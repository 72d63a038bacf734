#include "ptx/type.h"

#include <string.h>

static const PtxTypeRow rows[PTX_TYPE_COUNT] = {
    [PTX_TYPE_NONE] = {"", 0, PTX_CLASS_NONE, ""},
#define PTX_TYPE(suffix, name, bytes, class, plain) [PTX_TYPE_##suffix] = {name, bytes, PTX_CLASS_##class, plain},
#include "ptx/types.def"
#undef PTX_TYPE
};

const PtxTypeRow *ptx_type_row(PtxType type)
{
    return &rows[type];
}

PtxType ptx_type_find(const char *name, size_t length)
{
    for (int type = 1; type < PTX_TYPE_COUNT; type++)
        if (strlen(rows[type].name) == length && memcmp(rows[type].name, name, length) == 0)
            return (PtxType)type;
    return PTX_TYPE_NONE;
}
