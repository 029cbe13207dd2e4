# The program for people: the demonstration runs in it, and so do your own books.
#
#   docker build -t commonplace .
#   docker run --rm commonplace build configs/demo.yaml
#   docker run --rm -u "$(id -u)" -v "$PWD:/books" -w /books commonplace build novels
#
# Tables go where the command runs; /commonplace is the only folder of the image's own.
# CI builds the last stage and starts it as deploy/schedule/cronjob.yaml does (.ci/image).
FROM golang:1.26-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make build

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /commonplace
COPY --from=build /src/bin bin
COPY --from=build /src/lib lib
COPY --from=build /src/models models
COPY --from=build /src/configs configs
COPY --from=build /src/testdata testdata
COPY --from=build /src/infer/testdata/models infer/testdata/models
COPY --from=build /src/infer/tokenizer/testdata infer/tokenizer/testdata
RUN mkdir out && chmod 1777 out
# Models that lie in buckets are kept there. The user may have no home.
ENV XDG_CACHE_HOME=/tmp
ENTRYPOINT ["/commonplace/bin/commonplace"]
CMD ["--help"]
