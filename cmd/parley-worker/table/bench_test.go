package table

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkOpen makes both passes over a file of ten thousand orders, as a preparation does.
func BenchmarkOpen(b *testing.B) {
	var text bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	text.WriteString("Order,Date,Region,Product,Units,Revenue\n")
	for i := range 10_000 {
		fmt.Fprintf(&text, "O-%06d,%s,Region %d,Product %d,%d,%.2f\n", i,
			start.AddDate(0, 0, random.IntN(1000)).Format(time.DateOnly), random.IntN(8), random.IntN(200), random.IntN(50), random.Float64()*1000)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		f, err := Open(bytes.NewReader(text.Bytes()), options())
		require.NoError(b, err)
		require.NoError(b, f.Each(func(cells func(int) []byte) error {
			for i := range f.Columns {
				_ = f.Columns[i].Parse(cells(i))
			}
			return nil
		}))
	}
}
