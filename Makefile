# make build   bin/commonplace, and ONNX Runtime's library beside it; with S3=1 for s3:// paths, too
# make run     build, then the demonstration
# make test    build, then every fast test
# make slow    the tests that take longer: a run and a crawl, each killed at twenty moments; configs/classics.yaml from a mirror on this machine; a run in buckets; the damage suite; sixty nights; who can reach a run, or why that was skipped; six seconds of each fuzz target
# make models-test [MODELS_PYTHON=...]   every head trained on a tiny encoder, exported, scored in the program and judged; installs PyTorch below .cache where no Python is named
# make fuzz [MINUTES=10] [TARGETS=crawl]   every fuzz target for so many minutes of a processor, or those whose package and name match
# make wheel   dist/commonplace_corpus-...whl, the package that pip installs, made of the source archive beside it (python/README.md)
# make release [PLATFORMS=...]   dist/commonplace-...tar.gz with library, models, completions, manual pages; SHA-256 sums; components (deploy/release/make.sh)
# make race    the tests of what works at once, under the race detector
# make vulncheck   what is known to be wrong with the dependencies (asks vuln.go.dev)
# make onnxruntime-gpu   ONNX Runtime for an NVIDIA GPU, in lib/onnxruntime-gpu (deploy/gpu)
# make bench-gpu FOLDER=... [DEVICE=cpu]   what bench/gpu.sh measures; bench/gpu-prepare.sh makes FOLDER
# make flink-up, make flink-down   a Flink on this machine, for --runner flink
#
# Needed: Go, make, Python 3 with pip, and a C compiler. Nothing else.

BIN := bin/commonplace
LDFLAGS := -s -w
comma := ,

# Beam brings the cloud storage client; without its gRPC side the program is a
# fifth smaller. All targets use the same flags, so that Beam is compiled once.
export GOFLAGS := $(GOFLAGS) -trimpath -tags=disable_grpc_modules,grpcnotrace,osusergo$(if $(S3),$(comma)s3)

.PHONY: build run test slow models-test fuzz race release wheel vulncheck onnxruntime onnxruntime-gpu flink-up flink-down clean bench-gpu

build: onnxruntime
	go build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/commonplace

run: build
	$(BIN) build configs/demo.yaml

test: build
	go vet ./...
	go test -timeout 20m ./...
	python3 models/shipped/features.py --check

slow: build
	COMMONPLACE_SLOW=1 go test -v -count=1 -timeout 30m -run 'TestClassics|TestCrash|TestKilledInTheSystemCall|TestCrawlKilled|TestBuckets|TestScripts/extremes' ./cmd/commonplace
	COMMONPLACE_SLOW=1 go test -v -count=1 -timeout 30m -run 'TestDamage|TestTinyDocuments|TestManyBuilds|TestAYearOfNights|TestForgetThatIsKilled|TestNobodyReachesARun' ./pipelines
	bench/fuzz.sh 0.1 '^\./crawl' & bench/fuzz.sh 0.1 '^(\. |\./([^c]|c[^r]))'; other=$$?; wait $$! && exit $$other

MODELS_PYTHON ?= .cache/venv-models/bin/python

models-test: build $(if $(findstring .cache/venv-models,$(MODELS_PYTHON)),.cache/venv-models/done)
	PYTHONPATH=models:models/tests $(MODELS_PYTHON) -W ignore -m unittest discover --buffer models/tests

.cache/venv-models/done: models/shipped/requirements-encoder.lock
	.ci/venv .cache/venv-models $<
	touch $@

fuzz: onnxruntime
	bench/fuzz.sh $(or $(MINUTES),10) $(TARGETS)

wheel:
	.ci/venv .cache/build python/build.lock
	.cache/build/bin/python -m build --no-isolation --outdir dist .

release: build
	deploy/release/make.sh $(PLATFORMS)

# The packages that start goroutines. Of three, which test for many minutes under
# the detector, the tests of what works at once.
race: onnxruntime
	go test -race -timeout 30m ./crawl/... ./export ./infer/... ./label/... ./report ./serve ./sorting ./standalone ./storage/... ./table/... $$(go list ./pipelines/... | grep /pipelines/)
	go test -race -timeout 30m -run 'TestAligner$$|ManyGoroutines' ./align
	go test -race -timeout 30m -run 'AtOnce|HostsGivenUp|ANewBook' ./pipelines
	go test -race -timeout 30m -run 'TestCrawl' ./cmd/commonplace

# Go's own checker; DB=file:///folder takes a copy of the database that was brought.
vulncheck:
	go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 $(if $(DB),-db $(DB)) ./...

# The pinned library, SHA-256 checked, in lib/onnxruntime.
onnxruntime:
	@models/fetch-onnxruntime.sh

# The same with CUDA's provider, in lib/onnxruntime-gpu.
onnxruntime-gpu:
	@models/fetch-onnxruntime-gpu.sh

# Builds nothing: all that it needs lies in FOLDER.
bench-gpu:
	@bench/gpu.sh $(FOLDER) $(DEVICE)

# Needs Java and Maven too.
flink-up flink-down:
	@deploy/flink/$(@:flink-%=%)

clean:
	rm -rf bin lib out dist
