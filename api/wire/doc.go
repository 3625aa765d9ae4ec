// Package wire contains the JSON types of requests and answers, and the converters from and
// to the domain. The field names are the names of the specification in camelCase. Messages
// and persons have the same shapes as in the live stream (actors/protocol).
package wire
