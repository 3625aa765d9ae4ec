package postgres

import (
	"context"
	"encoding/json"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// The rows of a table that others inherit from include theirs, for which its constraints do not hold. Partitions are no such
// tables: the constraints of the partitioned table hold for all of them.
const uninherited = `NOT EXISTS (SELECT FROM pg_inherits h JOIN pg_class k ON k.oid = h.inhrelid
	WHERE h.inhparent = t.oid AND NOT k.relispartition)`

// uniqueIndexes returns the keys. An index over an expression or a part of the rows is none, and neither is one over a column
// that can be NULL, because Postgres allows NULL in several rows.
const uniqueIndexes = `SELECT i.indrelid, json_agg(a.attname ORDER BY k.place)
	FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
	CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (att, place)
	JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.att
	WHERE i.indrelid = ANY ($1::oid[]) AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
		AND k.place <= i.indnkeyatts AND ` + uninherited + `
	GROUP BY i.indrelid, i.indexrelid, i.indisprimary
	HAVING bool_and(a.attnotnull)
	ORDER BY i.indrelid, i.indisprimary DESC, count(*), i.indexrelid`

// foreignKeys returns the foreign keys between some tables. One that was added without a check of the older rows is left out,
// and so is one to a table of which policies hide rows from the user.
const foreignKeys = `SELECT c.conrelid, c.confrelid,
		(SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(c.conkey) WITH ORDINALITY AS k (att, place)
			JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.att),
		(SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(c.confkey) WITH ORDINALITY AS k (att, place)
			JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.att)
	FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class home ON home.oid = c.confrelid
	WHERE c.contype = 'f' AND c.convalidated AND c.conrelid = ANY ($1::oid[]) AND c.confrelid = ANY ($1::oid[])
		AND NOT home.relrowsecurity AND ` + uninherited + `
	ORDER BY c.conrelid, c.conname`

// ReadConstraints implements connectors.Catalogue.
func (s *session) ReadConstraints(ctx context.Context, relations []connectors.Relation) error {
	ids, place := relationIDs(relations)
	// A database that answers like Postgres and lacks one of these catalogues is described without constraints.
	return s.attempt(ctx, connectors.CountLimit, func() error {
		keys, err := s.rows(ctx, uniqueIndexes, array(ids))
		if err != nil {
			return err
		}
		foreign, err := s.rows(ctx, foreignKeys, array(ids))
		if err != nil {
			return err
		}
		for _, row := range keys {
			names, err := namesOf(row[1])
			if err != nil {
				return err
			}
			r := &relations[place[text(row[0])]]
			r.Keys = append(r.Keys, names)
		}
		for _, row := range foreign {
			from, err := namesOf(row[2])
			if err != nil {
				return err
			}
			to, err := namesOf(row[3])
			if err != nil {
				return err
			}
			r := &relations[place[text(row[0])]]
			r.References = append(r.References, connectors.RelationReference{Columns: from, ID: text(row[1]), To: to})
		}
		return nil
	})
}

// relationIDs are the IDs of some relations, and the place of each.
func relationIDs(relations []connectors.Relation) (ids []string, place map[string]int) {
	ids, place = make([]string, len(relations)), make(map[string]int, len(relations))
	for i := range relations {
		ids[i], place[relations[i].ID] = relations[i].ID, i
	}
	return ids, place
}

// namesOf reads a list of names.
func namesOf(cell []byte) ([]string, error) {
	var names []string
	if err := json.Unmarshal(cell, &names); err != nil {
		return nil, domain.Internal(err, "read the columns of a constraint")
	}
	return names, nil
}
