//go:build race

package main

// slower is by how much limits of time are longer with the race detector, which makes three
// processes and their clients on two cores several times slower. make chaos runs without it.
const slower = 2
