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

LIBRARIES := -ljansson -lyaml -lsodium -lseccomp -lzstd -llz4 -lpthread -lm
SANDBOX_LIBRARIES := -lseccomp

sandbox_cli_sources := sandbox/cli.c sandbox/json.c
sandbox_sources := $(filter-out $(sandbox_cli_sources),$(wildcard sandbox/*.c))
judge_sources := $(wildcard judge/base/*.c judge/package/*.c judge/report/*.c judge/core/*.c judge/verify/*.c)
ptx_sources := $(wildcard judge/ptx/*.c)
ptx_exec_sources := $(wildcard judge/ptx/exec/*.c)
cmd_sources := $(wildcard judge/cmd/*.c)
objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# The PTX machine's lane handlers are compiled once per instruction set; `scalar` is only bench-ptx's baseline.
ptx_isas := $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),avx512 avx2) portable
ptx_flags_avx512 := -march=x86-64-v4 -mprefer-vector-width=512 -DPTX_VECTOR_BYTES=64
ptx_flags_avx2 := -march=x86-64-v3 -DPTX_VECTOR_BYTES=32
ptx_flags_portable := $(if $(filter avx2,$(ptx_isas)),-march=x86-64-v2) -DPTX_VECTOR_BYTES=16
ptx_flags_scalar := $(if $(filter avx2,$(ptx_isas)),-march=x86-64-v2) -DPTX_VECTOR_BYTES=0 -fno-tree-vectorize -fno-tree-slp-vectorize
ptx_objects = $(patsubst judge/ptx/exec/%.c,$(BUILD)/obj/ptx-$(1)/%.o,$(ptx_exec_sources))

unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/*_test.c))
fuzz_replays := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))
ptx_tests := $(BUILD)/tests/ptx/run_ops $(BUILD)/tests/ptx/run_cases
benches := $(BUILD)/sandbox-bench $(BUILD)/validator-bench $(BUILD)/bench-true

# `make V=1` shows whole commands.
quiet = $(if $(V),,@echo "  $(1)  $@";)

.PHONY: all help
all: $(BUILD)/gavel $(BUILD)/gavel-sandbox

help:
	@grep -hE '^## ' $(MAKEFILE_LIST) | sed 's/^## //'

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC  )$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

define ptx_rule
$(BUILD)/obj/ptx-$(1)/%.o: judge/ptx/exec/%.c
	@mkdir -p $$(@D)
	$$(call quiet,CC  )$$(CC) $$(CFLAGS_ALL) $$(if $$(SANITIZE),,-O3) -ffp-contract=off -Wno-psabi -DPTX_ISA=$(1) $$(ptx_flags_$(1)) -MMD -MP -c $$< -o $$@
endef
$(foreach isa,$(ptx_isas) scalar,$(eval $(call ptx_rule,$(isa))))

$(BUILD)/libgavel-ptx.a: $(call objects,$(ptx_sources)) $(foreach isa,$(ptx_isas),$(call ptx_objects,$(isa))) Makefile
	@rm -f $@
	$(call quiet,AR  )$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/libgavel-sandbox.a: $(call objects,$(sandbox_sources)) Makefile
	@rm -f $@
	$(call quiet,AR  )$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/libgavel.a: $(call objects,$(judge_sources)) Makefile
	@rm -f $@
	$(call quiet,AR  )$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/gavel: $(call objects,$(cmd_sources)) $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	$(call quiet,LINK)$(CC) $(LDFLAGS_ALL) $(filter %.c %.o %.a,$^) $(LIBRARIES) -o $@

# The command line sandbox is static where it can be: starting it is part of what its users wait for.
sandbox_link = $(if $(SANITIZE),$(LDFLAGS_ALL),-static -Wl,-z,relro,-z,now $(LDFLAGS))
$(BUILD)/gavel-sandbox: $(call objects,$(sandbox_cli_sources)) $(BUILD)/libgavel-sandbox.a
	$(call quiet,LINK)$(CC) $(sandbox_link) $(filter %.o %.a,$^) $(SANDBOX_LIBRARIES) -o $@

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) $< $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a -lcmocka $(LIBRARIES) -o $@

$(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) $< tests/fuzz/replay.c $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a $(LIBRARIES) -o $@

$(BUILD)/tests/ptx/%: tests/ptx/%.c $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(CFLAGS_ALL) -Itests/ptx -MMD -MP $(LDFLAGS_ALL) $< $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a $(LIBRARIES) -o $@

$(BUILD)/sandbox-bench: tests/bench/sandbox_bench.c $(BUILD)/libgavel-sandbox.a
	$(call quiet,LINK)$(CC) $(CFLAGS_ALL) -MMD -MP -static $< $(BUILD)/libgavel-sandbox.a $(SANDBOX_LIBRARIES) -lm -o $@

$(BUILD)/validator-bench: tests/bench/validator_bench.c $(BUILD)/libgavel.a $(BUILD)/libgavel-sandbox.a
	$(call quiet,LINK)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) $(filter %.c %.o %.a,$^) $(LIBRARIES) -o $@

$(BUILD)/ptx-bench: tests/bench/ptx_bench.c $(call ptx_objects,scalar) $(BUILD)/libgavel-ptx.a $(BUILD)/libgavel.a
	$(call quiet,LINK)$(CC) $(CFLAGS_ALL) -MMD -MP $(LDFLAGS_ALL) $(filter %.c %.o %.a,$^) $(LIBRARIES) -o $@

$(BUILD)/bench-true: tests/bench/true.c
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) -O2 -static $< -o $@

-include $(shell test -d $(BUILD) && find $(BUILD) -name '*.d')

# ---- set-up: what is missing comes from Debian, by name ------------------------------------------------------

BUILD_PACKAGES := gcc g++ libc6-dev binutils libjansson-dev libyaml-dev libsodium-dev libseccomp-dev \
	libzstd-dev liblz4-dev python3
TEST_PACKAGES := libcmocka-dev python3-jsonschema util-linux

.PHONY: setup setup-test setup-lint
setup:
	@tests/setup.sh $(BUILD_PACKAGES)
setup-test:
	@tests/setup.sh $(BUILD_PACKAGES) $(TEST_PACKAGES)
setup-lint:
	@tests/setup.sh clang clang-format clang-tidy libclang-rt-dev

# ---- the two commands -----------------------------------------------------------------------------------------

.PHONY: demo test
## make demo       install what is missing, build, judge model and wrong solutions of `islands`
demo: setup
	@$(MAKE) --no-print-directory all
	@tests/e2e/demo.sh $(BUILD)/gavel

## make test       install what is missing, build, run every test (under 12 minutes on 2 cores)
test: setup-test
	@tests/run.sh

# ---- the rest ---------------------------------------------------------------------------------------------------

.PHONY: tests sanitize-tests layers lint format install portable bench-sandbox bench-validator bench-ptx fuzz clean
# What tests/run.sh needs built.
tests: all $(unit_tests) $(fuzz_replays) $(ptx_tests)
sanitize-tests:
	@$(MAKE) --no-print-directory SAN=1 $(patsubst $(BUILD)/%,build/sanitize/%,$(unit_tests) $(fuzz_replays) $(ptx_tests)) \
		build/sanitize/gavel build/sanitize/gavel-sandbox

## make install    install below PREFIX (default /usr/local), problem bank and its data included; honours DESTDIR
share := $(DESTDIR)$(PREFIX)/share/gavel
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(share) $(DESTDIR)$(PREFIX)/share/doc/gavel
	install -m 755 $(BUILD)/gavel $(BUILD)/gavel-sandbox $(DESTDIR)$(PREFIX)/bin
	install -m 644 README.md LICENSE $(wildcard docs/*) $(DESTDIR)$(PREFIX)/share/doc/gavel
	rm -rf $(share)/problems
	cp -R problems $(share)/problems
	for problem in $(notdir $(wildcard problems/*)); do \
		$(BUILD)/gavel generate --quiet problems/$$problem --into $(share)/problems/$$problem/data || exit; done

## make portable   statically linked programs in build/portable, with what the sandbox's tests need to be compiled and run
##                 on a machine that has gcc but no -dev packages (tests/sandbox/run --portable there)
multiarch = $(shell $(CC) -print-multiarch)
portable:
	@$(MAKE) --no-print-directory PORTABLE=1 build/portable/gavel build/portable/gavel-sandbox \
		build/portable/sandbox-bench build/portable/bench-true
	@mkdir -p build/portable/deps/include build/portable/deps/lib
	cp /usr/include/cmocka*.h build/portable/deps/include
	cp -L /usr/lib/$(multiarch)/libseccomp.a /usr/lib/$(multiarch)/libcmocka.so.0 build/portable/deps/lib
	ln -sf libcmocka.so.0 build/portable/deps/lib/libcmocka.so
	rm -rf build/portable/obj build/portable/tests
	@du -sh build/portable

## make bench-sandbox    overhead of a fresh run over a bare vfork+exec, interleaved
bench-sandbox: $(BUILD)/sandbox-bench $(BUILD)/bench-true
	$(BUILD)/sandbox-bench $(BUILD)/bench-true

## make bench-validator  the default output validator on 8 MB of numbers
bench-validator: $(BUILD)/validator-bench
	$(BUILD)/validator-bench

## make bench-ptx      the PTX machine: thread-instructions a second by instruction set, and against a scalar build
bench-ptx: $(BUILD)/ptx-bench
	$(BUILD)/ptx-bench tests/bench/ptx/kernels.ptx

## make layers     fails if a folder includes one above it
layers:
	@tests/layers.sh

## make lint       clang-format and clang-tidy over all sources
lint: setup-lint
	clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h' | grep -v -e '^problems/' -e '^tests/sandbox/attacks/' -e '^tests/package/')
	clang-tidy --quiet $(judge_sources) $(ptx_sources) $(cmd_sources) $(sandbox_sources) $(sandbox_cli_sources) -- -std=gnu17 -D_GNU_SOURCE -Iinclude -Ijudge \
		-DGAVEL_VERSION='""' -DGAVEL_PREFIX='""'
format:
	clang-format -i $$(git ls-files '*.c' '*.h' | grep -v -e '^problems/' -e '^tests/sandbox/attacks/' -e '^tests/package/')

## make fuzz       libFuzzer over every entry, FUZZ_SECONDS each (default 60)
FUZZ_SECONDS ?= 60
fuzz: setup-lint
	@tests/fuzz/run.sh $(FUZZ_SECONDS)

clean:
	rm -rf build
