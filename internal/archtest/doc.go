// Package archtest tests the architecture: imports go down the floors, rooms on the same
// floor do not import each other, actors start no goroutines and use no locks.
package archtest
