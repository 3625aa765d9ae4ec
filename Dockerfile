FROM node:20-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund --omit=optional
COPY api/openapi.json /src/api/openapi.json
COPY web ./
RUN npm run build

FROM golang:1.26-bookworm AS server
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unknown
RUN go build -trimpath -ldflags="-s -w -X main.version=${VERSION}" -o /out/bin/ ./cmd/parley ./cmd/parley-worker

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libstdc++6 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --create-home --home-dir /var/lib/parley parley
COPY --from=server /out/bin/ /opt/parley/bin/
COPY --from=web /src/web/dist/ /opt/parley/web/dist/
USER parley
EXPOSE 8080
ENTRYPOINT ["/opt/parley/bin/parley"]
CMD ["serve"]
