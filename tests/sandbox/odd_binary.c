/* Row 12: files that exec must refuse, or that die in it. Each is a handful of bytes, made here so that no tool of the
 * host is asked to make something broken. */
#include "corpus.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

typedef struct TinyElf {
    Elf64_Ehdr header;
    Elf64_Phdr segments[2];
    unsigned char code[12]; /* exit(0) */
    char interpreter[32];
} TinyElf;

static TinyElf tiny_elf(void)
{
    TinyElf elf = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_entry = 0x400000 + offsetof(TinyElf, code),
                   .e_phoff = offsetof(TinyElf, segments),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 1},
        .segments = {{.p_type = PT_LOAD,
                      .p_flags = PF_R | PF_W | PF_X,
                      .p_vaddr = 0x400000,
                      .p_filesz = sizeof(TinyElf),
                      .p_memsz = sizeof(TinyElf),
                      .p_align = 4096}},
        .code = {0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05},
    };
    return elf;
}

static int seal(const void *data, size_t size)
{
    SandboxError error;
    return sandbox_sealed_memfd("odd", data, size, true, &error);
}

int odd_binary_open(const char *name)
{
    TinyElf elf = tiny_elf();
    if (strcmp(name, "empty") == 0)
        return seal("", 0);
    if (strcmp(name, "text") == 0)
        return seal("no magic at all\n", 16);
    if (strcmp(name, "script") == 0)
        return seal("#!/bin/sh\necho ESCAPED\n", 23);
    if (strcmp(name, "cut") == 0)
        return seal(&elf, 40);
    if (strcmp(name, "foreign") == 0)
        elf.header.e_machine = EM_AARCH64;
    if (strcmp(name, "huge_bss") == 0)
        elf.segments[0].p_memsz = UINT64_C(200)
                                  << 40; /* more than there are addresses, so no overcommit policy helps */
    if (strcmp(name, "interpreter") == 0) {
        strcpy(elf.interpreter, "/lib/no-such-loader.so");
        elf.header.e_phnum = 2;
        elf.segments[1] = elf.segments[0];
        elf.segments[0] = (Elf64_Phdr){.p_type = PT_INTERP,
                                       .p_flags = PF_R,
                                       .p_offset = offsetof(TinyElf, interpreter),
                                       .p_filesz = strlen(elf.interpreter) + 1,
                                       .p_memsz = strlen(elf.interpreter) + 1};
    }
    return seal(&elf, sizeof elf);
}
