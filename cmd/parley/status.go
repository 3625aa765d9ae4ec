package main

// The command status: the members of the cluster, as the table, as each node and as this machine sees
// them.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/commandline"
)

const (
	// dialTimeout is how long a member's address may take to accept a connection.
	dialTimeout = time.Second
	// staleReport is the age from which on a report is called old: a node that is well reports every
	// 2 s.
	staleReport = 5 * time.Second
	// clockApart is the difference between clocks that is worth a line; scheduled tasks pause at a
	// minute.
	clockApart = 5 * time.Second
)

// How a member's address answers this machine.
const (
	reachable   = "yes"
	refusing    = "refused"
	unreachable = "no answer"
)

// clusterStatus is what the command prints with --json.
type clusterStatus struct {
	// At is when it was read, by this machine's clock.
	At      time.Time      `json:"at"`
	Members []memberStatus `json:"members"`
}

// memberStatus is one member of clusterStatus.
type memberStatus struct {
	Name    string `json:"name"`
	Node    string `json:"node"`
	Address string `json:"address"`
	// LeaseLeft is how many seconds the lease is still valid, by the database's clock; negative if it
	// has ended.
	LeaseLeft float64 `json:"leaseLeft"`
	// Reachable says how the address answers this machine: yes, refused or no answer.
	Reachable string `json:"reachable"`
	// SeenBy and SilentFor are the names of the members that hold this one for alive, and of those
	// that get no answer from it, as they have last reported.
	SeenBy    []string `json:"seenBy"`
	SilentFor []string `json:"silentFor"`
	// ReportAge is how many seconds ago the node has reported; both are null if it has not.
	ReportAge *float64           `json:"reportAge"`
	Report    *domain.NodeReport `json:"report"`
}

// status prints the state of the cluster, once or until it is interrupted.
func status(ctx context.Context, p *program, args []string) error {
	f := p.flags("status")
	asJSON := f.Bool("json", false, "print JSON, with --watch one document a line")
	watch := f.Bool("watch", false, "print it again and again, until Ctrl-C")
	every := f.Duration("every", 2*time.Second, "the pause of --watch")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	if *every <= 0 {
		return commandline.Usage(errors.New("--every must be positive"))
	}
	store, err := openView(ctx, p)
	if err != nil {
		return err
	}
	defer store.Close()
	for {
		err := printStatus(ctx, store.Members, p.stdout, *asJSON)
		if !*watch {
			return err
		}
		if err != nil && ctx.Err() == nil {
			// The database may come back while somebody watches.
			fmt.Fprintln(p.stderr, "parley:", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(*every):
		}
	}
}

func printStatus(ctx context.Context, cluster domain.ClusterReader, out io.Writer, asJSON bool) error {
	members, err := readMembers(ctx, cluster)
	if err != nil {
		return err
	}
	s := newClusterStatus(time.Now().UTC(), members, reachOf(ctx, members))
	if asJSON {
		if err := json.NewEncoder(out).Encode(s); err != nil {
			return fmt.Errorf("print the status: %w", err)
		}
		return nil
	}
	_, err = io.WriteString(out, s.text())
	return err //nolint:wrapcheck // the writer's error needs no further context
}

// reachOf tries the address of every member at the same time.
func reachOf(ctx context.Context, members []domain.MemberStatus) []string {
	all := make([]string, len(members))
	var wait sync.WaitGroup
	for i, m := range members {
		wait.Go(func() { all[i] = reach(ctx, m.Address) })
	}
	wait.Wait()
	return all
}

// reach says how an address answers. A process that hangs is reachable: its machine accepts the
// connection. That it does not answer is for the other nodes to say.
func reach(ctx context.Context, address string) string {
	d := net.Dialer{Timeout: dialTimeout}
	conn, err := d.DialContext(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return refusing
	case err != nil:
		return unreachable
	}
	_ = conn.Close() // it was only opened as a test
	return reachable
}

// newClusterStatus puts together what the table, the reports and this machine say. reach has an entry
// for each member.
func newClusterStatus(at time.Time, members []domain.MemberStatus, reach []string) *clusterStatus {
	s := &clusterStatus{At: at, Members: make([]memberStatus, len(members))}
	for i, m := range members {
		s.Members[i] = memberStatus{
			Name: m.Name, Node: m.Node, Address: m.Address, LeaseLeft: tenths(m.Left), Reachable: reach[i], Report: m.Report,
		}
		line := &s.Members[i]
		if m.Report != nil {
			age := tenths(m.ReportAge)
			line.ReportAge = &age
		}
		line.SeenBy, line.SilentFor = m.Views(members)
	}
	return s
}

// tenths rounds to tenths of a second.
func tenths(d time.Duration) float64 { return math.Round(d.Seconds()*10) / 10 }

// text is the status as a table, with a line below it for everything that is not as it should be.
func (s *clusterStatus) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %d members\n", s.At.Format(time.RFC3339), len(s.Members))
	// It writes to memory, so it does not fail.
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NODE\tADDRESS\tLEASE\tREACHABLE\tSEEN BY\tCONVERSATIONS\tSESSIONS\tTASKS\tSOCKETS\tRUNNING\tSTATE\tCLOCK\tVERSION")
	for i := range s.Members {
		m := &s.Members[i]
		fmt.Fprintf(w, "%s\t%s\t%.1f s\t%s\t%d of %d\t%s\n", m.Name, m.Address, m.LeaseLeft, m.Reachable, len(m.SeenBy), len(s.Members)-1,
			m.figures())
	}
	_ = w.Flush()
	for i := range s.Members {
		for _, line := range s.Members[i].worries() {
			fmt.Fprintf(&b, "! %s\n", line)
		}
	}
	return b.String()
}

// figures are the columns that come from the node's own report.
func (m *memberStatus) figures() string {
	r := m.Report
	if r == nil {
		return strings.Repeat("-\t", 7) + "-"
	}
	state := "serving"
	if r.Draining {
		state = "draining"
	}
	return fmt.Sprintf("%d\t%d\t%d\t%d\t%d\t%s\t%+.1f s\t%s", r.Conversations, r.Sessions, r.Tasks, r.Sockets, r.Running, state,
		// The operator asks how wrong the node's clock is, and the database's counts. The sum with zero
		// turns a negative zero into a positive one.
		math.Round(-r.ClockAhead*10)/10+0, r.Version)
}

// worries are the sentences about what is not as it should be with a member.
func (m *memberStatus) worries() []string {
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if m.LeaseLeft <= 0 {
		say("%s: its lease ended %.1f s ago; the other nodes take over what it owned", m.Name, -m.LeaseLeft)
	}
	if m.Reachable != reachable {
		say("%s: %s does not accept a connection from this machine (%s)", m.Name, m.Address, m.Reachable)
	}
	if len(m.SilentFor) > 0 {
		say("%s: does not answer %s", m.Name, strings.Join(m.SilentFor, ", "))
	}
	switch {
	case m.Report == nil:
		say("%s: has not reported; it runs an earlier release", m.Name)
	case *m.ReportAge >= staleReport.Seconds():
		say("%s: its figures are %.1f s old", m.Name, *m.ReportAge)
	}
	if m.Report != nil && math.Abs(m.Report.ClockAhead) >= clockApart.Seconds() {
		say("%s: its clock differs from the database's by %.1f s", m.Name, math.Abs(m.Report.ClockAhead))
	}
	return all
}
