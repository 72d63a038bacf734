/* The types of PTX values, one row of types.def each. */
#ifndef GAVEL_PTX_TYPE_H
#define GAVEL_PTX_TYPE_H

#include <stddef.h>
#include <stdint.h>

typedef enum PtxType {
    PTX_TYPE_NONE,
#define PTX_TYPE(suffix, name, bytes, class, plain) PTX_TYPE_##suffix,
#include "ptx/types.def"
#undef PTX_TYPE
    PTX_TYPE_COUNT
} PtxType;

typedef enum PtxTypeClass {
    PTX_CLASS_NONE,
    PTX_CLASS_BITS,
    PTX_CLASS_UNSIGNED,
    PTX_CLASS_SIGNED,
    PTX_CLASS_FLOAT,
    PTX_CLASS_PREDICATE,
    PTX_CLASS_OPAQUE,
} PtxTypeClass;

typedef struct PtxTypeRow {
    const char *name; /* without the dot */
    uint8_t bytes;    /* in memory; 0 for predicates */
    PtxTypeClass class;
    const char *plain; /* "u32" for b32, u32 and s32: the type of arithmetic that ignores signs */
} PtxTypeRow;

/* The row of a type; PTX_TYPE_NONE has an empty name. */
const PtxTypeRow *ptx_type_row(PtxType type);

/* The type called `name` (length bytes, without the dot), or PTX_TYPE_NONE. */
PtxType ptx_type_find(const char *name, size_t length);

#endif
