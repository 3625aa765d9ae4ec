package embedded

import (
	"path/filepath"
	"slices"
)

// socketPort only names the socket's file: nothing listens on TCP.
const socketPort = "5432"

// settings is the configuration, given on the command line at each start so
// that an existing cluster follows the product and no file has to be merged.
func settings(socketDir, name string, throwaway bool) []string {
	values := [][2]string{
		// The server is reached only from this machine, by one account.
		{"listen_addresses", ""},
		{"port", socketPort},
		{"unix_socket_directories", socketDir},
		{"unix_socket_permissions", "0700"},
		{"max_connections", "200"},
		// The name is in the titles of all its processes, by which they are found after
		// their parent was killed.
		{"cluster_name", name},

		// The text of thousands of running answers fits in; memory that is never needed is
		// never allocated.
		{"shared_buffers", "512MB"},
		{"effective_cache_size", "1GB"},
		{"work_mem", "8MB"},
		{"random_page_cost", "1.1"},
		// Statements here are short: compiling or parallelising them costs more than it
		// gains, and the machine is shared with the product itself.
		{"jit", "off"},
		{"max_parallel_workers_per_gather", "0"},
		{"max_logical_replication_workers", "0"},

		// The product shows nothing before it is committed, so a commit must be on the
		// disk. Postgres combines the flushes of many small commits.
		{"synchronous_commit", "on"},
		{"wal_level", "minimal"},
		{"max_wal_senders", "0"},
		{"wal_buffers", "16MB"},
		// Segments are reused instead of created while commits wait, and checkpoints
		// are few and spread, yet recovery takes only seconds.
		{"min_wal_size", "256MB"},
		{"max_wal_size", "1GB"},
		{"checkpoint_timeout", "5min"},
		{"checkpoint_completion_target", "0.9"},
		// Chunk tables grow and shrink all day. On a busy machine each run delays the
		// streams, so it is not more frequent than this.
		{"autovacuum_naptime", "60s"},
		{"autovacuum_vacuum_cost_delay", "2ms"},

		// Errors of statements are answers to the caller, which logs the important ones;
		// the server's own log has only what concerns the server itself.
		{"log_destination", "stderr"},
		{"logging_collector", "off"},
		{"log_min_messages", "log"},
		{"log_checkpoints", "off"},
		{"log_line_prefix", "%m [%p] "},
		{"log_timezone", "UTC"},
		{"timezone", "UTC"},
	}

	if throwaway {
		values = append(values,
			[2]string{"fsync", "off"},
			[2]string{"full_page_writes", "off"},
			[2]string{"autovacuum", "off"},
			[2]string{"shared_buffers", "128MB"},
			[2]string{"min_wal_size", "128MB"},
		)
	}

	return arguments(values)
}

// arguments are settings on the command line.
func arguments(values [][2]string) []string {
	args := make([]string, 0, 2*len(values))
	for _, value := range values {
		args = append(args, "-c", value[0]+"="+value[1])
	}

	return args
}

// letters is the locale in which upper and lower case letters of all scripts are equal for
// a search. The sort order is still by bytes.
const letters = "C.UTF-8"

// initArgs are the arguments for a cluster in UTF-8, sorted by bytes, that only its socket
// gives access to. It is flushed to disk after the start, not during it. If letters is
// empty, only English letters have upper and lower case.
func initArgs(target, letters string) []string {
	args := []string{
		"--pgdata=" + target,
		"--username=" + adminName,
		"--encoding=UTF8",
		"--locale=C",
		"--auth-local=trust",
		"--auth-host=reject",
		"--no-sync",
		"--no-instructions",
	}
	if letters != "" {
		args = append(args, "--lc-ctype="+letters)
	}
	return args
}

// environment is the part of this process's environment that Postgres gets.
func environment(bin string) []string {
	return []string{"PATH=" + bin + ":/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
}

// commandLine is the whole command that runs the server.
func commandLine(bin, cluster, socketDir, name string, throwaway bool, further [][2]string) []string {
	return slices.Concat(
		[]string{filepath.Join(bin, "postgres"), "-D", cluster},
		settings(socketDir, name, throwaway),
		arguments(further),
	)
}
