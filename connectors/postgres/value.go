package postgres

// Values of Postgres as cells of a result. The server sends texts (the text format of the
// protocol), which are read by the type of their column.

import (
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// meaning returns the type of a column as the analyst uses it. The modifier of a NUMERIC
// has its number of decimal places.
func meaning(oid uint32, modifier int32) domain.ColumnType {
	switch oid {
	case pgtype.BoolOID:
		return domain.ColumnBoolean
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.OIDOID:
		return domain.ColumnInteger
	case pgtype.NumericOID:
		// The modifier contains precision and scale, plus four; -1 means that it has neither.
		if modifier >= 4 && (modifier-4)&0x7ff == 0 {
			return domain.ColumnInteger
		}
		return domain.ColumnNumber
	case pgtype.Float4OID, pgtype.Float8OID:
		return domain.ColumnNumber
	case pgtype.DateOID:
		return domain.ColumnDate
	case pgtype.TimestampOID, pgtype.TimestamptzOID:
		return domain.ColumnTime
	default:
		// Other types are shown as the server writes them.
		return domain.ColumnText
	}
}

// readers convert the server's texts to cells of a domain.ResultSet.
func readers(fields []pgconn.FieldDescription) []func([]byte) any {
	out := make([]func([]byte) any, len(fields))
	for i, f := range fields {
		switch kind := meaning(f.DataTypeOID, f.TypeModifier); {
		case kind == domain.ColumnBoolean:
			out[i] = func(cell []byte) any { return string(cell) == "t" }
		case kind == domain.ColumnInteger:
			out[i] = connectors.IntegerCell
		case kind == domain.ColumnNumber:
			out[i] = connectors.NumberCell
		case kind == domain.ColumnDate, kind == domain.ColumnTime:
			out[i] = moment
		case f.DataTypeOID == pgtype.ByteaOID:
			// The server writes bytes in hexadecimal, with \x in front.
			out[i] = func(cell []byte) any { return strings.TrimPrefix(string(cell), `\x`) }
		default:
			out[i] = connectors.TextCell
		}
	}
	return out
}

// moment writes a date or a time as ISO 8601. The session's zone is UTC.
// Infinity is no date that a client could show.
func moment(cell []byte) any {
	t := string(cell)
	if t == "infinity" || t == "-infinity" {
		return nil
	}
	if zoned, ok := strings.CutSuffix(t, "+00"); ok {
		t = zoned + "Z"
	}
	return strings.Replace(t, " ", "T", 1)
}
