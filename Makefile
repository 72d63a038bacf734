# Gavel's build. Two commands do everything on a fresh Debian 12 machine: `make demo` and `make test`.
# Everything is written below $(BUILD); `make help` lists the targets.

CC ?= gcc
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wformat=2 -Wno-format-nonliteral
HARDENING := -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE -fstack-clash-protection
OPTIMISE := -O2 -g
CFLAGS_ALL = -std=gnu17 -D_GNU_SOURCE -Iinclude -Ijudge $(WARNINGS) $(OPTIMISE) $(HARDENING) $(WERROR) $(SANITIZE) $(CFLAGS) \
	-DGAVEL_VERSION='"$(VERSION)"' -DGAVEL_PREFIX='"$(PREFIX)"'
LDFLAGS_ALL = -pie -Wl,-z,relro,-z,now $(SANITIZE) $(LDFLAGS)

# -Werror is CI's and ours (`make WERROR=-Werror`), not the user's.
WERROR ?=
SANITIZE ?=
ifeq ($(SAN),1)
BUILD := build/sanitize
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPTIMISE := -O1 -g
HARDENING := -fPIE
endif
ifeq ($(PORTABLE),1)
BUILD := build/portable
LDFLAGS_ALL = -static -Wl,-z,relro,-z,now $(LDFLAGS)
HARDENING := -fstack-protector-strong -D_FORTIFY_SOURCE=2
endif

LIBRARIES := -ljansson -lyaml -lsodium -lseccomp -lm
SANDBOX_LIBRARIES := -lseccomp

sandbox_sources := $(filter-out sandbox/cli.c,$(wildcard sandbox/*.c))
judge_sources := $(wildcard judge/base/*.c judge/package/*.c judge/report/*.c judge/core/*.c judge/verify/*.c)
cmd_sources := $(wildcard judge/cmd/*.c)
objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/*_test.c))
fuzz_replays := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))
benches := $(BUILD)/sandbox-bench $(BUILD)/validator-bench $(BUILD)/bench-true

.PHONY: all help
all: $(BUILD)/gavel $(BUILD)/gavel-sandbox

help:
	@grep -hE '^## ' $(MAKEFILE_LIST) | sed 's/^## //'

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(BUILD)/libgavel-sandbox.a: $(call objects,$(sandbox_sources))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libgavel.a: $(call objects,$(judge_sources))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/gavel: $(call objects,$(cmd_sources)) $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	$(CC) $(LDFLAGS_ALL) $^ $(LIBRARIES) -o $@

# The command line sandbox is static where it can be: starting it is part of what its users wait for.
sandbox_link = $(if $(SANITIZE),$(LDFLAGS_ALL),-static -Wl,-z,relro,-z,now $(LDFLAGS))
$(BUILD)/gavel-sandbox: $(call objects,sandbox/cli.c) $(BUILD)/libgavel-sandbox.a
	$(CC) $(sandbox_link) $^ $(SANDBOX_LIBRARIES) -o $@

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) $< $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a -lcmocka $(LIBRARIES) -o $@

$(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) $< tests/fuzz/replay.c $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a $(LIBRARIES) -o $@

$(BUILD)/sandbox-bench: tests/bench/sandbox_bench.c $(BUILD)/libgavel-sandbox.a
	$(CC) $(CFLAGS_ALL) -MMD -MP -static $< $(BUILD)/libgavel-sandbox.a $(SANDBOX_LIBRARIES) -lm -o $@

$(BUILD)/validator-bench: tests/bench/validator_bench.c $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) $^ $(LIBRARIES) -o $@

$(BUILD)/bench-true: tests/bench/true.c
	@mkdir -p $(@D)
	$(CC) -O2 -static $< -o $@

-include $(shell test -d $(BUILD) && find $(BUILD) -name '*.d')
