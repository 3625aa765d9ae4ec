// Package api is HTTP in and JSON out, without rules of its own: it checks the
// bearer, reads the request, calls a domain service or the front door to the
// actors, and writes the answer.
//
// A request passes, in this order:
//
//	envelope       request id, security headers, recovery, log line, metrics
//	authenticate   bearer (or presigned link) → caller; nothing of a body is read before
//	rights         the one that the call names (right.go), before its body is read
//	normalise      body limit, one spelling of names, duplicate keys, NUL, nesting
//	huma           shape of the input, 422 with every bad field
//	handler        one file per resource
//
// Errors become problem documents by one table (error.go). The live stream has a package of
// its own (stream), and so have the bearer (auth) and the JSON shapes (wire).
package api
