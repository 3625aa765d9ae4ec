package domain_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestDraftFromConversation_Description(t *testing.T) {
	t.Parallel()
	turn := uuid.New()
	messagesOf := func(texts ...string) (messages []domain.Message) {
		for _, text := range texts {
			messages = append(messages, domain.Message{Role: domain.RoleUser, TurnID: turn, Text: text},
				domain.Message{Role: domain.RoleAssistant, TurnID: turn, Text: "42"})
		}
		return messages
	}
	many := make([]string, 9)
	for i := range many {
		many[i] = "Question " + strings.Repeat("I", i+1) + "?"
	}
	ran := []domain.TurnQuery{{Turn: turn, SQL: "SELECT 1"}}
	long := strings.Repeat("and by region ", 1000)
	for name, tt := range map[string]struct {
		name, description string
		prompts           []string
		queries           []domain.TurnQuery
		want              string
	}{
		"OKSteps": {
			"Sales", "",
			[]string{"Total by region", "By month?", "Which products fell?"},
			nil,
			"3 steps from a conversation: Total by region; By month; Which products fell.",
		},
		"OKManySteps": {
			"Sales", "Sales", many, nil,
			"9 steps from a conversation: Question I; Question II; Question III; Question IIII; Question IIIII; and 4 more.",
		},
		// The web uses the beginning of the first question as the conversation's description, and keeps it if the conversation is renamed.
		"OKBeginningOfTheQuestion": {
			"Sales", "How did net sales develop by…",
			[]string{"How did net sales develop by month?", "And by region?"},
			nil,
			"2 steps from a conversation: How did net sales develop by month; And by region.",
		},
		"OKOneStep": {
			"Sales", domain.DefaultConversationName,
			[]string{"How did net sales develop?\nIn euros, please."},
			ran,
			"One step from a conversation, with the code that answered it: How did net sales develop? In euros, please.",
		},
		"OKOneStepThatIsTheTitle": {
			"How did net sales", "How did net sales",
			[]string{"How did net sales develop?"},
			ran,
			"One step from a conversation, with the code that answered it.",
		},
		"OKLong": {
			"Sales", "",
			[]string{"Total " + long},
			nil,
			"One step from a conversation: Total " + strings.TrimSuffix(long[:14*21], " ") + "…",
		},
		"OKWrittenByAPerson": {"Sales", " For the meeting on Mondays ", []string{"Total by region"}, nil, "For the meeting on Mondays"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &domain.Conversation{
				Name: tt.name, Description: tt.description, CurrentStatusSummary: "It is 42.", Messages: messagesOf(tt.prompts...),
			}
			d := domain.DraftFromConversation(c, tt.queries, nil)
			require.NoError(t, d.Validate())
			require.Equal(t, tt.want, *d.Description)
			require.NotEqual(t, d.Name, *d.Description)
		})
	}
}
