# The image of a node: the server, the query worker and the web, as a user without rights. It has no shell and no package
# manager; `parley health` is its health check. Build: docker build --build-arg VERSION="$(git describe --always)" .

FROM node:20-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
# With the optional packages: the native parts of the build tools are among them.
RUN npm ci --no-audit --no-fund
COPY api/openapi.json /src/api/openapi.json
COPY web ./
RUN npm run build

FROM golang:1.26-bookworm AS server
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unknown
RUN go build -trimpath -buildvcs=false -ldflags="-s -w -X main.version=${VERSION}" -o /out/bin/ ./cmd/parley ./cmd/parley-worker \
 && install -d -m 0700 /out/data

# It has libc and, for DuckDB, libstdc++; certificates of authorities; and the user 65532, "nonroot".
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=server /out/bin/ /opt/parley/bin/
COPY --from=web /src/web/dist/ /opt/parley/web/dist/
# A volume that is mounted here for the first time takes over the folder's owner.
COPY --from=server --chown=65532:65532 /out/data /var/lib/parley
USER 65532:65532
WORKDIR /var/lib/parley
ENV PARLEY_DATA=/var/lib/parley PARLEY_ADDR=0.0.0.0:8080 PARLEY_OPERATOR_ADDR=0.0.0.0:8081
EXPOSE 8080 8081 8082
STOPSIGNAL SIGTERM
# It asks whether the process is alive. Whether it takes people is /readyz, which the balancer asks.
HEALTHCHECK --interval=10s --timeout=6s --start-period=180s --retries=3 CMD ["/opt/parley/bin/parley", "health"]
ENTRYPOINT ["/opt/parley/bin/parley"]
CMD ["serve"]
