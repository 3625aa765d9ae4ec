# Parley. `make run` starts the product, `make test` runs every test.
# Both install from the package registries what they need and do not find.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

# With -trimpath in all of them, tests that build a binary share its packages with bin/.
export GOFLAGS ?= -buildvcs=false -trimpath
# VERSION identifies the build in `parley version`, the metrics and the log.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
tool := go tool -modfile=tools/go.mod
# Where scripts/doctor puts them if they are not installed. Without Redis the nodes of make cluster work alone.
haproxy = $(or $(HAPROXY),$(shell command -v haproxy),tmp/haproxy/haproxy)
redis = $(or $(REDIS_SERVER),$(shell command -v redis-server),$(wildcard tmp/redis/redis-server))
web_sources := $(shell find web/src web/public web/index.html web/vite.config.ts web/build web/tsconfig.json -type f 2>/dev/null)

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z0-9/]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# ---------------------------------------------------------------- run

.PHONY: run
run: doctor ## build everything and start the product on its embedded defaults
	@$(MAKE) --no-print-directory -j2 build
	@echo "▸ starting" && exec scripts/serve

.PHONY: cluster
cluster: build ## start docker-compose.yml's topology without containers: three nodes, Postgres, Redis, HAProxy, at the same ports
	@scripts/doctor cluster
	@go build -o bin/parley-cluster ./cmd/parley-cluster
	@exec bin/parley-cluster -haproxy "$(haproxy)" -redis "$(redis)"

.PHONY: doctor
doctor:
	@scripts/doctor run

.PHONY: build
build: build/server web/dist/index.html ## build server, worker and web

.PHONY: build/server
build/server:
	@echo "▸ building the server (the first time takes a few minutes)"
	@go build -ldflags="-s -w -X main.version=$(VERSION)" -o bin/parley ./cmd/parley
	@echo "▸ building the query worker"
	@go build -ldflags="-s -w" -o bin/parley-worker ./cmd/parley-worker
	@echo "▸ server and worker are built"

.PHONY: build/bench
build/bench:
	@echo "▸ building the benchmark"
	@go build -ldflags="-s -w" -o bin/parley-bench ./cmd/parley-bench

# The stamp says which lock file node_modules was installed from.
web/node_modules/.stamp: web/package.json web/package-lock.json
	@echo "▸ installing the web packages"
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

web/dist/index.html: web/node_modules/.stamp $(web_sources)
	@echo "▸ building the web"
	@cd web && npm run --silent build
	@touch $@

# ---------------------------------------------------------------- test

.PHONY: test
test: test/go test/web test/e2e ## run every test: Go with the race detector, web units, end to end in Chromium

# The code of passwords and archives shares no memory. With the race detector it takes eight times as long: 80 s of a core in all.
race := -race -gcflags=golang.org/x/crypto/blowfish=-race=false -gcflags=compress/flate=-race=false
# The tests of Go run in two lanes, one program of each at a time. The programs of the first lane start nodes and processes and
# check times; cmd/parley, the longest, uses about a third of two cores for six minutes. The second lane computes: it takes what the
# first one leaves idle, and gives way to it.
timed := ./cmd/parley ./internal/integration ./actors/... ./cluster ./persistence/...
# These read files, or make statements by chance: each test is one goroutine with data of its own, so there is nothing to race, and
# the detector makes them take up to five times as long.
alone := ./internal/archtest ./analyst/query/querytest
alone_in_worker := ^(TestTotals|TestTotals_NotMeasured|TestTotals_Random|TestQueryTree_Random|TestPlans_Golden|TestTraps_ModelGivesUp)$$
suites := ^TestEval_Builtin$$
.PHONY: test/go
# By default, the race detector waits a second at the end of each of the 60 programs, to find races of their last moment.
test/go: export GORACE ?= atexit_sleep_ms=0
test/go: web/node_modules/.stamp ## run the Go tests with the race detector against a real Postgres
	@scripts/doctor test
	@# Everything is compiled first, on both cores: two lanes at once would compile the same packages twice.
	go list -export -test $(race) ./... >/dev/null
	@$(MAKE) --no-print-directory --keep-going -j2 test/go/timed test/go/computed

