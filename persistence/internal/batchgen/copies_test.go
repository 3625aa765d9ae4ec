package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const nounsOfNotes = `package domain

type Kind string

type Note struct {
	ID      int64
	QAText  string
	Kind    Kind
	Version int
	UsedAt  time.Time
	MadeAt  time.Time
	Labels  []Label
}

type NoteDraft struct {
	QAText *string
	Name   string
	Kind   Kind
	Count  int
}
`

const rowsOfNotes = `package dbsqlc

type Note struct {
	ID      int64
	QaText  string
	Kind    string
	Version int32
	MadeAt  time.Time
	Labels  []int64
}

type NoteShown struct {
	Note   Note
	UsedAt *time.Time
}

type NoteInsertParams struct {
	OrgID  int64
	QaText string
	Name   *string
	Kind   string
	Count  int32
}
`

func TestCopies(t *testing.T) {
	t.Parallel()
	read := func(source string) *structs {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "notes.go"), []byte(source), 0o600))
		s, err := structsIn(folder)
		require.NoError(t, err)
		return s
	}
	rows, nouns := read(rowsOfNotes), read(nounsOfNotes)
	out, err := copies([]pair{{noun: "Note", row: "NoteShown"}, {noun: "NoteDraft", params: "NoteInsertParams"}}, rows, nouns)
	require.NoError(t, err)
	require.Contains(t, string(out), `
// NoteOf takes from r what has the name of a field. Left to its caller: Labels.
func NoteOf(r *NoteShown) domain.Note {
	return domain.Note{
		ID:      r.Note.ID,
		QAText:  r.Note.QaText,
		Kind:    domain.Kind(r.Note.Kind),
		Version: int(r.Note.Version),
		UsedAt:  pointer.Value(r.UsedAt).UTC(),
		MadeAt:  r.Note.MadeAt.UTC(),
	}
}
`)
	require.Contains(t, string(out), `
// NoteInsertOf takes from d what has the name of a parameter. Left to its caller: OrgID, Count.
func NoteInsertOf(d *domain.NoteDraft) *NoteInsertParams {
	return &NoteInsertParams{
		QaText: pointer.Value(d.QAText),
		Name:   &d.Name,
		Kind:   string(d.Kind),
	}
}
`)
	for name, tt := range map[string]struct {
		pair  pair
		fault string
	}{
		"ErrNoNoun":   {pair{noun: "Letter", row: "NoteShown"}, "domain has no struct Letter"},
		"ErrNoRow":    {pair{noun: "Note", row: "LetterShown"}, "there is no row LetterShown"},
		"ErrNoParams": {pair{noun: "Note", params: "LetterInsertParams"}, "there are no parameters LetterInsertParams"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := copies([]pair{tt.pair}, rows, nouns)
			require.EqualError(t, err, tt.fault)
		})
	}
}

// TestMarks_Pairs: a mark asks for a function, with the final row type of the query.
func TestMarks_Pairs(t *testing.T) {
	t.Parallel()
	all := &asked{rows: make(rowTypes)}
	for _, marks := range []string{"// @batch @into:Letter", "// @batch @row:Shown @into:Note", "// @from:NoteDraft"} {
		_, err := rewrite([]byte(list("NoteList", marks)), all)
		require.NoError(t, err)
	}
	require.Equal(t, []pair{
		{noun: "Letter", row: "NoteListRow"}, {noun: "Note", row: "Shown"}, {noun: "NoteDraft", params: "NoteListParams"},
	}, all.pairs)
}
