package workbench

import (
	"context"

	"parley.dev/parley/connectors/workbench/frame"
)

// Formats lists the formats that Export knows, beside CSV.
func (b *Bench) Formats() []string { return []string{"json", "xlsx"} }

// Export writes a table of ours, the CSV at path, in another format to outPath. A
// worker does it: a library that writes workbooks needs memory as it likes.
// Errors: CodeInvalid, CodeTooLarge, CodeTooMany, CodeUnavailable.
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