# The linter vets the same code already.
.PHONY: test/go/timed
test/go/timed:
	go test -vet=off $(race) -p 1 -skip '$(suites)' -timeout 20m $(timed)
	@echo "▸ the wire between nodes, without the race detector: the actor library itself races where two are in one process"
	go test -vet=off -timeout 5m -run 'TestWire' ./cluster

.PHONY: test/go/computed
test/go/computed: lane := nice -n 5 go test -vet=off -p 1 -timeout 20m
test/go/computed:
	@# Single tests of the API wait most of the time: with sixteen at once they keep both cores busy.
	$(lane) $(race) -parallel 16 ./api
	$(lane) $(race) -skip '$(alone_in_worker)' $$(go list ./... | grep -vxFf <(go list ./api $(timed) $(alone)))
	@echo "▸ tests of one goroutine each, without the race detector"
	$(lane) $(alone)
	$(lane) -run '$(alone_in_worker)' ./cmd/parley-worker
	@echo "▸ the suites of questions, without the race detector: it adds two minutes, and one question shares no memory with another"
	$(lane) -run '$(suites)' ./cmd/parley

.PHONY: test/one
test/one: ## run some Go tests without the race detector: make test/one PKG=persistence RUN=TestStore
	go test -count=1 -run '$(RUN)' ./$(patsubst ./%,%,$(or $(PKG),$(error say which: make test/one PKG=persistence RUN=TestStore)))

.PHONY: test/web
test/web: web/node_modules/.stamp ## run the web unit tests
	cd web && npm run --silent test

.PHONY: test/e2e
test/e2e: build ## drive the real server in real Chromium
	@scripts/doctor e2e
	@scripts/test-e2e

.PHONY: test/broken
test/broken: ## give the query worker 10,000 damaged files; takes about ten minutes
	PARLEY_BROKEN_FILES=10000 go test -count=1 -timeout 60m -run Q41 -v ./cmd/parley-worker

# These change the run; docs/guarantees.md has its figures.
PARTITIONS ?= 50
PAUSES ?= 20
ZOMBIES ?= 50
ROLLS ?= 3
ANSWER ?= 20
LONG_ANSWER ?= 55
FAULT_RUNS ?= 3
FULL_LENGTH ?=
PAIRS ?= 16
PLANTED ?= 20
FIGURES ?= 15
JOINS ?= 50
FAIR ?= 2
SKEW ?= 10
NAMESPACES ?= 12
STORM ?= 10000
SEED ?= 18
.PHONY: chaos
chaos: chaos/network chaos/drains chaos/faults chaos/lengths chaos/pairs chaos/figures
chaos: chaos/planted test/release ## harm three nodes in every way of docs/guarantees.md; three hours

.PHONY: chaos/network
chaos/network: ## cut the network 62 times, stop nodes 20 times for 3 s and 50 times past their lease, restart each 3 times; 35 minutes
	@scripts/doctor network
	PARLEY_TEST_PARTITIONS=$(PARTITIONS) PARLEY_TEST_PAUSES=$(PAUSES) PARLEY_TEST_ROLLS=$(ROLLS) PARLEY_TEST_ANSWER=$(ANSWER) \
		PARLEY_TEST_ZOMBIES=$(ZOMBIES) PARLEY_TEST_NAMESPACES=$(NAMESPACES) PARLEY_TEST_SEED=$(SEED) \
		go test -vet=off -count=1 -timeout 120m -run '^TestTrial_(Apart|Namespaces|Paused|Rolling|Zombies)$$' -v ./cmd/parley

.PHONY: chaos/drains
chaos/drains: ## restart each node once while answers of 55 s are streaming; LONG_ANSWER=40 makes them shorter; 6 minutes
	PARLEY_TEST_ROLLS=1 PARLEY_TEST_ANSWER=$(LONG_ANSWER) \
		go test -vet=off -count=1 -timeout 30m -run '^TestTrial_Rolling$$' -v ./cmd/parley

.PHONY: chaos/faults
chaos/faults: ## do each fault three times to three nodes under load, check the history, print a table; FAULTS=^F19 does some; 60 minutes
	PARLEY_TEST_FAULT_RUNS=$(FAULT_RUNS) PARLEY_TEST_FAULTS='$(FAULTS)' PARLEY_TEST_SEED=$(SEED) PARLEY_TEST_FULL_LENGTH=$(FULL_LENGTH) \
		go test -vet=off -count=1 -timeout 240m -run '^TestFaults$$' -v ./cmd/parley

