package analyst

// Outputs of steps in the form of the journal (G7). Another attempt of the turn reads them instead of repeating the call, so
// what the journal leaves out must be readable again.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"parley.dev/parley/domain"
)

// journalMax is the maximum number of bytes of a step's output in the journal. A bigger table is left
// out, and read again if it is needed. A chart of thousands of points is left out, too: it is stored as
// an object.
const journalMax = 256 << 10

// journaled returns the output in the form for the journal. Cells that JSON cannot encode (infinity,
// not a number) become empty cells, as in the CSV.
func journaled(out *toolOutput) *toolOutput {
	// The chart is stored as an object, so only its options are missing in a replay.
	if len(out.Result.Chart) > journalMax/2 {
		kept := *out
		kept.Result.Chart = nil
		out = &kept
	}
	if out.Result.Table == nil {
		return out
	}
	kept := *out
	table := *out.Result.Table
	table.Rows = finiteRows(table.Rows)
	kept.Result.Table = &table
	if body, err := json.Marshal(&kept); err == nil && len(body) <= journalMax {
		return &kept
	}
	// If the table is needed, the query runs again; it only reads data.
	kept.Result.Table, kept.Again = nil, true
	return &kept
}

// finiteRows copies only rows that contain NaN or infinity.
func finiteRows(rows [][]any) [][]any {
	out := make([][]any, len(rows))
	for i, row := range rows {
		out[i] = row
		for k, cell := range row {
			if f, ok := cell.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				if &out[i][0] == &row[0] {
					out[i] = append([]any(nil), row...)
				}
				out[i][k] = nil
			}
		}
	}
	return out
}

// decodeToolOutput reads a journaled output. Integers of integer columns become int64 again, which JSON alone does not
// preserve.
func decodeToolOutput(body json.RawMessage) (*toolOutput, error) {
	var out toolOutput
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("decode a step: %w", err)
	}
	if t := out.Result.Table; t != nil {
		for _, row := range t.Rows {
			for i, cell := range row {
				n, ok := cell.(json.Number)
				if !ok || i >= len(t.Columns) {
					continue
				}
				value, err := number(n, t.Columns[i].Type)
				if err != nil {
					return nil, err
				}
				row[i] = value
			}
		}
	}
	return &out, nil
}

// number converts a number to the type of its column.
func number(n json.Number, t domain.ColumnType) (any, error) {
	if t == domain.ColumnInteger {
		if v, err := n.Int64(); err == nil {
			return v, nil
		}
	}
	v, err := n.Float64()
	if err != nil {
		return nil, fmt.Errorf("decode a number: %w", err)
	}
	return v, nil
}
