// Package workbench runs queries and reads uploaded files in worker processes
// (cmd/parley-worker), one process for each, never inside the node: what people
// upload and what models write is hostile until shown otherwise.
//
//	Bench ── slots: how many workers run at once, and a bounded queue before them
//	  ├── launcher: starts processes from one thread, behind the walls the machine allows
//	  ├── idle workers: started ahead, each used once
//	  └── folder of a worker: empty but for links to the files of its request
//
// A worker is killed with its process group when its context ends, when its time
// is up, and when it has answered. The node believes nothing of an answer but its
// shape. Durable is nothing but the file that PrepareCSV moves into place.
package workbench
