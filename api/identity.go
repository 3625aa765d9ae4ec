package api

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// identityBodyLimit is the most bytes of a request to the identity provider.
const identityBodyLimit = 64 << 10

// keepable gives a handler requests whose strings are its own to keep. Those of
// Fiber's adaptor alias the connection's buffer, which the next request
// overwrites, and the identity provider keeps what it is sent between the steps
// of a sign-in.
func keepable(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, identityBodyLimit))
		if err != nil {
			http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
			return
		}
		own, err := http.NewRequestWithContext(r.Context(), strings.Clone(r.Method), strings.Clone(r.URL.String()), bytes.NewReader(body)) //nolint:gosec // it is handed on inside the process and goes nowhere
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
