package main

/*
extern int parley_walls;
*/
import "C"

import (
	"os"

	"parley.dev/parley/connectors/workbench/frame"
)

const (
	wallRoot  = 1
	wallCalls = 2
)

// walls reports which parts of the sandbox the constructor in sandbox_linux.c could set up.
func walls() frame.Walls {
	return frame.Walls{
		Root:  C.parley_walls&wallRoot != 0,
		Calls: C.parley_walls&wallCalls != 0,
		User:  os.Getuid(),
	}
}
