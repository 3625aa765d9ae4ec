package partitiontest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The kernel's list is read in pieces while sockets come and go, so one of them may be missing in a reading. A
// connection that was closed because of that looks like a process that has ended.
const (
	sourceTries = 5
	sourcePause = 5 * time.Millisecond
)

// source returns the name of the process that has made a connection of this machine. The
// kernel lists the sockets with their ports and numbers, and the processes with the numbers of
// their sockets (proc(5)).
func (n *Network) source(conn net.Conn) (string, bool) {
	remote, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return "", false
	}
	for range sourceTries {
		if inode, ok := inodeOf(remote.Port); ok {
			if name, ok := n.owner(inode); ok {
				return name, true
			}
		}
		time.Sleep(sourcePause) //nolint:forbidigo // a pause of the machine's clock, which lists the sockets
	}
	return "", false
}

// owner returns the name of the process that has a socket, by its number.
func (n *Network) owner(inode string) (string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for name, pid := range n.processes {
		files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		if err != nil {
			continue
		}
		for _, f := range files {
			if target, err := os.Readlink(f); err == nil && target == "socket:["+inode+"]" {
				return name, true
			}
		}
	}
	return "", false
}

// inodeOf returns the number of the connected socket that has a local port.
func inodeOf(port int) (string, bool) {
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return "", false
	}
	// 0100007F:1F90 is 127.0.0.1:8080. The tenth column is the number; it is 0 if no process
	// has the socket any more.
	local := fmt.Sprintf("0100007F:%04X", port)
	for line := range strings.Lines(string(table)) {
		columns := strings.Fields(line)
		if len(columns) > 9 && columns[1] == local && columns[9] != "0" {
			return columns[9], true
		}
	}
	return "", false
}
