package persistence

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
)

// ConversationStart is conversationStart for tests.
type ConversationStart struct {
	Name, Description, Text    string
	DataSources, ProjectLabels []int64
	AnalystID                  int64
	Plan                       *domain.Plan
	// Fail ends the transaction after the start.
	Fail error
}

// StartConversation runs startConversation in a transaction of its own, as a request does.
func (s *Store) StartConversation(ctx context.Context, caller domain.Caller, c ConversationStart) (conversation, message, turn uuid.UUID, told []domain.UserEvent, err error) {
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		out, err := s.startConversation(ctx, tx, &conversationStart{
			caller: caller, name: c.Name, description: c.Description, dataSources: c.DataSources, projectLabels: c.ProjectLabels,
			text: c.Text, analystID: c.AnalystID, plan: c.Plan,
		})
		if err != nil {
			return err
		}
		conversation, message, turn, told = out.ID, out.Message, out.Turn, out.Events
		return c.Fail
	})
	return conversation, message, turn, told, err
}
