package persistence

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// SearchMessages implements domain.ConversationService.
func (s Conversations) SearchMessages(ctx context.Context, caller domain.Caller, search string) ([]domain.FoundMessage, error) {
	words := domain.SearchWords(search)
	if len(words) == 0 {
		return nil, nil
	}
	patterns := make([]string, len(words))
	for i, word := range words {
		patterns[i] = patternOf(word)
	}
	var rows []dbsqlc.MessageSearchRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.MessageSearch(&dbsqlc.MessageSearchParams{
			UserID: caller.UserID, Conversations: domain.SearchedConversations, Word: words[0], Patterns: patterns,
			Size: domain.FoundMessagesMax,
		}, &rows)
	})
	if err != nil {
		return nil, err
	}
	found := make([]domain.FoundMessage, len(rows))
	for i := range rows {
		row := &rows[i]
		found[i] = domain.FoundMessage{
			ConversationID: row.ConversationID, ConversationName: row.Name, MessageID: row.MessageID, Role: domain.Role(row.Role),
			Excerpt: domain.Excerpt(row.Part, row.IsCutBefore, row.IsCutAfter), CreatedAt: utc(row.CreatedAt),
		}
	}
	return found, nil
}
