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
		// Reached by one machine, and there by one account.
		{"listen_addresses", ""},
		{"port", socketPort},
		{"unix_socket_directories", socketDir},
		{"unix_socket_permissions", "0700"},
		{"max_connections", "200"},
		// Shows in the titles of all its processes, by which they are found
		// again after their parent was killed.
		{"cluster_name", name},

		// What thousands of answers write before they end fits in; memory that was
		// never needed is never taken.
		{"shared_buffers", "512MB"},
		{"effective_cache_size", "1GB"},
		{"work_mem", "8MB"},
		{"random_page_cost", "1.1"},
		// Statements here are short: compiling or splitting them costs more
		// than it brings, and the machine is shared with the product itself.
		{"jit", "off"},
		{"max_parallel_workers_per_gather", "0"},
		{"max_logical_replication_workers", "0"},

		// The product shows nothing before it is committed, so a commit must
		// be on the disk. Many small ones share a flush by themselves.
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
		// Chunk tables grow and shrink all day. On a machine that is full each round
		// makes what streams late, so they are not more frequent than this.
		{"autovacuum_naptime", "60s"},
		{"autovacuum_vacuum_cost_delay", "2ms"},

		// Errors of statements are answers to the caller, who logs what is
		// worth it; the server's own log keeps to the server's own life.
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

	args := make([]string, 0, 2*len(values))
	for _, value := range values {
		args = append(args, "-c", value[0]+"="+value[1])
	}

	return args
}

// letters is the locale by which large and small letters of all scripts are
// known for the same, as a search wants it. The order stays that of bytes.
const letters = "C.UTF-8"

// initArgs makes a cluster of plain bytes order in UTF-8 whose only way in is
// the socket. It is flushed to disk after the start, not during it. Without a
// locale for letters only those of English have two cases.
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

// environment is all that Postgres gets to see of ours.
func environment(bin string) []string {
	return []string{"PATH=" + bin + ":/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
}

// commandLine is the whole command that runs the server.
func commandLine(bin, cluster, socketDir, name string, throwaway bool) []string {
	return slices.Concat(
		[]string{filepath.Join(bin, "postgres"), "-D", cluster},
		settings(socketDir, name, throwaway),
	)
}
