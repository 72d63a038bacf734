/* A row of the language table: everything that differs between languages is data here. */
#ifndef GAVEL_CORE_LANGUAGE_H
#define GAVEL_CORE_LANGUAGE_H

#include "gavel/judge.h"

enum { LANGUAGE_EXTENSION_MAX = 6, LANGUAGE_PART_MAX = 6 };

/* Words of a command template that build.c replaces; every other word stands for itself. */
#define LANGUAGE_SOURCES "{sources}" /* all files of the language, one word each */
#define LANGUAGE_ENTRY   "{entry}"   /* the file that starts the program */

struct Language {
    const char *id;
    const char *title;
    const char *extensions[LANGUAGE_EXTENSION_MAX]; /* the first is the one to write */
    const char *compiler;                           /* absolute path; for an interpreted language the interpreter */
    const char *apt_packages;                       /* what brings it on Debian */
    const char *parts[LANGUAGE_PART_MAX];           /* files whose size and time are part of the toolchain's identity */
    const char *source_name;                        /* what a lone submission is called in the jail */
    const char *artifact_name;   /* the compiler's product; NULL: the sources themselves are the program */
    const char *const *compile;  /* command templates */
    const char *const *sanitize; /* NULL: there is no sanitizer build */
    const char *const *run;      /* NULL: the artifact is executed itself */
    SandboxProfile compile_profile, run_profile, sanitizer_profile;
};

/* Does the file belong to the language, by its extension? */
bool language_has_file(const Language *language, const char *file_name);

#endif
