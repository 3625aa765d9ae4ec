//go:build !race

package main

// raceFlag returns the flags to build the server like this test, so that packages which are
// already compiled are reused.
func raceFlag() []string { return nil }
