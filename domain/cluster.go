package domain

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
)

// NodeReport is what a node says about itself, and about the other nodes as it sees them. It holds
// numbers and names of nodes only. Fields may be added: a reader of an earlier release ignores them.
type NodeReport struct {
	// Version is the build's.
	Version string `json:"version"`
	// Started is when the process started, by its own clock.
	Started time.Time `json:"started"`
	// Draining says that the node takes nothing new.
	Draining bool `json:"draining"`
	// What lives on the node, and the answers that it is making.
	Conversations int `json:"conversations"`
	Sessions      int `json:"sessions"`
	Tasks         int `json:"tasks"`
	Sockets       int `json:"sockets"`
	Running       int `json:"running"`
	// Members are the nodes (name@incarnation) that this one holds for alive, itself among them, and
	// Silent are those of them that do not answer it.
	Members []string `json:"members"`
	Silent  []string `json:"silent"`
	// ClockAhead is how many seconds the database's clock is ahead of the node's; negative if it is
	// behind.
	ClockAhead float64 `json:"clockAhead"`
}

// MemberStatus is a row of the membership table with the node's last report.
type MemberStatus struct {
	Member

	// Report is nil if the node has made none, because it runs an earlier release.
	Report *NodeReport
	// ReportAge is how old the report is, by the database's clock: about 2 s at most for a node that
	// is well.
	ReportAge time.Duration
}

// Views returns the names of the members that hold this one for alive, and of those that get no
// answer from it, as they have last reported. A member's own view of itself does not count.
func (m *MemberStatus) Views(all []MemberStatus) (seenBy, silentFor []string) {
	seenBy, silentFor = []string{}, []string{}
	for _, other := range all {
		if other.Report == nil || other.Node == m.Node {
			continue
		}
		if slices.Contains(other.Report.Members, m.Node) {
			seenBy = append(seenBy, other.Name)
		}
		if slices.Contains(other.Report.Silent, m.Node) {
			silentFor = append(silentFor, other.Name)
		}
	}
	return seenBy, silentFor
}

// ClusterService shows the cluster to its operators.
type ClusterService interface {
	// ClusterNodes lists all members, by name. CodeForbidden for people who are no operators.
	ClusterNodes(ctx context.Context, caller Caller) ([]MemberStatus, error)
}

// Whereabouts says which node owns a conversation, as its row says.
type Whereabouts struct {
	// Node is the owner (name@incarnation), which may be no member any more; empty if nobody owns the
	// conversation, because no person has it open and no answer is being made.
	Node string
	// Claimed is when the last owner became it, nil if there has never been one; Epoch counts the
	// owners.
	Claimed *time.Time
	Epoch   int64
	// Head is the number of the last event.
	Head int64
	// Deleted says that its person has deleted it.
	Deleted bool
	// RunningSince is when the answer that is being made has begun; nil if there is none.
	RunningSince *time.Time
}

// ClusterOperator is what operators ask of the nodes, through the database: it works from any machine
// that reaches it.
type ClusterOperator interface {
	// AskToDrain asks a member (name@incarnation) to end its answers and leave. It reads that within
	// a second. The result is false if it is no member any more; a repeated request changes nothing.
	AskToDrain(ctx context.Context, node string) (bool, error)
}

// ClusterReader is what operators read about the cluster. It needs no node that runs.
type ClusterReader interface {
	// MemberStatuses lists all members, by name.
	MemberStatuses(ctx context.Context) ([]MemberStatus, error)
	// Whereabouts finds the owner of a conversation. CodeNotFound if there is no such conversation.
	Whereabouts(ctx context.Context, conversation uuid.UUID) (*Whereabouts, error)
}
