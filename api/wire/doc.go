// Package wire holds the JSON that requests and answers are made of, and the
// converters from and to the domain. Field names are those of the
// specification in camelCase; messages and persons are the same shapes that
// the live stream carries (actors/protocol).
package wire
