package persistence

import (
	"log/slog"
	"time"
)

func errorAttr(err error) slog.Attr { return slog.String("error", err.Error()) }

func countAttr(n int) slog.Attr { return slog.Int("count", n) }

// levelOf is the log level of a failure: low for a first one, a warning if it lasts.
func levelOf(waited time.Duration) slog.Level {
	if waited > time.Second {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}
