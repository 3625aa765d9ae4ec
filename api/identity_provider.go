package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// identityBodyLimit is the maximum size of the body of a request to the identity provider, in
// bytes.
const identityBodyLimit = 64 << 10

// identityTime is how long the identity provider may take for one request.
const identityTime = 30 * time.Second

// copied passes a copy of each request to a handler. The strings of Fiber's adaptor alias the
// connection's buffer, which the next request overwrites, and the identity provider keeps
// them between the steps of a sign-in. The context is copied as well: fasthttp reuses its
// context for the next request and ends it with the server without a lock, while a goroutine
// of the database's driver may still wait for the end of this context.
func copied(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, identityBodyLimit))
		if err != nil {
			http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), identityTime)
		defer cancel()
		method, address := strings.Clone(r.Method), strings.Clone(r.URL.String())
		own, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body)) //nolint:gosec // passed on inside the process
		if err != nil {
			http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
			return
		}
		own.RequestURI = strings.Clone(r.RequestURI)
		own.Host = strings.Clone(r.Host)
		own.RemoteAddr = strings.Clone(r.RemoteAddr)
		for name, values := range r.Header {
			for _, v := range values {
				own.Header.Add(strings.Clone(name), strings.Clone(v))
			}
		}
		h.ServeHTTP(w, own)
	})
}
