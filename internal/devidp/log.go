package devidp

import (
	"context"
	"log/slog"
)

// warnings passes on dex's warnings and errors, without what comes with them: dex
// notes what was typed into the e-mail field, which by a slip is a password, and parts
// of requests in its errors. Its messages are constants and name the step that failed.
type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h warnings) Handle(ctx context.Context, record slog.Record) error {
	bare := slog.NewRecord(record.Time, record.Level, record.Message, record.PC)
	bare.AddAttrs(slog.String("of", "dex"))

	return h.Handler.Handle(ctx, bare) //nolint:wrapcheck // a handler passes on what it is told
}

// WithAttrs implements slog.Handler.
func (h warnings) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h warnings) WithGroup(string) slog.Handler { return h }
