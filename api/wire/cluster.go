package wire

import (
	"time"

	"parley.dev/parley/domain"
)

// Cluster is the state of the nodes at a time.
type Cluster struct {
	At    time.Time     `json:"at" format:"date-time" doc:"When the state was read."`
	Nodes []ClusterNode `json:"nodes" doc:"The nodes, by name."`
}

// ClusterNode is one node. Addresses are not in it: they are for the machines of the cluster only.
type ClusterNode struct {
	Node      string       `json:"node" doc:"The node with its incarnation, which changes at each start." example:"one@01990000-0000-7000-8000-000000000001"`
	Name      string       `json:"name" doc:"The configured name, which stays the same." example:"one"`
	LeaseLeft float64      `json:"leaseLeft" doc:"For how many seconds its lease is still valid; negative if it has ended." example:"4.2"`
	SeenBy    []string     `json:"seenBy" doc:"The names of the other nodes that hold it for alive." example:"two"`
	SilentFor []string     `json:"silentFor" doc:"The names of the other nodes that get no answer from it." example:"two"`
	ReportAge *float64     `json:"reportAge" doc:"The age of its figures in seconds, or null without figures." example:"1.1"`
	Figures   *NodeFigures `json:"figures,omitempty" doc:"What it last said about itself. Missing for a node of an earlier release."`
}

// NodeFigures are what a node says about itself.
type NodeFigures struct {
	Version       string    `json:"version" doc:"The version of its build." example:"2026.11.1"`
	Started       time.Time `json:"started" format:"date-time" doc:"When its process started."`
	Draining      bool      `json:"draining" doc:"Whether it takes nothing new, because it is being stopped."`
	Conversations int       `json:"conversations" doc:"The conversations that it owns." example:"120"`
	Sessions      int       `json:"sessions" doc:"The people whose own events it keeps." example:"40"`
	Tasks         int       `json:"tasks" doc:"The scheduled tasks that it owns." example:"3"`
	Sockets       int       `json:"sockets" doc:"The open streams of browsers." example:"45"`
	Running       int       `json:"running" doc:"The answers that it is making." example:"12"`
	ClockAhead    float64   `json:"clockAhead" doc:"By how many seconds its clock is ahead of the database's; negative if it is behind." example:"0.1"`
}

// NewCluster converts the members.
func NewCluster(at time.Time, members []domain.MemberStatus) Cluster {
	c := Cluster{At: at, Nodes: make([]ClusterNode, len(members))}
	for i := range members {
		m := &members[i]
		n := ClusterNode{Node: m.Node, Name: m.Name, LeaseLeft: m.Left.Seconds()}
		n.SeenBy, n.SilentFor = m.Views(members)
		if r := m.Report; r != nil {
			age := m.ReportAge.Seconds()
			n.ReportAge = &age
			n.Figures = &NodeFigures{
				Version: r.Version, Started: r.Started, Draining: r.Draining, Conversations: r.Conversations, Sessions: r.Sessions,
				Tasks: r.Tasks, Sockets: r.Sockets, Running: r.Running,
				// The report says how far the database's clock is ahead.
				ClockAhead: 0 - r.ClockAhead,
			}
		}
		c.Nodes[i] = n
	}
	return c
}
