/* A package while it is being read, and the steps that read it, in their order. Private to this folder. */
#ifndef GAVEL_PACKAGE_PACKAGE_H
#define GAVEL_PACKAGE_PACKAGE_H

#include "gavel/problem.h"
#include "package/extension.h"
#include "package/list.h"
#include "package/lock.h"
#include "package/metadata.h"
#include "package/tree.h"

typedef struct Package {
    Problem model; /* first, so that problem_data_directory gets from a Problem to its Package */
    List warnings; /* of const char * */
    Tree tree;
    Metadata metadata;
    Extension extension;
    Lock lock;
    const char *data_cache;     /* or NULL */
    const char *data_directory; /* see problem_data_directory */
} Package;

typedef enum PackageDepth {
    PACKAGE_WITHOUT_HASHES, /* for lists: no file of data is opened */
    PACKAGE_WHOLE,
} PackageDepth;

/* problem_load with the choice of how much. */
bool package_load(const char *directory, const ProblemPaths *paths, PackageDepth depth, Problem **ret_problem,
                  Error *error) MUST_CHECK;

/* The steps. Each fills its part of the model from the tree and what earlier steps read. */
bool metadata_load(Package *package, Error *error) MUST_CHECK;   /* problem.yaml */
bool time_limit_load(Package *package, Error *error) MUST_CHECK; /* .timelimit, domjudge-problem.ini */
bool extension_load(Package *package, Error *error) MUST_CHECK;  /* gavel.yaml */
bool statement_load(Package *package, Error *error) MUST_CHECK;
bool programs_load(Package *package, Error *error) MUST_CHECK; /* validators, generator */
bool submissions_load(Package *package, Error *error) MUST_CHECK;
bool generated_load(Package *package, Error *error) MUST_CHECK; /* lock file, data directory */
bool data_load(Package *package, Error *error) MUST_CHECK;
bool fingerprint_load(Package *package, Error *error) MUST_CHECK; /* hashes of the whole */

/* Is the test `name` one of the generated ones? */
bool generated_has(const Package *package, const char *name);

/* Is this entry of a directory of programs a program: a directory, or a file that is not a header or a text? */
bool program_is_source(const TreeEntry *entry);

#endif
