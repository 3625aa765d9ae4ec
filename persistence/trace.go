package persistence

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// tracer tells Config.Trace of the statements that requests run.
type tracer struct {
	tell func(sql string, args []any)
}

var (
	_ pgx.QueryTracer = tracer{}
	_ pgx.BatchTracer = tracer{}
)

// TraceQueryStart implements pgx.QueryTracer.
func (t tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	t.tell(data.SQL, data.Args)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (t tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		t.tell(q.SQL, q.Arguments)
	}
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer. All was told when the batch began.
func (tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
