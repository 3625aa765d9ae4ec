package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// TestSend_GoneSource sends with the list that a conversation has: a deleted connector in
// that list does not prevent the owner from sending, and any other connector is refused.
func TestSend_GoneSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, _ := b.world.AddConversation()
	b.world.Attach(c.ID, 77)
	send := func(source string) int {
		body := `{"conversationId":"` + c.ID.String() + `","dataSources":[` + source + `],"message":{"id":"` +
			uuid.Must(uuid.NewV7()).String() + `","text":"And now?"}}`
		return b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text", body).status
	}
	require.Equal(t, http.StatusOK, send("77"))
	require.Equal(t, http.StatusUnprocessableEntity, send("78"))
	require.Equal(t, http.StatusUnprocessableEntity, send("77,78"))
}
