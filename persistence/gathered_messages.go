package persistence

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// messageRange are the last messages of a conversation before a seq, at most limit.
type messageRange struct {
	conversation uuid.UUID
	before       int64
	limit        int
}

// messagesBefore reads the messages of many conversations in one statement. A conversation
// that is asked for twice needs a second one.
// Conversations without a snapshot need their last messages when they are claimed; after the loss
// of a node these are many at once.
func (s *core) messagesBefore(ctx context.Context, keys []messageRange) ([][]domain.Message, error) {
	out := make([][]domain.Message, len(keys))
	left := make([]int, len(keys))
	for i := range keys {
		left[i] = i
	}
	for len(left) > 0 {
		var (
			p     dbsqlc.MessagesLastParams
			rows  []dbsqlc.MessageShown
			again []int
			place = make(map[uuid.UUID]int, len(left))
		)
		for _, i := range left {
			k := keys[i]
			if _, twice := place[k.conversation]; twice {
				again = append(again, i)
				continue
			}
			place[k.conversation] = i
			p.Conversations = append(p.Conversations, k.conversation)
			p.Befores, p.Sizes = append(p.Befores, k.before), append(p.Sizes, int64(k.limit))
		}
		// It is not repeated here: gatheredCall does that.
		if err := sendReading(ctx, s.keyed, func(r *reading) { r.MessagesLast(&p, &rows) }); err != nil {
			return nil, err
		}
		// Display objects are not needed by a claim.
		for _, m := range messagesOf(rows, nil) {
			i := place[m.ConversationID]
			out[i] = append(out[i], m)
		}
		left = again
	}
	return out, nil
}
