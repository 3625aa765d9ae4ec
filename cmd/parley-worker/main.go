// Command parley-worker answers one request of a node and exits. A request is a query over
// prepared databases, the plan of a query to a remote one, the preparation of an uploaded file, its measurement, or the
// export of a table. The worker
// is a separate process because a node cannot limit what a query language uses inside its own
// process: one call of repeat() made DuckDB use 7.85 GB in spite of a limit of 256 MB. DuckDB and
// its C++ code are linked only into this program.
//
// A node starts it as
//
//	parley-worker walled <root> <uid> <address> <data> <cpu> <files> <filesize>
//
// with an empty environment. sandbox_linux.c reads the arguments before the Go runtime starts.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"parley.dev/parley/connectors/workbench/frame"
)

const (
	exitFault = 1
	exitUsage = 2
	// goMemory keeps the Go heap small, because DuckDB needs the memory of the process.
	goMemory = 96 << 20
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != "walled" {
		fmt.Fprintln(os.Stderr, "parley-worker is started by parley for each query; it does nothing by itself")
		os.Exit(exitUsage)
	}
	runtime.GOMAXPROCS(2) // one for DuckDB, one for the timer that interrupts it
	debug.SetMemoryLimit(goMemory)
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "parley-worker:", err)
		os.Exit(exitFault)
	}
}

// run opens a database before it sends the hello message, so that a node can keep a worker
// waiting and does not lose time when a query arrives.
func run(in, out *os.File) error {
	db, err := openMemory()
	if err != nil {
		return err
	}
	hello := frame.Hello{Version: frame.Version, Engine: engineVersion(), Walls: walls()}
	if err := frame.Write(out, hello, frame.MaxReply); err != nil {
		return fmt.Errorf("say hello: %w", err)
	}
	var request frame.Request
	if err := frame.Read(in, &request, frame.MaxRequest); err != nil {
		return fmt.Errorf("wait for a request: %w", err)
	}
	if err := frame.Write(out, answer(db, request), frame.MaxReply); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

// answer always returns a reply: an error becomes the fault of the reply.
func answer(db *database, request frame.Request) frame.Reply {
	switch {
	case request.Kind == frame.KindQuery && request.Query != nil:
		result, err := query(db, *request.Query)
		if err != nil {
			return frame.Reply{Fault: faultOf(err)}
		}
		return frame.Reply{Result: result}
	case request.Kind == frame.KindCSV && request.CSV != nil:
		return fileReply(prepareCSV(db, *request.CSV))
	case request.Kind == frame.KindXLSX && request.Document != nil:
		return fileReply(prepareWorkbook(db, *request.Document))
	case request.Kind == frame.KindPPTX && request.Document != nil:
		return fileReply(prepareSlides(db, *request.Document))
	case request.Kind == frame.KindTables && request.Tables != nil:
		return fileReply(prepareTables(db, *request.Tables))
	case request.Kind == frame.KindExport && request.Export != nil:
		made, err := export(*request.Export)
		if err != nil {
			return frame.Reply{Fault: faultOfFile(err)}
		}
		return frame.Reply{Made: made}
	case request.Kind == frame.KindFacts && request.Facts != nil:
		measured, err := surveyFacts(db, request.Facts)
		if err != nil {
			return frame.Reply{Fault: faultOfFile(err)}
		}
		return frame.Reply{Measured: measured}
	case request.Kind == frame.KindPlan && request.Plan != nil:
		planned, err := planOverEmpty(db, request.Plan)
		if err != nil {
			return frame.Reply{Fault: faultOf(err)}
		}
		return frame.Reply{Planned: planned}
	default:
		return frame.Reply{Fault: &frame.Fault{Code: "internal", Message: "unknown request"}}
	}
}

func fileReply(file *frame.File, err error) frame.Reply {
	if err != nil {
		return frame.Reply{Fault: faultOfFile(err)}
	}
	return frame.Reply{File: file}
}