.PHONY: chaos/lengths
chaos/lengths: ## do those faults once for as long as their row says that are shorter otherwise, such as 5 minutes without Redis; 10 minutes
	@$(MAKE) --no-print-directory chaos/faults FAULTS='^F(09|22|26)' FAULT_RUNS=1 FULL_LENGTH=1

.PHONY: chaos/pairs
chaos/pairs: ## do 16 pairs of faults that overlap, check the history, print a table; FAULTS=F22 does some; 20 minutes
	PARLEY_TEST_PAIRS=$(PAIRS) PARLEY_TEST_FAULTS='$(FAULTS)' PARLEY_TEST_SEED=$(SEED) \
		go test -vet=off -count=1 -timeout 240m -run '^TestFaults_Pairs$$' -v ./cmd/parley

.PHONY: chaos/figures
chaos/figures: ## kill and stop nodes, let one join 50 times, kill one with a third of 10,000 sockets; print times and spread; 25 minutes
	@scripts/doctor cluster
	PARLEY_TEST_FIGURES=$(FIGURES) PARLEY_TEST_JOINS=$(JOINS) PARLEY_TEST_FAIR=$(FAIR) PARLEY_TEST_STORM=$(STORM) \
		PARLEY_TEST_SKEW=$(SKEW) PARLEY_TEST_SEED=$(SEED) \
		HAPROXY="$(abspath $(haproxy))" go test -vet=off -count=1 -timeout 60m -run '^TestFigures' -v ./cmd/parley

.PHONY: chaos/planted
chaos/planted: ## build the nodes with planted bugs, which the checker must find within 20 runs; PLANTS=sweeper plants some; 20 minutes
	PARLEY_TEST_PLANTED=$(PLANTED) PARLEY_TEST_PLANTS='$(PLANTS)' PARLEY_TEST_SEED=$(SEED) \
		go test -vet=off -count=1 -timeout 480m -run '^TestPlanted$$' -v ./cmd/parley

# RELEASE is a commit or a tag of this clone.
RELEASE ?= $(shell cat persistence/testdata/release/version)
.PHONY: test/release
test/release: ## run the last release's tests of the store on this schema, and its nodes beside those of this tree; 8 minutes
	scripts/test-release "$(RELEASE)"

.PHONY: release/schema
release/schema: ## when a release is made: write down what it expects of the database, so that later migrations are tried against it
	go run ./persistence/internal/releasegen persistence/internal/dbsqlc persistence/migrations persistence/testdata/release "$(VERSION)"

.PHONY: eval
eval: build/server ## ask the builtin planner all questions with known answers, and compare with the baseline
	bin/parley eval --against eval/baseline.json

.PHONY: bench
bench: build build/bench ## measure: Go benchmarks, the load tester against a server of its own, then the API at scale beside pgbench
	@scripts/bench
	@scripts/bench-api

.PHONY: bench/api
bench/api: build/server build/bench ## measure the commonest calls beside pgbench with 100,000 conversations and 2,000,000 messages
	@scripts/bench-api

.PHONY: bench/growth
bench/growth: build/server build/bench ## measure arrivals and a model's answers with 1,000, 100,000 and 1,000,000 stored conversations
	@scripts/bench-growth

.PHONY: bench/nodes
bench/nodes: build/server ## measure what arrivals and a model's answers cost on 1, 2 and 4 nodes
	@scripts/doctor cluster
	@scripts/bench-nodes

# ---------------------------------------------------------------- work

.PHONY: dev
dev: build ## run the server, and the web with hot reload on :5173
	@trap 'kill 0' EXIT; ./bin/parley serve & cd web && npm run dev

# One part after the other: the program that writes the OpenAPI document is compiled with what the others write.
.PHONY: generate
generate: ## write all generated code again: the three below
	@$(MAKE) --no-print-directory -j1 generate/proto generate/sql generate/api

