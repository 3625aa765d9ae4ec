package devidp

import (
	"context"
	"log/slog"
)

// warnings passes on the messages of dex's warnings and errors, without their attributes:
// dex logs the text of the e-mail field, into which people may type a password by mistake,
// and its errors contain parts of requests. The messages are constants, and name the step
// that failed.
type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h warnings) Handle(ctx context.Context, record slog.Record) error {
	bare := slog.NewRecord(record.Time, record.Level, record.Message, record.PC)
	bare.AddAttrs(slog.String("of", "dex"))

	return h.Handler.Handle(ctx, bare) //nolint:wrapcheck // a handler passes errors on unchanged
}

// WithAttrs implements slog.Handler.
func (h warnings) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h warnings) WithGroup(string) slog.Handler { return h }
