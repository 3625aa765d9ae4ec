package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Bearers are kept for the next run, as long as they live, and only the missing ones are got.
func TestKeptBearers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bearers")
	var asked int
	signIn := func(users []string) ([]string, error) {
		asked = len(users)
		return users, nil
	}
	for _, c := range []struct{ n, asked int }{{2, 2}, {3, 1}, {1, 0}} {
		got, err := keptBearers(file, c.n, signIn)
		require.NoError(t, err)
		require.Len(t, got, c.n)
		require.Equal(t, loadPerson(0).email, got[0])
		require.Equal(t, c.asked, asked)
	}
	old := time.Now().Add(-bearersKept - time.Minute)
	require.NoError(t, os.Chtimes(file, old, old))
	_, err := keptBearers(file, 2, signIn)
	require.NoError(t, err)
	require.Equal(t, 2, asked, "all are signed in again")
}
