package wire

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// AddFeedback puts feedback to the messages that it is about.
func AddFeedback(messages []protocol.Message, by map[uuid.UUID][]domain.Feedback) {
	for i := range messages {
		for j := range by[messages[i].ID] {
			messages[i].FeedbackSet = append(messages[i].FeedbackSet, NewFeedback(&by[messages[i].ID][j]))
		}
	}
}

// Branch keeps a message, what it answers, and what follows it, in their order.
// It is empty when the message is not among them.
func Branch(messages []protocol.Message, id uuid.UUID) []protocol.Message {
	place := make(map[uuid.UUID]int, len(messages))
	for i := range messages {
		place[messages[i].ID] = i
	}
	at, ok := place[id]
	if !ok {
		return []protocol.Message{}
	}
	keep := make(map[uuid.UUID]bool, len(messages))
	for ok && !keep[messages[at].ID] {
		keep[messages[at].ID] = true
		parent := messages[at].ParentMessageID
		if parent == nil {
			break
		}
		at, ok = place[*parent]
	}
	// Parents stand before their children, so one walk finds all that follow.
	follows := map[uuid.UUID]bool{id: true}
	out := make([]protocol.Message, 0, len(messages))
	for i := range messages {
		m := &messages[i]
		if m.ParentMessageID != nil && follows[*m.ParentMessageID] {
			follows[m.ID] = true
		}
		if keep[m.ID] || follows[m.ID] {
			out = append(out, *m)
		}
	}
	return out
}

// treeDepth is how many messages are nested in each other. A level of ours is two of
// JSON, and readers of JSON give up at a depth of a thousand.
const treeDepth = 200

// Tree nests messages in what they answer. Those whose parent is not among them, and
// those that would be nested too deep, stand at the top, so nothing gets lost.
func Tree(messages []protocol.Message) []protocol.Message {
	depth := make(map[uuid.UUID]int, len(messages)) // from 1; 0 is not here yet
	children := make(map[uuid.UUID][]int, len(messages))
	var top []int
	for i := range messages {
		m := &messages[i]
		// Only a parent that stands before is one: a circle cannot come about.
		above := 0
		if m.ParentMessageID != nil {
			above = depth[*m.ParentMessageID] % treeDepth
		}
		if above > 0 {
			children[*m.ParentMessageID] = append(children[*m.ParentMessageID], i)
		} else {
			top = append(top, i)
		}
		depth[m.ID] = above + 1
	}
	out := make([]protocol.Message, len(messages))
	copy(out, messages)
	// From the last to the first, so that a comment is complete when it is put into its parent.
	for i := len(out) - 1; i >= 0; i-- {
		for _, child := range children[out[i].ID] {
			out[i].Children = append(out[i].Children, out[child])
		}
	}
	roots := make([]protocol.Message, 0, len(top))
	for _, i := range top {
		roots = append(roots, out[i])
	}
	return roots
}
