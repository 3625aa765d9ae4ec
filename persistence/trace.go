package persistence

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
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

// Literal writes a parameter as a constant of SQL whose type follows from where
// it stands, for plans and benchmarks of what Config.Trace tells.
func Literal(arg any) (string, error) {
	text, null, err := ParameterText(arg)
	switch {
	case err != nil:
		return "", err
	case null:
		return "NULL", nil
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'", nil
}

// ParameterText writes a parameter as the database reads it, or says that it is null.
func ParameterText(arg any) (text string, null bool, err error) {
	switch v := arg.(type) {
	case nil:
		return "", true, nil
	case string:
		return v, false, nil
	case bool:
		return strconv.FormatBool(v), false, nil
	case int32:
		return strconv.FormatInt(int64(v), 10), false, nil
	case int64:
		return strconv.FormatInt(v, 10), false, nil
	case *int64:
		if v == nil {
			return "", true, nil
		}
		return strconv.FormatInt(*v, 10), false, nil
	case uuid.UUID:
		return v.String(), false, nil
	case uuid.NullUUID:
		return v.UUID.String(), !v.Valid, nil
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano), false, nil
	case []int64:
		return literalArray(v)
	case []uuid.UUID:
		return literalArray(v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		}
		return literalArray(quoted)
	}
	return "", false, fmt.Errorf("persistence: no constant is known for a %T", arg)
}

func literalArray[T any](list []T) (text string, null bool, err error) {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprint(v)
	}
	return "{" + strings.Join(parts, ",") + "}", false, nil
}
