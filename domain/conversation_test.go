package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestNewConversation_Complete(t *testing.T) {
	t.Parallel()
	for given, kept := range map[string]string{
		"": "New Conversation", " \t": "New Conversation", "Sales": "Sales",
		"Sales of the north and of the south": "Sales of the north",
		strings.Repeat("ä", 31):               strings.Repeat("ä", 30),
	} {
		n := domain.NewConversation{Name: given, DataSources: []int64{3, 1, 3}, ProjectLabels: []int64{9, 9}}
		require.NoError(t, n.Complete(), given)
		require.Equal(t, domain.NewConversation{Name: kept, DataSources: []int64{1, 3}, ProjectLabels: []int64{9}}, n, given)
	}
	n := domain.NewConversation{Description: strings.Repeat("ä", 5000)}
	require.NoError(t, n.Complete())
	n.Description += "x"
	require.ErrorContains(t, n.Complete(), "Please enter a valid description")
	n = domain.NewConversation{Name: "a\x00b"}
	require.ErrorContains(t, n.Complete(), "Please enter a name")
}

func TestConversationNameOfPrompt(t *testing.T) {
	t.Parallel()
	for prompt, name := range map[string]string{
		"": "", " \r\n\t": "", "Sales": "Sales", "\n Sales\nof the north": "Sales", "Sales\rof": "Sales",
		"Show me the sales of the north and of the south": "Show me the sales of the north",
		strings.Repeat("ä", 31):                           strings.Repeat("ä", 30),
	} {
		require.Equal(t, name, domain.ConversationNameOfPrompt(prompt), prompt)
	}
}
