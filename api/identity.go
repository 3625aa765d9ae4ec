package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// identityBodyLimit is the most bytes of a request to the identity provider.
const identityBodyLimit = 64 << 10

// identityTime is how long the identity provider may take for one request.
const identityTime = 30 * time.Second

// keepable gives a handler requests whose strings are its own to keep. Those of
// Fiber's adaptor alias the connection's buffer, which the next request
// overwrites, and the identity provider keeps what it is sent between the steps
// of a sign-in. The same holds for the context: fasthttp's is used again for the next
// request and ends with the server without a lock, while the database's driver still
// waits for its end in a goroutine.
func keepable(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, identityBodyLimit))
		if err != nil {
			http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), identityTime)
		defer cancel()
		method, address := strings.Clone(r.Method), strings.Clone(r.URL.String())
		own, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body)) //nolint:gosec // handed on inside the process
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
