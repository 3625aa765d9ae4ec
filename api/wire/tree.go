package wire

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// AddFeedback adds feedback to the messages that it is about.
func AddFeedback(messages []protocol.Message, by map[uuid.UUID][]domain.Feedback) {
	for i := range messages {
		for j := range by[messages[i].ID] {
			messages[i].FeedbackSet = append(messages[i].FeedbackSet, NewFeedback(&by[messages[i].ID][j]))
		}
	}
}

// Branch keeps a message, the messages that it answers, and the messages that follow it, in
// their order. It is empty when the message is not among them.
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
	// Parents are before their children, so one pass finds all messages that follow.
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

// treeDepth is how deep messages are nested. One level of messages is two levels of JSON, and
// some JSON readers fail at a depth of a thousand.
const treeDepth = 200

// Tree nests messages in the messages that they answer. Messages whose parent is not among
// them, and messages that would be nested too deep, are at the top level, so that none gets
// lost.
func Tree(messages []protocol.Message) []protocol.Message {
	depth := make(map[uuid.UUID]int, len(messages)) // from 1; 0 means not seen yet
	children := make(map[uuid.UUID][]int, len(messages))
	var top []int
	for i := range messages {
		m := &messages[i]
		// Only an earlier message counts as the parent, so there can be no cycle.
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
