package persistence

// What a prompt reads before it is written. When a node leaves, the prompts to all that it owned come to the
// others at the same moment: read one at a time, they would need as many connections at once, and a node that has
// just started would have to make these first.

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// agentKey is an agent that a person of an organisation may use; with neither a person nor an id it is the default
// one of the organisation.
type agentKey struct{ organisation, user, id int64 }

// agents reads the agents of many prompts in one round trip; nil for one that is not there.
func (s *core) agents(ctx context.Context, keys []agentKey) ([]*domain.Analyst, error) {
	rows := make([]*dbsqlc.AnalystShown, len(keys))
	err := s.sendTenants(ctx, func(r *reading) {
		for i, k := range keys {
			if i == 0 || keys[i-1].organisation != k.organisation {
				enter(r, k.organisation)
			}
			if k.id == 0 {
				r.AnalystDefault(k.organisation, &rows[i])
			} else {
				r.AnalystUsable(&dbsqlc.AnalystUsableParams{ID: k.id, UserID: k.user}, &rows[i])
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]*domain.Analyst, len(keys))
	for i, row := range rows {
		if row == nil {
			continue
		}
		if out[i], err = analystOf(row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// messageKey is a message of an organisation.
type messageKey struct {
	organisation int64
	id           uuid.UUID
}

// messagesByID reads many messages with their display objects in one round trip; nil for one that is not there.
func (s *core) messagesByID(ctx context.Context, keys []messageKey) ([]*domain.Message, error) {
	rows := make([]*dbsqlc.MessageShown, len(keys))
	objects := make([][]dbsqlc.DisplayObject, len(keys))
	err := sendReading(ctx, s.keyed, func(r *reading) {
		for i, k := range keys {
			r.MessageGet(&dbsqlc.MessageGetParams{ID: k.id, OrgID: k.organisation}, &rows[i])
			r.ObjectsOf(&dbsqlc.ObjectsOfParams{Messages: []uuid.UUID{k.id}, OrgID: k.organisation}, &objects[i])
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]*domain.Message, len(keys))
	for i, row := range rows {
		if row != nil {
			out[i] = &messagesOf([]dbsqlc.MessageShown{*row}, objects[i])[0]
		}
	}
	return out, nil
}
