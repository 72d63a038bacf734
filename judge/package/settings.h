/* testdata.yaml (legacy), test_group.yaml and a test's own .yaml (2025-09): what holds for a group or a test. */
#ifndef GAVEL_PACKAGE_SETTINGS_H
#define GAVEL_PACKAGE_SETTINGS_H

#include "gavel/problem.h"
#include "package/list.h"
#include "package/metadata.h"

typedef struct Settings {
    int on_reject;                  /* 0: break, 1: continue */
    const char **validator_args;    /* those of problem.yaml first; NULL-terminated */
    ValidatorFlags validator_flags; /* the same for the default validator */
    const char **program_args;      /* NULL-terminated */
    const char *description, *hint; /* of this level only: not inherited */
} Settings;

typedef struct SettingsContext {
    Arena *arena;
    List *warnings;
    const Metadata *metadata;
    bool has_default_validator; /* then its flags are checked */
} SettingsContext;

/* What holds before any file says otherwise. */
bool settings_default(const SettingsContext *context, Settings *ret_settings, Error *error) MUST_CHECK;

/* Parses one file's text over what is `inherited`. `file` is the name in messages. */
bool settings_parse(const SettingsContext *context, const char *file, const char *text, size_t size,
                    const Settings *inherited, Settings *ret_settings, Error *error) MUST_CHECK;

#endif