.PHONY: generate/sql
generate/sql: ## write the code of persistence/queries and migrations again
	rm -f persistence/internal/dbsqlc/*.sql.go cmd/parley-bench/scale/scaledb/*.sql.go
	@# Without cgo it parses by WebAssembly: compiling Postgres' parser in C takes a minute and a half of a core.
	CGO_ENABLED=0 $(tool) sqlc generate
	go run ./persistence/internal/batchgen persistence/internal/dbsqlc domain

.PHONY: generate/proto
generate/proto: ## write the code of actors/protocol/*.proto again
	@scripts/doctor generate
	protoc -I actors/protocol --plugin=protoc-gen-go=$$($(tool) -n protoc-gen-go) --go_out=actors/protocol \
		--go_opt=paths=source_relative actors/protocol/*.proto

.PHONY: generate/api
generate/api: web/node_modules/.stamp ## write api/openapi.json, docs/rights.md and the types of the web again
	go run ./api/internal/openapigen
	cd web && npm run --silent generate:wire

# Prettier formats what is below web, golangci-lint formats Go. Without FILES and PKG, everything is formatted.
fmt_go := $(if $(FILES),$(filter %.go,$(FILES)),$(if $(PKG),./$(patsubst ./%,%,$(PKG)),./...))
fmt_web := $(if $(FILES),$(patsubst web/%,%,$(filter web/%,$(FILES))),$(if $(PKG),,.))
.PHONY: fmt
fmt: $(if $(fmt_web),web/node_modules/.stamp) ## format everything, or make fmt PKG=persistence, or make fmt FILES=web/src/lib/paths.ts
	$(if $(fmt_go),$(tool) golangci-lint fmt $(fmt_go))
	$(if $(fmt_web),cd web && npx --no-install prettier --write --cache $(fmt_web))

.PHONY: verify
verify: web/node_modules/.stamp ## fail when generated code or the module files are not up to date; writes nothing into the tree
	@scripts/verify

linters := lint/eslint lint/go lint/openapi lint/web lint/deploy
.PHONY: lint
lint: ## run every linter, two at a time
	@$(MAKE) --no-print-directory --keep-going -j2 $(linters)

.PHONY: check
check: ## verify and lint, two at a time: Go is linted while the web packages are installed
	@$(MAKE) --no-print-directory --keep-going -j2 verify $(linters)

# It takes about as long as all the others together: its rules use the types of the whole program, so a cache of
# single files would be wrong. The others have their caches in node_modules/.cache, which npm ci removes.
.PHONY: lint/eslint
lint/eslint: web/node_modules/.stamp
	cd web && npm run --silent lint

.PHONY: lint/go
lint/go: export GOGC ?= 200
lint/go:
	$(tool) golangci-lint run ./...

.PHONY: lint/one
lint/one: ## lint the Go packages of one folder: make lint/one PKG=persistence
	$(tool) golangci-lint run ./$(patsubst ./%,%,$(or $(PKG),$(error say which: make lint/one PKG=persistence)))/...

.PHONY: lint/openapi
lint/openapi: tools/openapi/node_modules/.stamp
	cd tools/openapi && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
		npx --no-install redocly lint --config redocly.yaml ../../api/openapi.json

.PHONY: lint/web
lint/web: web/node_modules/.stamp
	cd web && npm run --silent typecheck && npm run --silent format:check && npm run --silent depcruise && npm run --silent knip

# The module of the checks has the libraries of Prometheus, Grafana, compose, BuildKit and Kubernetes; promtool and haproxy
# are fetched from Debian.
promtool = $(or $(PROMTOOL),$(shell command -v promtool),tmp/prometheus/promtool)
.PHONY: lint/deploy
lint/deploy: ## check the image, compose, Kubernetes, the alarms, the dashboard and the balancer, each with its own tool
	@scripts/doctor deploy
	$(promtool) check config deploy/prometheus/prometheus.yml
	$(promtool) test rules deploy/prometheus/alerts_test.yml
	@# Outside of compose the names of the nodes are not known, which is only a warning.
	$(haproxy) -c -f deploy/haproxy/haproxy.cfg 2>&1 | \
		grep -v -e 'could not resolve address' -e NOTICE -e 'Warnings were' || [ $${PIPESTATUS[0]} = 0 ]
	@# The files that it reads are outside of its module, so results of earlier runs do not count.
	cd deploy/check && go test -count=1 ./... && go mod tidy -diff

tools/openapi/node_modules/.stamp: tools/openapi/package.json tools/openapi/package-lock.json
	@cd tools/openapi && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: db/reset
db/reset: ## throw the embedded database and files away
	@scripts/reset
