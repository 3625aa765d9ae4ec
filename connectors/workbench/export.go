package workbench

import (
	"context"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// Formats lists the formats that Export supports in addition to CSV.
func (b *Bench) Formats() []string { return []string{"json", "xlsx"} }

// Export converts one of the product's own tables, the CSV at path, to another format and
// writes it to outPath. The columns say how people read the table, in its order; nil if that
// is not known. A worker does it, because the memory of a library that writes workbooks
// cannot be limited otherwise. Errors: CodeInvalid, CodeTooLarge, CodeTooMany,
// CodeUnavailable.
func (b *Bench) Export(ctx context.Context, path, format string, columns []domain.ShownColumn, outPath string) error {
	reply, err := b.read(ctx, path, frame.Request{Kind: frame.KindExport, Export: &frame.Export{
		Format: format, Out: madeFile, Caps: csvCaps(),
		Fractions: positions(columns, domain.FormatFraction), Percents: positions(columns, domain.FormatPercent),
	}}, outPath, nil)
	if err != nil {
		return err
	}
	if reply.Made == nil {
		return faultError(reply.Fault)
	}
	return nil
}

// positions returns the positions of the columns of a format.
func positions(columns []domain.ShownColumn, format domain.ColumnFormat) []int {
	var out []int
	for i := range columns {
		if columns[i].Format == format {
			out = append(out, i)
		}
	}
	return out
}
