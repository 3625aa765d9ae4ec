// Package archtest holds the floor plan as tests: imports go down, rooms on one
// floor are strangers, actors start no goroutine and take no lock.
package archtest
