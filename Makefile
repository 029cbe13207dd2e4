# make build   bin/commonplace, and ONNX Runtime's library beside it
# make run     build, then the demonstration
# make test    build, then every fast test
# make slow    the tests that take longer: a run and a crawl, each killed at twenty moments
# make flink-up, make flink-down   a Flink on this machine, for --runner flink
#
# Needed: Go, make, Python 3 with pip, and a C compiler. Nothing else.

BIN := bin/commonplace
LDFLAGS := -s -w

# Beam brings the cloud storage client; without its gRPC side the program is a
# fifth smaller. All targets use the same flags, so that Beam is compiled once.
export GOFLAGS := $(GOFLAGS) -trimpath -tags=disable_grpc_modules,grpcnotrace

.PHONY: build run test slow onnxruntime flink-up flink-down clean

build: onnxruntime
	go build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/commonplace

run: build
	$(BIN) build configs/demo.yaml

test: build
	go vet ./...
	go test ./...
	python3 models/features.py --check

slow: build
	COMMONPLACE_SLOW=1 go test -v -count=1 -run 'TestCrash|TestCrawlKilled|TestScripts/extremes' ./cmd/commonplace

# The pinned library, SHA-256 checked, in lib/onnxruntime.
onnxruntime:
	@models/fetch-onnxruntime.sh

# Needs Java and Maven too.
flink-up flink-down:
	@deploy/flink/$(@:flink-%=%)

clean:
	rm -rf bin lib out
