package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/auth"
)

func TestBearer(t *testing.T) {
	t.Parallel()
	for header, token := range map[string]string{
		"Bearer a.b.c": "a.b.c", "bearer  x ": "x", "Basic x": "", "": "", "Bearer": "", "BearerX y": "",
	} {
		require.Equal(t, token, auth.Bearer(header), header)
	}
}

func TestProtocolBearer(t *testing.T) {
	t.Parallel()
	for header, token := range map[string]string{
		"parley.v1, bearer.a.b.c": "a.b.c", "bearer.x,parley.v1": "x", "parley.v1": "", "bearer.x": "", "": "",
		"parley.v1, bearer.x, bearer.y": "", "parley.v1, parley.v1, bearer.x": "", "parley.v1, chat, bearer.x": "", "parley.v1, bearer.": "",
	} {
		require.Equal(t, token, auth.ProtocolBearer(header), header)
	}
}
