package persistence

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// registerUUIDs registers the codec for our ids. Without it pgx encodes each of them through
// database/sql, as text and with an error that is created and dropped, which was the largest
// part of the cost of a journal's group in this process.
func registerUUIDs(m *pgtype.Map) {
	m.RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}})
	registerList(m, "_uuid", pgtype.UUIDArrayOID, pgtype.UUIDOID, appendIDs)
}

// uuidCodec adds the types of google/uuid to what the library can read and write.
type uuidCodec struct{ pgtype.UUIDCodec }

// PlanEncode implements pgtype.Codec.
func (c uuidCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if format == pgtype.BinaryFormatCode {
		switch value.(type) {
		case uuid.UUID, uuid.NullUUID:
			return encodeUUID{}
		}
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

// PlanScan implements pgtype.Codec.
func (c uuidCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if format == pgtype.BinaryFormatCode {
		switch target.(type) {
		case *uuid.UUID, *uuid.NullUUID:
			return scanUUID{}
		}
	}
	return c.UUIDCodec.PlanScan(m, oid, format, target)
}

// encodeUUID writes an id as its 16 bytes, which is the binary form of Postgres.
type encodeUUID struct{}

// Encode implements pgtype.EncodePlan; nil is NULL.
func (encodeUUID) Encode(value any, buf []byte) ([]byte, error) {
	switch id := value.(type) {
	case uuid.UUID:
		return append(buf, id[:]...), nil
	case uuid.NullUUID:
		if !id.Valid {
			return nil, nil
		}
		return append(buf, id.UUID[:]...), nil
	default:
		return nil, fmt.Errorf("%T is no id", value)
	}
}

// scanUUID reads the same form.
type scanUUID struct{}

// Scan implements pgtype.ScanPlan. NULL is the zero id, as with database/sql.
func (scanUUID) Scan(src []byte, target any) error {
	if src != nil && len(src) != len(uuid.UUID{}) {
		return fmt.Errorf("an id of %d bytes", len(src))
	}
	switch id := target.(type) {
	case *uuid.UUID:
		*id = uuid.Nil
		copy(id[:], src)
	case *uuid.NullUUID:
		*id = uuid.NullUUID{Valid: src != nil}
		copy(id.UUID[:], src)
	default:
		return fmt.Errorf("%T holds no id", target)
	}
	return nil
}
