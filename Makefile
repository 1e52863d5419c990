# Ghost Convert: make targets
#
#   make demo       installs missing packages, builds, imports the fixtures, prints a summary
#   make test       installs missing packages, runs all tests
#
#   make setup      installs missing system packages (Debian, Ubuntu, macOS with Homebrew)
#   make setup-browser  installs Chromium and Playwright, for the test of reports
#   make test-browser   opens reports in a headless Chromium and checks them
#   make test-web       checks the web files of the report
#   make setup-spark    installs Java and PySpark, for the test of the Spark job
#   make test-spark     runs the Spark job on two workers and kills one
#   make build      builds the program for release
#   make fuzz TARGET=gpx SECONDS=600   runs a target with random inputs; Fuzz/run list prints the names
#   make test-asan  runs all tests with the address and leak sanitizers
#   make test-tsan  runs all tests with the thread sanitizer
#   make coverage   runs all tests and prints the coverage of each target
#   make trust      prints the results of fuzzing, fault simulation and coverage
#   make bench      measures speed and memory (Benchmarks/run --help)
#   make lint       checks the formatting of the sources and the language of all text
#   make format     formats the sources
#   make deb        builds a Debian package in .build/packages
#   make dist       builds an archive for Linux that needs only glibc, in .build/packages
#   make docs       builds the guide and the reference of the libraries as a website in .build/docs
#   make pictures   makes the pictures of README.md
#   make install    installs program, manual page, completions and documents under PREFIX (/usr/local), below DESTDIR
#   make uninstall  removes the installed files
#   make clean      removes the build output
#   make help       prints this list

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

PROGRAM := ghost-convert
ROOT := $(DESTDIR)$(PREFIX)

# On Linux, the program is linked statically with the libraries of Swift, C++ and GCC, so that it runs without an installed
# Swift and starts in half the time. Nothing loads symbols of the program, so it exports none. Relative relocations, which
# need lld and glibc 2.36, are a third of the size. Identical functions are merged, and nothing in the program catches a C++
# exception, so the tables that find the frames of one are left out. The parts that are not fast paths are optimized for
# size. Together, this saves 9 MB in the archive of `make dist`. Crash reports need only the names of functions, and a build
# without debug information takes a sixth less time; `make build DEBUG_INFO=dwarf` adds it for profilers.
STATIC := .build/static
LINUX_OPTIONS := --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --build-id=none \
  -Xlinker --icf=all -Xlinker --no-eh-frame-hdr -Xlinker -T$(CURDIR)/Scripts/no-tables.ld \
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -L$(CURDIR)/$(STATIC)
DEBUG_INFO ?= none
RELEASE := OPTIMIZE_SIZE=1 $(SWIFT) build -c release -debug-info-format $(DEBUG_INFO) $(if $(filter Linux,$(shell uname -s)),$(LINUX_OPTIONS))

# Homebrew installs libraries that are also part of macOS outside the default folders of pkg-config.
ifeq ($(shell uname -s),Darwin)
BREW := $(shell brew --prefix 2>/dev/null)
export PKG_CONFIG_PATH := $(BREW)/opt/libxml2/lib/pkgconfig:$(BREW)/opt/libarchive/lib/pkgconfig:$(BREW)/opt/sqlite/lib/pkgconfig:$(BREW)/opt/zlib/lib/pkgconfig:$(PKG_CONFIG_PATH)
endif

SOURCES := Package.swift Sources Tests Fuzz/Targets Benchmarks/Package.swift Benchmarks/Sources

.PHONY: help setup setup-browser build demo test setup-spark test-browser test-web test-spark fuzz test-asan test-tsan coverage trust bench deb dist docs pictures lint format install uninstall clean

help:
	@sed -n '/^# Ghost Convert/,/^$$/s/^# \{0,1\}//p' Makefile

setup:
	@Scripts/setup

