package logctx_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/logctx"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	one := uuid.MustParse("01920000-0000-7000-8000-000000000001")
	two := uuid.MustParse("01920000-0000-7000-8000-000000000002")
	var out bytes.Buffer
	plain := slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}})
	log := slog.New(logctx.NewHandler(plain, logctx.Node("a")))
	line := func(ctx context.Context, attrs ...slog.Attr) string {
		t.Helper()
		out.Reset()
		log.LogAttrs(ctx, slog.LevelWarn, "said", attrs...)
		return out.String()
	}

	ctx := t.Context()
	require.Equal(t, "msg=said x=1 node=a\n", line(ctx, slog.Int("x", 1)))
	require.Empty(t, logctx.RequestOf(ctx))
	request := logctx.With(ctx, logctx.Request("r1"))
	require.Equal(t, "r1", logctx.RequestOf(request))
	require.Equal(t, "msg=said request=r1 node=a\n", line(request))

	t.Run("ContextsOfOneParentAreApart", func(t *testing.T) {
		first := logctx.With(request, logctx.Conversation(one))
		second := logctx.With(request, logctx.Conversation(two), logctx.Turn(one))
		require.Equal(t, "msg=said request=r1 conversation="+one.String()+" node=a\n", line(first))
		require.Equal(t, "msg=said request=r1 conversation="+two.String()+" turn="+one.String()+" node=a\n", line(second))
	})
	t.Run("TheLineKnowsBetter", func(t *testing.T) {
		require.Equal(t, "msg=said node=b request=r1\n", line(request, logctx.Node("b")))
	})
	t.Run("AfterWith", func(t *testing.T) {
		out.Reset()
		log.With(slog.Int("y", 2)).WithGroup("g").LogAttrs(request, slog.LevelWarn, "said")
		require.Equal(t, "msg=said y=2 g.request=r1 g.node=a\n", out.String())
	})
	t.Run("OneLineWhateverIsInIt", func(t *testing.T) {
		require.Equal(t, 1, bytes.Count([]byte(line(logctx.With(ctx, logctx.Request("r\nlevel=ERROR\x1b[31m")))), []byte("\n")))
	})
}
