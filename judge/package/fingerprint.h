/* Content hashes of files of the package. */
#ifndef GAVEL_PACKAGE_FINGERPRINT_H
#define GAVEL_PACKAGE_FINGERPRINT_H

#include "base/error.h"
#include "base/hash.h"
#include "package/tree.h"

/* Hashes every file at or below `entry` into its sha256; files that have one already are not read again. */
bool fingerprint_files(const Tree *tree, TreeEntry *entry, Error *error) MUST_CHECK;

/* Adds paths and contents of all files at or below `entry` to `hash`, hashing those files first. */
bool fingerprint_add(const Tree *tree, TreeEntry *entry, Hash *hash, Error *error) MUST_CHECK;

#endif
