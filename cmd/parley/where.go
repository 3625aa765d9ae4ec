package main

// The command where: from the id of a conversation in a complaint to the node whose log tells about
// it.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/commandline"
)

// The states of the ownership of a conversation.
const (
	// ownedBy: a member owns it whose lease is valid.
	ownedBy = "owned"
	// ownerLapsed: a member owns it whose lease has ended; any other node may take it over.
	ownerLapsed = "lapsed"
	// ownerGone: its owner is no member any more; the next call makes another node the owner.
	ownerGone = "gone"
	// ownedByNobody: its last owner has released it, or there has never been one.
	ownedByNobody = "nobody"
	// isDeleted: it is deleted, and nobody becomes its owner again.
	isDeleted = "deleted"
)

// whereabouts is what the command prints with --json.
type whereabouts struct {
	Conversation uuid.UUID `json:"conversation"`
	// State is owned, lapsed, gone, nobody or deleted.
	State string `json:"state"`
	// Node is the owner, also one that has gone; empty if there is none. Name, Address and LeaseLeft
	// (seconds) are there if it is a member.
	Node      string   `json:"node"`
	Name      string   `json:"name,omitempty"`
	Address   string   `json:"address,omitempty"`
	LeaseLeft *float64 `json:"leaseLeft,omitempty"`
	// Claimed is when the owner became it; Epoch counts the owners, Head the events.
	Claimed *time.Time `json:"claimed"`
	Epoch   int64      `json:"epoch"`
	Head    int64      `json:"head"`
	// RunningSince is when the answer that is being made has begun, null if there is none.
	RunningSince *time.Time `json:"runningSince"`
}

// where prints which node owns a conversation.
func where(ctx context.Context, p *program, args []string) error {
	f := p.flags("where")
	asJSON := f.Bool("json", false, "print JSON")
	// The id may come before the flags, or after them.
	id := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		id, args = args[0], args[1:]
	}
	if id == "" && len(args) > 0 && !strings.HasPrefix(args[len(args)-1], "-") {
		id, args = args[len(args)-1], args[:len(args)-1]
	}
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	conversation, err := uuid.Parse(id)
	if err != nil {
		return commandline.Usage(errors.New("where needs the id of a conversation: parley where <conversation>"))
	}
	store, err := openView(ctx, p)
	if err != nil {
		return err
	}
	defer store.Close()
	w, err := readWhereabouts(ctx, store.Members, conversation)
	if err != nil {
		return err
	}
	if *asJSON {
		if err := json.NewEncoder(p.stdout).Encode(w); err != nil {
			return fmt.Errorf("print where it is: %w", err)
		}
		return nil
	}
	_, err = io.WriteString(p.stdout, w.text())
	return err //nolint:wrapcheck // the writer's error needs no further context
}

func readWhereabouts(ctx context.Context, cluster domain.ClusterReader, conversation uuid.UUID) (*whereabouts, error) {
	reading, cancel := context.WithTimeout(ctx, viewTimeout)
	defer cancel()
	found, err := cluster.Whereabouts(reading, conversation)
	if domain.CodeOf(err) == domain.CodeNotFound {
		return nil, fmt.Errorf("there is no conversation %s", conversation)
	}
	if err != nil {
		return nil, fmt.Errorf("read the conversation's row: %w", reason(err))
	}
	members, err := readMembers(ctx, cluster)
	if err != nil {
		return nil, err
	}
	return newWhereabouts(conversation, found, members), nil
}

// newWhereabouts compares the conversation's row with the members.
func newWhereabouts(conversation uuid.UUID, found *domain.Whereabouts, members []domain.MemberStatus) *whereabouts {
	w := &whereabouts{
		Conversation: conversation, Node: found.Node, Claimed: found.Claimed, Epoch: found.Epoch, Head: found.Head,
		RunningSince: found.RunningSince, State: ownedByNobody,
	}
	if found.Node != "" {
		w.State = ownerGone
	}
	for _, m := range members {
		if m.Node == found.Node {
			left := tenths(m.Left)
			w.Name, w.Address, w.LeaseLeft, w.State = m.Name, m.Address, &left, ownedBy
			if m.Left <= 0 {
				w.State = ownerLapsed
			}
		}
	}
	if found.Deleted {
		w.State = isDeleted
	}
	return w
}

// text is the same in lines for people.
func (w *whereabouts) text() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("conversation", "%s", w.Conversation)
	switch w.State {
	case ownedBy:
		line("owner", "%s at %s, lease %.1f s left", w.Node, w.Address, *w.LeaseLeft)
	case ownerLapsed:
		line("owner", "%s at %s, whose lease ended %.1f s ago: any other node may take it over", w.Node, w.Address, -*w.LeaseLeft)
	case ownerGone:
		line("owner", "%s, which is no member any more: the next call makes another node the owner", w.Node)
	case ownedByNobody:
		line("owner", "nobody: no person has it open, and no answer is being made")
	case isDeleted:
		line("owner", "nobody: it is deleted")
	}
	if w.Claimed != nil {
		line("claimed", "%s, as owner number %d", w.Claimed.UTC().Format(time.RFC3339), w.Epoch)
	}
	line("events", "%d", w.Head)
	if w.RunningSince != nil {
		line("answer", "running since %s", w.RunningSince.UTC().Format(time.RFC3339))
	} else {
		line("answer", "none is being made")
	}
	return b.String()
}
