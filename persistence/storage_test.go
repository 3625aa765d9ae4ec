package persistence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

// Long texts of answers are compressed by LZ4 if the server supports it, and otherwise by
// the server's default.
func TestStorage_AnswersAreCompressed(t *testing.T) {
	t.Parallel()
	_, url := openURL(t)
	rows, err := persistencetest.Connect(t, url, "parley_engine").Query(t.Context(), `
		SELECT a.attrelid::regclass::text || '.' || a.attname, a.attcompression::text,
		       (SELECT 'lz4' = ANY(s.enumvals) FROM pg_settings s WHERE s.name = 'default_toast_compression')
		  FROM pg_attribute a
		 WHERE (a.attrelid, a.attname) IN (('message'::regclass, 'text'), ('step'::regclass, 'input'), ('step'::regclass, 'output'),
		                                   ('conversation_event'::regclass, 'data'), ('conversation_snapshot'::regclass, 'body'))`)
	require.NoError(t, err)
	defer rows.Close()
	found := 0
	for rows.Next() {
		var column, compression string
		var has bool
		require.NoError(t, rows.Scan(&column, &compression, &has))
		want := ""
		if has {
			want = "l"
		}
		require.Equal(t, want, compression, column)
		found++
	}
	require.NoError(t, rows.Err())
	require.Equal(t, 5, found)
}
