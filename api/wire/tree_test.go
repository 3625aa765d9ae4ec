package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api/wire"
)

// thread makes messages that are named by letters, each with its parent: "ab" answers "a".
func thread(names ...string) ([]protocol.Message, func(string) uuid.UUID) {
	id := func(name string) uuid.UUID { return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)) }
	messages := make([]protocol.Message, len(names))
	for i, name := range names {
		messages[i] = protocol.Message{ID: id(name), Text: name}
		if len(name) > 1 {
			parent := id(name[:len(name)-1])
			messages[i].ParentMessageID = &parent
		}
	}
	return messages, id
}

func texts(messages []protocol.Message) []string {
	var out []string
	for i := range messages {
		out = append(out, messages[i].Text)
		for _, t := range texts(messages[i].Children) {
			out = append(out, "·"+t)
		}
	}
	return out
}

func TestTree(t *testing.T) {
	t.Parallel()
	messages, _ := thread("a", "ab", "abc", "abd", "x", "xy", "lost-parent")
	require.Equal(t, []string{"a", "·ab", "··abc", "··abd", "x", "·xy", "lost-parent"}, texts(wire.Tree(messages)))
	require.Empty(t, wire.Tree(nil))
	require.Empty(t, messages[0].Children, "the given messages do not change")

	itself, id := thread("a")
	own := id("a")
	itself[0].ParentMessageID = &own
	require.Equal(t, []string{"a"}, texts(wire.Tree(itself)), "a message that answers itself")
}

// A long conversation can be read by JSON readers that fail at a depth of a thousand.
func TestTree_Deep(t *testing.T) {
	t.Parallel()
	messages := make([]protocol.Message, 5001)
	for i := range messages {
		messages[i].ID = uuid.New()
		if i > 0 {
			messages[i].ParentMessageID = &messages[i-1].ID
		}
	}
	tree := wire.Tree(messages)
	encoded, err := json.Marshal(tree)
	require.NoError(t, err)
	deepest, depth := 0, 0
	for _, c := range encoded {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	require.Less(t, deepest, 500)
	found := 0
	var count func(of []protocol.Message)
	count = func(of []protocol.Message) {
		found += len(of)
		for i := range of {
			count(of[i].Children)
		}
	}
	count(tree)
	require.Equal(t, len(messages), found, "none is lost")
}

func TestBranch(t *testing.T) {
	t.Parallel()
	messages, id := thread("a", "ab", "abc", "abd", "abde", "x")
	require.Equal(t, []string{"a", "ab", "abd", "abde"}, texts(wire.Branch(messages, id("abd"))))
	require.Equal(t, []string{"a", "ab", "abc", "abd", "abde"}, texts(wire.Branch(messages, id("a"))))
	require.Empty(t, wire.Branch(messages, id("nobody")))
}
