package history

import "fmt"

// What a node may use more at rest than before the faults: connections that are kept open, their goroutines, and caches.
const (
	moreGoroutines = 150
	moreFiles      = 30
	moreSockets    = 60 // the pools of the database open up to 43
	moreClients    = 2
	moreChildren   = 0
	moreTemporary  = 0
	moreResident   = 300 << 20
)

// Grown lists what a node uses more at rest than before the faults, and more than it may.
func Grown(before, rest *Sample) (all []string) {
	for _, r := range []struct {
		name           string
		was, is, allow int64
	}{
		{"goroutines", before.Goroutines, rest.Goroutines, moreGoroutines},
		{"open files", before.Files, rest.Files, moreFiles},
		{"sockets", before.Sockets, rest.Sockets, moreSockets},
		{"sockets of people", before.Clients, rest.Clients, moreClients},
		{"child processes", before.Children, rest.Children, moreChildren},
		{"temporary files", before.Temporary, rest.Temporary, moreTemporary},
		{"bytes of memory", before.Resident, rest.Resident, moreResident},
	} {
		if r.is > r.was+r.allow {
			all = append(all, fmt.Sprintf("node %s has %d %s, and had %d before the faults", before.Node, r.is, r.name, r.was))
		}
	}
	return all
}

// checkResources checks I14: at rest a node uses about what it used before the faults.
func (c *checker) checkResources() {
	before := map[string]*Sample{}
	for _, l := range c.h.Lines {
		s := l.Sample
		if s == nil {
			continue
		}
		if s.Baseline {
			before[s.Node] = s
			continue
		}
		b := before[s.Node]
		if b == nil {
			continue
		}
		for _, grown := range Grown(b, s) {
			c.report("I14", "%s", grown)
		}
	}
}
