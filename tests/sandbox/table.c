/* attacks.def as an array. */
#include "corpus.h"

#include <errno.h>
#include <signal.h>

#define EXIT(code)                                                                                                     \
    {                                                                                                                  \
        .is_set = true, .cause = SANDBOX_CAUSE_EXIT, .exit_code = (code)                                               \
    }
#define SAYS(code, text)                                                                                               \
    {                                                                                                                  \
        .is_set = true, .cause = SANDBOX_CAUSE_EXIT, .exit_code = (code), .says = (text)                               \
    }
#define SIGNAL(number)                                                                                                 \
    {                                                                                                                  \
        .is_set = true, .cause = SANDBOX_CAUSE_EXIT, .exit_code = -1, .signal = (number)                               \
    }
#define CAUSE(word)                                                                                                    \
    {                                                                                                                  \
        .is_set = true, .cause = SANDBOX_CAUSE_##word                                                                  \
    }
#define EXEC(number)                                                                                                   \
    {                                                                                                                  \
        .is_set = true, .cause = SANDBOX_CAUSE_EXEC, .exec_errno = (number)                                            \
    }
#define SKIP(why)                                                                                                      \
    {                                                                                                                  \
        .skip = (why)                                                                                                  \
    }

#define ROW(kind_word, profile_word, id_text, name_text, program_text, argument_text, ...)                             \
    {.id = id_text,                                                                                                    \
     .name = name_text,                                                                                                \
     .kind = ATTACK_##kind_word,                                                                                       \
     .profile = SANDBOX_PROFILE_##profile_word,                                                                        \
     .program = program_text,                                                                                          \
     .argument = argument_text,                                                                                        \
     __VA_ARGS__},
#define PROGRAM(id, name, program, argument, ...)                                                                      \
    ROW(PROGRAM, RUN_NATIVE, id, name, program, argument, .outcome = __VA_ARGS__)
#define PROGRAM_IN(profile, id, name, program, argument, ...)                                                          \
    ROW(PROGRAM, profile, id, name, program, argument, .outcome = __VA_ARGS__)
#define SOURCE(id, name, file, option, ...) ROW(SOURCE, COMPILE, id, name, file, option, .outcome = __VA_ARGS__)
#define PYTHON(id, name, file, argument, ...)                                                                          \
    ROW(PYTHON, RUN_PYTHON, id, name, "attacks/" file, argument, .outcome = __VA_ARGS__)
#define ODD_BINARY(id, name, kind, ...) ROW(ODD_BINARY, RUN_NATIVE, id, name, kind, "", .outcome = __VA_ARGS__)
#define HOST(id, name, ...)             ROW(HOST, RUN_NATIVE, id, name, "", "", .check = __VA_ARGS__)
#define ELSEWHERE(id, name, why)        ROW(ELSEWHERE, RUN_NATIVE, id, name, "", "", .reason = why)

const Attack attacks[] = {
#include "attacks.def"
};
const size_t attack_count = ARRAY_COUNT(attacks);
