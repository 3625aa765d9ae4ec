//go:build !race

package main

// raceFlag builds a server as this test was built, of packages that are compiled already.
func raceFlag() []string { return nil }
