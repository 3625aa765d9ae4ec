package main

// The command cluster: what an operator asks of the nodes, through their rows in the database. It
// works from any machine that reaches the database.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/commandline"
)

const (
	// beginLimit is how long a node may take until it reports that it drains: it reads its row every
	// second and reports every two.
	beginLimit = 10 * time.Second
	// drainLook is the pause between two looks at a node that is asked to drain.
	drainLook = 250 * time.Millisecond
	// leftHealthy is what the lease of a node still has when it leaves by itself: it renews every
	// 2 s a lease of 6 s. The others end the lease of a process that has died when less is left.
	leftHealthy = 3500 * time.Millisecond
)

// clusterUsage is the help of the command.
const clusterUsage = `usage: parley cluster drain <node> [--wait]

drain   asks a node to end its running answers, hand over what it owns, and stop with exit code 0, exactly as
        SIGTERM does. <node> is its name in "parley status", or name@incarnation for one process of that name.
        It returns when the node has begun, or with --wait when the node has left the cluster.
        A supervisor that always restarts (restart: unless-stopped, Deployment) starts the node again.
`

// clusterCommand runs what is asked of the cluster.
func clusterCommand(ctx context.Context, p *program, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(p.stderr, clusterUsage)
		return commandline.Usage(errors.New("cluster needs to know what to do: parley cluster drain <node>"))
	}
	switch args[0] {
	case "drain":
		return clusterDrain(ctx, p, args[1:])
	case "help", "-h", "-help", "--help":
		fmt.Fprint(p.stderr, clusterUsage)
		return nil
	}
	fmt.Fprint(p.stderr, clusterUsage)
	return commandline.Usage(fmt.Errorf("unknown: cluster %s", args[0]))
}

// clusterDrain asks a node to drain.
func clusterDrain(ctx context.Context, p *program, args []string) error {
	f := p.flags("cluster drain")
	f.Usage = func() { fmt.Fprint(p.stderr, clusterUsage) }
	wait := f.Bool("wait", false, "return when the node has left the cluster")
	// The name may come before the flags, or after them.
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	if name == "" && len(args) > 0 && !strings.HasPrefix(args[len(args)-1], "-") {
		name, args = args[len(args)-1], args[:len(args)-1]
	}
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	if name == "" {
		return commandline.Usage(errors.New("drain needs the name of a node: parley cluster drain <node>"))
	}
	store, err := openView(ctx, p)
	if err != nil {
		return err
	}
	defer store.Close()
	d := drainer{reader: store.Members, operator: store.Members, out: p.stdout, begin: beginLimit, look: drainLook}
	return d.drain(ctx, name, *wait)
}

// drainer asks one node to drain and follows it.
type drainer struct {
	reader   domain.ClusterReader
	operator domain.ClusterOperator
	out      io.Writer
	// begin is how long the node may take until it drains, and look the pause between two looks.
	begin, look time.Duration
}

func (d *drainer) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// drain asks the node and waits until it has begun, or with wait until it has left.
func (d *drainer) drain(ctx context.Context, name string, wait bool) error {
	members, err := readMembers(ctx, d.reader)
	if err != nil {
		return err
	}
	m, err := drainable(members, name)
	if err != nil {
		return err
	}
	if m.DrainAsked || drains(m) {
		// A second request is a mistake, unless it only waits for the end of the first one.
		if !wait {
			return fmt.Errorf("%s drains already, %s: --wait waits until it has left", m.Node, answers(m))
		}
		d.say("%s drains already", m.Node)
	}
	asking, cancel := context.WithTimeout(ctx, viewTimeout)
	defer cancel()
	asked, err := d.operator.AskToDrain(asking, m.Node)
	switch {
	case err != nil:
		return fmt.Errorf("ask %s to drain: %w", m.Node, reason(err))
	case !asked:
		return fmt.Errorf("%s has just left the cluster", m.Node)
	}
	d.say("%s is asked to drain", m.Node)
	return d.follow(ctx, m, wait)
}

// follow waits until the node has begun to drain, and with wait until it has left.
func (d *drainer) follow(ctx context.Context, m *domain.MemberStatus, wait bool) error {
	asked, begun, running := time.Now(), false, -1
	for {
		members, err := readMembers(ctx, d.reader)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("no longer waiting: %s was asked to drain and goes on with it", m.Node)
		case err != nil:
			return err
		}
		at := slices.IndexFunc(members, func(x domain.MemberStatus) bool { return x.Node == m.Node })
		switch {
		case at < 0 && m.Left < leftHealthy:
			return fmt.Errorf("%s was lost while it drained: its lease had %.1f s left and was not renewed any more", m.Node, m.Left.Seconds())
		case at < 0:
			d.say("%s has left the cluster", m.Node)
			return nil
		}
		m = &members[at]
		if drains(m) {
			begun = true
			if m.Report.Running != running {
				running = m.Report.Running
				d.say("%s drains, %s", m.Node, answers(m))
			}
			if !wait {
				return nil
			}
		}
		if !begun && time.Since(asked) >= d.begin {
			return fmt.Errorf("%s has not begun to drain within %.0f s: it hangs, or runs a release that does not know this request. "+
				"It begins when it reads the request; SIGTERM drains it as well", m.Node, d.begin.Seconds())
		}
		select {
		case <-ctx.Done():
		case <-time.After(d.look):
		}
	}
}

// drains says whether a node reports that it drains.
func drains(m *domain.MemberStatus) bool { return m.Report != nil && m.Report.Draining }

// answers says how many answers a node is making.
func answers(m *domain.MemberStatus) string {
	switch {
	case m.Report == nil:
		return "and has not said how many answers are running"
	case m.Report.Running == 1:
		return "1 answer is running"
	}
	return fmt.Sprintf("%d answers are running", m.Report.Running)
}

// drainable finds the member that a name, or a name with an incarnation, means. It refuses one that
// cannot drain.
func drainable(members []domain.MemberStatus, name string) (*domain.MemberStatus, error) {
	bare, _, exact := strings.Cut(name, "@")
	var names []string
	for i := range members {
		m := &members[i]
		names = append(names, m.Name)
		switch {
		case m.Node != name && m.Name != bare:
			continue
		case exact && m.Node != name:
			return nil, fmt.Errorf("%s has left the cluster; the process of that name is %s now", name, m.Node)
		case m.Left <= 0:
			return nil, fmt.Errorf("the lease of %s ended %.1f s ago: it has ended or hangs, and the others take over what it owned",
				m.Node, -m.Left.Seconds())
		}
		return m, nil
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no node %s: the cluster has no members", name)
	}
	return nil, fmt.Errorf("there is no node %s in the cluster: it has left, or the name is wrong; the members are %s", name,
		strings.Join(names, ", "))
}
