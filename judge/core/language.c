/* The languages: one table. A new language is a new row. */
#include "core/language.h"

#include <string.h>

/* Line information is wanted by the sanitizer build alone; the judged program carries none, so that it loads fast.
 * Static: the jail of a native program has no libraries, and nothing needs relocation at start. Since glibc 2.34
 * libpthread is part of libc, and threads work in static programs without --whole-archive. */
#define GCC_OUTPUT "-fdiagnostics-color=never", "-fmax-errors=30"
/* The second -fsanitize group must stop at the first finding: what follows undefined behaviour explains nothing.
 * float-divide-by-zero and alignment stay at the defaults of gcc. */
#define GCC_SANITIZE                                                                                                   \
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1", "-fno-omit-frame-pointer",               \
        "-fno-optimize-sibling-calls"

static const char *const c_compile[] = {"/usr/bin/gcc", "-std=gnu17",     "-O2", "-static", GCC_OUTPUT, "-o",
                                        "prog",         LANGUAGE_SOURCES, "-lm", NULL};
static const char *const c_sanitize[] = {"/usr/bin/gcc", "-std=gnu17",     GCC_SANITIZE, GCC_OUTPUT, "-o",
                                         "prog",         LANGUAGE_SOURCES, "-lm",        NULL};
static const char *const cpp_compile[] = {"/usr/bin/g++", "-std=gnu++20",   "-O2", "-static", GCC_OUTPUT, "-o",
                                          "prog",         LANGUAGE_SOURCES, NULL};
static const char *const cpp_sanitize[] = {"/usr/bin/g++", "-std=gnu++20", GCC_SANITIZE,     GCC_OUTPUT,
                                           "-o",           "prog",         LANGUAGE_SOURCES, NULL};

/* Compiles without running and says what is wrong in gcc's format, so that one parser reads all languages. Memory and
 * recursion errors come from sources nested too deeply for the parser. */
static const char python_check[] =
    "import sys\n"
    "def say(name, line, column, text):\n"
    "    sys.stderr.write('%s:%d:%d: error: %s\\n' % (name, line, column, text))\n"
    "bad = 0\n"
    "for name in sys.argv[1:]:\n"
    "    try:\n"
    "        compile(open(name, 'rb').read(), name, 'exec', dont_inherit=True)\n"
    "    except SyntaxError as e:\n"
    "        bad = 1\n"
    "        say(name, e.lineno or 1, e.offset or 1, '%s: %s' % (type(e).__name__, e.msg))\n"
    "        if e.text:\n"
    "            sys.stderr.write('    %s\\n' % e.text.rstrip('\\n')[:400])\n"
    "    except (ValueError, OverflowError, MemoryError, RecursionError) as e:\n"
    "        bad = 1\n"
    "        say(name, 1, 1, '%s: %s' % (type(e).__name__, e or 'nested too deeply'))\n"
    "sys.exit(bad)\n";

/* -E ignores PYTHON* variables, -s the user's site directory, -B writes no bytecode. */
#define PYTHON "/usr/bin/python3", "-E", "-s", "-B"
static const char *const python_compile[] = {PYTHON, "-c", python_check, LANGUAGE_SOURCES, NULL};
static const char *const python_run[] = {PYTHON, LANGUAGE_ENTRY, NULL};

#define BINUTILS_AND_LIBC "/usr/bin/as", "/usr/bin/ld", "/usr/lib/x86_64-linux-gnu/libc.a"

static const Language languages[] = {
    {.id = "c",
     .title = "C (gnu17)",
     .extensions = {".c"},
     .compiler = "/usr/bin/gcc",
     .apt_packages = "gcc libc6-dev",
     .parts = {BINUTILS_AND_LIBC},
     .source_name = "main.c",
     .artifact_name = "prog",
     .compile = c_compile,
     .sanitize = c_sanitize,
     .run = NULL,
     .compile_profile = SANDBOX_PROFILE_COMPILE,
     .run_profile = SANDBOX_PROFILE_RUN_NATIVE,
     .sanitizer_profile = SANDBOX_PROFILE_SANITIZER},
    {.id = "cpp",
     .title = "C++ (gnu++20)",
     .extensions = {".cpp", ".cc", ".cxx", ".C", ".c++"},
     .compiler = "/usr/bin/g++",
     .apt_packages = "g++ libc6-dev",
     .parts = {BINUTILS_AND_LIBC},
     .source_name = "main.cpp",
     .artifact_name = "prog",
     .compile = cpp_compile,
     .sanitize = cpp_sanitize,
     .run = NULL,
     .compile_profile = SANDBOX_PROFILE_COMPILE,
     .run_profile = SANDBOX_PROFILE_RUN_NATIVE,
     .sanitizer_profile = SANDBOX_PROFILE_SANITIZER},
    {.id = "python3",
     .title = "Python 3",
     .extensions = {".py", ".py3"},
     .compiler = "/usr/bin/python3",
     .apt_packages = "python3",
     .source_name = "main.py",
     .artifact_name = NULL,
     .compile = python_compile,
     .sanitize = NULL,
     .run = python_run,
     .compile_profile = SANDBOX_PROFILE_COMPILE,
     .run_profile = SANDBOX_PROFILE_RUN_PYTHON},
};

static const size_t language_count = sizeof languages / sizeof *languages;

const Language *language_at(size_t index)
{
    return index < language_count ? &languages[index] : NULL;
}

const Language *language_by_id(const char *id)
{
    for (size_t i = 0; id && i < language_count; i++)
        if (strcmp(languages[i].id, id) == 0)
            return &languages[i];
    return NULL;
}

bool language_has_file(const Language *language, const char *file_name)
{
    const char *base = strrchr(file_name, '/');
    const char *dot = strrchr(base ? base + 1 : file_name, '.');
    for (size_t i = 0; dot && i < LANGUAGE_EXTENSION_MAX && language->extensions[i]; i++)
        if (strcmp(dot, language->extensions[i]) == 0)
            return true;
    return false;
}

const Language *language_by_file_name(const char *file_name)
{
    for (size_t i = 0; file_name && i < language_count; i++)
        if (language_has_file(&languages[i], file_name))
            return &languages[i];
    return NULL;
}

const char *language_id(const Language *language)
{
    return language->id;
}
const char *language_title(const Language *language)
{
    return language->title;
}
const char *language_extension(const Language *language)
{
    return language->extensions[0];
}
