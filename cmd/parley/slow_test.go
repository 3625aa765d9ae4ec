//go:build !race

package main

// slower is by how much limits of time are longer: not at all without the race detector.
const slower = 1
