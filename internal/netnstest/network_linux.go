package netnstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Net is one of the networks.
type Net string

// The networks. Their names are those of the interfaces.
const (
	People Net = "people"
	Data   Net = "data"
	Nodes  Net = "nodes"
)

// nobody is a hardware address that no interface has: frames for it are lost at the bridge.
const nobody = "02:00:00:00:00:ff"

// Network is the networks of one test. Its methods may be called by one goroutine at a time.
type Network struct {
	tb    testing.TB
	names []string
	// hub has the bridges; own are the namespaces of the processes. Each is held by a process without anything to do.
	hub int
	own map[string]int
	// block is the number of the test's addresses, so that several tests can run at once.
	block int
}

// New makes the networks for processes of these names. They end with the test.
func New(tb testing.TB, names ...string) *Network {
	tb.Helper()
	for _, program := range []string{"ip", "nsenter"} {
		if _, err := exec.LookPath(program); err != nil {
			tb.Skipf("network namespaces need the program %s (Debian: iproute2, util-linux)", program)
		}
	}
	n := &Network{tb: tb, names: names, own: map[string]int{}, block: rand.IntN(80)} //nolint:gosec // it keeps tests that run at once apart
	var err error
	if n.hub, err = hold(tb); err != nil {
		tb.Skipf("network namespaces cannot be made here, which needs root: %v", err)
	}
	for _, name := range names {
		if n.own[name], err = hold(tb); err != nil {
			tb.Fatalf("netnstest: %v", err)
		}
	}
	if err := n.connect(); err != nil {
		tb.Fatalf("netnstest: %v", err)
	}
	return n
}

// hold starts a process in a namespace of its own, and returns its id. It ends with the test, also if the test is killed: then its
// input ends. The namespace ends with it, and so do all interfaces in it and their other ends.
func hold(tb testing.TB) (int, error) {
	tb.Helper()
	holder := exec.CommandContext(context.WithoutCancel(tb.Context()), "cat")
	holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	input, err := holder.StdinPipe()
	if err != nil {
		return 0, fmt.Errorf("make a namespace: %w", err)
	}
	holder.Stdout = io.Discard
	if err := holder.Start(); err != nil {
		return 0, fmt.Errorf("make a namespace: %w", err)
	}
	tb.Cleanup(func() {
		_ = input.Close()
		_ = holder.Wait() // it only waits
	})
	return holder.Process.Pid, nil
}

// connect makes the bridges, and an interface on each of them for those who use it.
func (n *Network) connect() error {
	var errs []error
	do := func(pid int, args string) { errs = append(errs, ip(pid, args)) }
	for _, net := range []Net{People, Data, Nodes} {
		do(n.hub, "link add "+string(net)+" type bridge")
		do(n.hub, "link set "+string(net)+" up")
		for i, name := range n.names {
			pid, port := n.own[name], n.port(name, net)
			do(n.hub, fmt.Sprintf("link add %s type veth peer name %s netns %d", port, net, pid))
			do(n.hub, fmt.Sprintf("link set %s master %s up", port, net))
			do(pid, fmt.Sprintf("addr add %s/24 dev %s", n.address(net, i+2), net))
			do(pid, fmt.Sprintf("link set %s up", net))
		}
	}
	for _, pid := range n.own {
		do(pid, "link set lo up")
	}
	for _, net := range []Net{People, Data} {
		here := fmt.Sprintf("p%d%s", n.block, net)
		do(n.hub, fmt.Sprintf("link add test%s type veth peer name %s netns %d", net, here, os.Getpid()))
		do(n.hub, fmt.Sprintf("link set test%s master %s up", net, net))
		do(0, fmt.Sprintf("addr add %s/24 dev %s", n.Here(net), here))
		do(0, fmt.Sprintf("link set %s up", here))
	}
	return errors.Join(errs...)
}

// ip runs a command of ip in the namespace of a process; 0 is that of the test.
func ip(pid int, args string) error {
	command := append([]string{"ip"}, strings.Fields(args)...)
	if pid != 0 {
		command = append(inside(pid), command...)
	}
	run := exec.CommandContext(context.Background(), command[0], command[1:]...) //nolint:gosec // commands of this package alone
	if said, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", args, err, said)
	}
	return nil
}

func inside(pid int) []string {
	return []string{"nsenter", "--net=/proc/" + strconv.Itoa(pid) + "/ns/net", "--"}
}

// port is the bridge's end of the interface of a process.
func (n *Network) port(name string, net Net) string { return name + "-" + string(net) }

// address is the address number i of a network. The block 198.18.0.0/15 is for tests (RFC 2544).
func (n *Network) address(net Net, i int) string {
	third := map[Net]int{People: 0, Data: 1, Nodes: 2}[net] + 3*n.block
	return fmt.Sprintf("198.18.%d.%d", third, i)
}

// Inside is what comes before a command so that it runs in the namespace of a process.
func (n *Network) Inside(name string) []string { return inside(n.own[name]) }

// Address is the address of a process in a network.
func (n *Network) Address(name string, net Net) string {
	n.tb.Helper()
	for i := range n.names {
		if n.names[i] == name {
			return n.address(net, i+2)
		}
	}
	n.tb.Fatalf("netnstest: no process has the name %s", name)
	return ""
}

// Here is the address of the test itself, in People and in Data.
func (n *Network) Here(net Net) string { return n.address(net, 1) }

// Off takes the interface of a process off the bridge: nothing comes or goes any more, and nobody is told.
func (n *Network) Off(name string, net Net) error {
	return ip(n.hub, "link set "+n.port(name, net)+" nomaster")
}

// On puts it back.
func (n *Network) On(name string, net Net) error {
	return ip(n.hub, "link set "+n.port(name, net)+" master "+string(net))
}

// Drop loses all packets from one process to another between the nodes, and none that come the other way.
func (n *Network) Drop(from, to string) error {
	return ip(n.own[from], fmt.Sprintf("neigh replace %s lladdr %s dev %s nud permanent", n.Address(to, Nodes), nobody, Nodes))
}

// Pass lets them pass again.
func (n *Network) Pass(from, to string) error {
	// A neighbour that is not known is asked for. One that was never dropped may not be in the table.
	if err := ip(n.own[from], fmt.Sprintf("neigh replace %s lladdr %s dev %s nud failed", n.Address(to, Nodes), nobody, Nodes)); err != nil {
		return err
	}
	return ip(n.own[from], fmt.Sprintf("neigh del %s dev %s", n.Address(to, Nodes), Nodes))
}

// Heal makes all of it whole.
func (n *Network) Heal() error {
	var errs []error
	for _, name := range n.names {
		for _, net := range []Net{People, Data, Nodes} {
			errs = append(errs, n.On(name, net))
		}
		for _, other := range n.names {
			if other != name {
				errs = append(errs, n.Pass(name, other))
			}
		}
	}
	return errors.Join(errs...)
}
