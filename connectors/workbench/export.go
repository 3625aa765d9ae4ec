package workbench

import (
	"context"

	"parley.dev/parley/connectors/workbench/frame"
)

// Formats lists the formats that Export supports in addition to CSV.
func (b *Bench) Formats() []string { return []string{"json", "xlsx"} }

// Export converts one of the product's own tables, the CSV at path, to another format and
// writes it to outPath. A worker does it, because the memory of a library that writes
// workbooks cannot be limited otherwise. Errors: CodeInvalid, CodeTooLarge, CodeTooMany,
// CodeUnavailable.
func (b *Bench) Export(ctx context.Context, path, format, outPath string) error {
	reply, err := b.read(ctx, path, frame.Request{Kind: frame.KindExport, Export: &frame.Export{
		Format: format, Out: madeFile, Caps: csvCaps(),
	}}, outPath, nil)
	if err != nil {
		return err
	}
	if reply.Made == nil {
		return faultError(reply.Fault)
	}
	return nil
}
