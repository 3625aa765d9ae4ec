package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/demo"
)

func TestDemo_Sources(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, s := range demo.Sources() {
		var text bytes.Buffer
		require.NoError(t, s.WriteCSV(&text))
		_, info := b.prepare(t, s.FileName, text.String())
		t.Log(info.Description, info.Resources[0].Table)
		for _, c := range info.Resources[0].Columns {
			t.Logf("%+v", c)
		}
		t.Log(s.Questions)
	}
}
