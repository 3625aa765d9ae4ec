package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// searchMessages is the input of the search in what was said.
type searchMessages struct {
	Search string `query:"search" required:"true" minLength:"1" maxLength:"200" doc:"The words, all of which a message must contain, in any order, also as parts of its words. Only the first ten count."`
}

// messageSearchRoutes registers the search in the messages of all conversations.
func (s *Server) messageSearchRoutes(a huma.API) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/messages", Tags: []string{"messages"},
		Summary: "Find words in what was asked and answered",
		Description: fmt.Sprintf("For each conversation that the caller may read, the newest question, answer or summary that contains the "+
			"words. The last changed conversations are first; the last %d are searched, and at most %d messages are returned. Archived "+
			"conversations are included.", domain.SearchedConversations, domain.FoundMessagesMax),
	}, needs(domain.BeMember), func(ctx context.Context, in *searchMessages) (*body[wire.Page[wire.FoundMessage]], error) {
		found, err := s.Conversations.SearchMessages(ctx, callerOf(ctx), in.Search)
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(found, wire.NewFoundMessage)), nil
	})
}
