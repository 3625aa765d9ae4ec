package loadtest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/fasthttp/websocket"
	"github.com/stretchr/testify/require"
)

func TestTally_closed(t *testing.T) {
	t.Parallel()

	t.Run("AddsAdviceWhenTheBearerEnded", func(t *testing.T) {
		t.Parallel()
		ended := fmt.Errorf("read a frame: %w", &websocket.CloseError{Code: 4402, Text: "bearer ended"})
		require.ErrorContains(t, explained(ended), "give one that lives longer")
		require.ErrorIs(t, explained(ended), ended)
	})

	t.Run("KeepsOtherErrors", func(t *testing.T) {
		t.Parallel()
		for _, err := range []error{&websocket.CloseError{Code: 4401}, errors.New("connection reset")} {
			require.Equal(t, err, explained(err))
		}
	})
}
