// Package workbench runs queries, reads uploaded files and measures prepared ones in worker processes
// (cmd/parley-worker), one process for each, never inside the node: people's uploads and
// models' statements are treated as hostile.
//
//	Bench ── slots: how many workers run at once, and a bounded queue before them, fair to organisations
//	  ├── launcher: starts processes from one thread, behind the walls the machine allows
//	  ├── idle workers: started ahead, each used once
//	  └── folder of a worker: contains only links to the files of its request
//
// A worker is killed with its process group when its context ends, when its time is over,
// and when it has answered. The node trusts only the structure of an answer. Only the files
// that are moved to their final path are durable, such as the database of PrepareCSV.
package workbench
