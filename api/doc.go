// Package api is the HTTP interface, with JSON answers. It contains no business rules: it
// checks the bearer, reads the request, calls a domain service or the actor engine, and
// writes the answer.
//
// A request passes, in this order:
//
//	envelope       request id, security headers, recovery, log line, metrics
//	authenticate   bearer (or presigned link) → caller; no part of a body is read before
//	rights         the right that the call names (right.go), before its body is read
//	normalise      body limit, one spelling of names, duplicate keys, NUL, nesting
//	huma           shape of the input, 422 with every bad field
//	handler        one file per resource
//
// Errors become problem documents by one table (error.go). The live stream (stream), the
// bearer (auth) and the JSON shapes (wire) have separate packages.
package api