build: setup $(if $(filter Linux,$(shell uname -s)),$(STATIC)/libstdc++.a $(STATIC)/libgcc_s.a)
	@$(RELEASE) --product $(PROGRAM)

# The linker finds only the static libraries in this folder. libgcc_eh is the static form of libgcc_s.
$(STATIC)/libstdc++.a:
	@mkdir -p $(@D) && ln -sf "$$(clang -print-file-name=libstdc++.a)" $@

$(STATIC)/libgcc_s.a:
	@mkdir -p $(@D) && ln -sf "$$(clang -print-file-name=libgcc_eh.a)" $@

demo: build
	@Scripts/demo "$$($(RELEASE) --show-bin-path)/$(PROGRAM)"

test: setup
	@SWIFT="$(SWIFT)" Scripts/swift-quick test

setup-browser:
	@Scripts/setup-browser

test-browser: setup setup-browser
	@Tests/browser/run

test-web:
	@Tests/check-web

setup-spark:
	@Scripts/setup-spark

test-spark: build setup-spark
	@Tests/check-spark "$$($(SWIFT) build -c release --show-bin-path)/$(PROGRAM)"

# Each sanitizer has a separate build, so that the default build stays valid.
test-asan: setup
	@ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=4:suppressions=$(CURDIR)/Fuzz/address.supp \
	  LSAN_OPTIONS=suppressions=$(CURDIR)/Fuzz/leaks.supp:print_suppressions=0 \
	  $(SWIFT) test --sanitize=address --scratch-path .build/asan

# A process that ends with an error does not wait for its threads.
test-tsan: setup
	@TSAN_OPTIONS=report_thread_leaks=0:suppressions=$(CURDIR)/Fuzz/threads.supp \
	  $(SWIFT) test --sanitize=thread --scratch-path .build/tsan

TARGET ?= gpx
SECONDS ?= 60
fuzz: setup
	@Fuzz/run build
	@Fuzz/run fuzz $(TARGET) $(SECONDS)

coverage: setup
	@Scripts/coverage

trust: setup
	@Scripts/trust

bench:
	@Scripts/setup --peers
	@Benchmarks/run

deb: build
	@Scripts/deb "$$($(RELEASE) --show-bin-path)/$(PROGRAM)"

# LIBXML2=FILE bundles a libxml2 without ICU, which Scripts/build-libxml2 builds.
dist: build
	@Scripts/dist "$$($(RELEASE) --show-bin-path)/$(PROGRAM)" $(if $(LIBXML2),--without-icu "$(LIBXML2)")

docs:
	@Scripts/docs

pictures: build
	@Scripts/pictures "$$($(RELEASE) --show-bin-path)/$(PROGRAM)"

lint:
	@$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format $(SOURCES)
	@Scripts/check-links
	@Scripts/format-pages --check
	@Scripts/check-prose

format:
	@$(SWIFT) format --in-place --parallel --recursive --configuration .swift-format $(SOURCES)

# Builds only if the program does not exist, so that `sudo make install` creates no build files owned by root.
install:
	@program="$$($(RELEASE) --show-bin-path)/$(PROGRAM)"; \
	test -x "$$program" || $(MAKE) build; \
	Scripts/install-files "$$program" "$(ROOT)" && \
	echo "installed $(ROOT)/bin/$(PROGRAM), its manual page, completions and documents"

uninstall:
	@rm -f "$(ROOT)/bin/$(PROGRAM)" "$(ROOT)/share/man/man1/$(PROGRAM).1" \
	  "$(ROOT)/share/bash-completion/completions/$(PROGRAM)" "$(ROOT)/share/zsh/site-functions/_$(PROGRAM)" \
	  "$(ROOT)/share/fish/vendor_completions.d/$(PROGRAM).fish"
	@rm -rf "$(ROOT)/share/doc/$(PROGRAM)"
	@echo "removed $(PROGRAM) from $(ROOT)"

clean:
	@rm -rf .build Benchmarks/.build
