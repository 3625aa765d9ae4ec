package wire

import (
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Facts are what was measured of a data source: nothing in them is an estimate.
type Facts struct {
	Status     string         `json:"status" enum:"measured,pending,failed" doc:"Pending while the file is not measured yet, failed if it could not be measured."`
	MeasuredAt *protocol.Time `json:"measuredAt" doc:"When it was measured; null before."`
	Tables     []TableFacts   `json:"tables" nullable:"false" doc:"The tables; empty before they are measured."`
	Links      []FactLink     `json:"links" nullable:"false" doc:"The links between the tables, and those to tables of other connectors that the caller may read."`
	Changes    []FactChange   `json:"changes" nullable:"false" doc:"What is different from the file before."`
}

// TableFacts are the facts of one table.
type TableFacts struct {
	ID         int64         `json:"id" doc:"The id of the table."`
	Name       string        `json:"name" doc:"The name of the table." example:"Orders"`
	Rows       int64         `json:"rows" doc:"The exact number of rows."`
	Keys       []FactKey     `json:"keys" nullable:"false" doc:"Columns that together name each row: no two rows are equal in them, and no value is missing. The first key is the one to speak of."`
	Implied    []FactImplied `json:"implied" nullable:"false" doc:"What is the same in all rows with the same value of a column."`
	Panel      *FactPanel    `json:"panel,omitempty" doc:"Missing unless the table has a row for each entity in each of many periods."`
	Unmeasured []string      `json:"unmeasured" nullable:"false" doc:"What did not fit into the limits of the measurement, so that nothing is known about it: columns, keys, distinct, implied, panel, series or changes." example:"panel"`
}

// FactKey is one key.
type FactKey struct {
	Columns []string `json:"columns" nullable:"false" doc:"The columns of the key." example:"order_id"`
}

// FactImplied is one dependency.
type FactImplied struct {
	By      []string `json:"by" nullable:"false" doc:"The columns that determine the others." example:"customer_id"`
	Columns []string `json:"columns" nullable:"false" doc:"The columns that are the same for each of their values." example:"customer_name,country"`
}

// FactPanel is what a row of a panel stands for.
type FactPanel struct {
	Entity []string `json:"entity" nullable:"false" doc:"The columns that name the entity." example:"account_id"`
	Period string   `json:"period" doc:"The column of the period." example:"month"`
	Levels []string `json:"levels" nullable:"false" doc:"Columns whose change since the period before is another column." example:"mrr"`
}

// FactLink is a link from columns to a key of another table.
type FactLink struct {
	FromSource int64    `json:"fromSource" doc:"The id of the connector of the first table."`
	FromTable  string   `json:"fromTable" doc:"The name of the first table in SQL." example:"orders"`
	From       []string `json:"from" nullable:"false" doc:"The columns that lead to the key." example:"customer_id"`
	ToSource   int64    `json:"toSource" doc:"The id of the connector of the other table."`
	ToTable    string   `json:"toTable" doc:"The name of the other table in SQL." example:"customers"`
	To         []string `json:"to" nullable:"false" doc:"The key of the other table." example:"id"`
	Other      string   `json:"other" doc:"The name of the other connector; empty for a link within one." example:"Customers"`
	Distinct   int64    `json:"distinct" doc:"The number of different values."`
	Matched    int64    `json:"matched" doc:"How many of them the key has."`
	Orphans    int64    `json:"orphans" doc:"The number of rows whose value the key does not have."`
	IsUnique   bool     `json:"isUnique" doc:"Whether each value is in one row only."`
}

// FactChange is one difference between two files of a connector.
type FactChange struct {
	Kind      string   `json:"kind" enum:"table_came,table_gone,columns_came,columns_gone,key_lost,key_found,link_lost,link_found,link_orphans,panel_lost,panel_found" doc:"What has changed."`
	Table     string   `json:"table" doc:"The name of the table in SQL." example:"orders"`
	Columns   []string `json:"columns" nullable:"false" doc:"The columns, of a key, of a link, or that came or went. Of panel_lost and panel_found what is followed over time." example:"order_id"`
	ToTable   string   `json:"toTable" doc:"The other table of a link; otherwise empty." example:"customers"`
	ToColumns []string `json:"toColumns" nullable:"false" doc:"The key of the other table of a link. Of panel_lost and panel_found the column of the periods." example:"id"`
	Repeated  int64    `json:"repeated" doc:"The number of values of a former key that are in several rows."`
	Missing   int64    `json:"missing" doc:"The number of rows without a value of a former key."`
	Orphans   int64    `json:"orphans" doc:"The number of rows of a link whose value the other table does not have."`
	Text      string   `json:"text" doc:"The change as an English sentence." example:"order_id no longer identifies each row: 3 values are in several rows."`
}

// NewFacts converts what is known about a data source; d has its tables.
func NewFacts(d *domain.DataSource, known *domain.KnownFacts, others []domain.LinkedSource) Facts {
	out := Facts{Status: "pending", Tables: []TableFacts{}, Links: []FactLink{}, Changes: newFactChanges(known.Changes)}
	switch {
	case known.Measured:
		at := protocol.Time(known.MeasuredAt)
		out.Status, out.MeasuredAt = "measured", &at
	case known.Failed:
		out.Status = "failed"
	}
	for i := range d.Resources {
		for j := range known.Tables {
			if known.Tables[j].Table == d.Resources[i].Table {
				out.Tables = append(out.Tables, newTableFacts(&d.Resources[i], &known.Tables[j]))
			}
		}
	}
	// A link without a key at its end is not shown: the page says of each link that its other end is one row.
	for i := range known.Links {
		if known.Links[i].Shared {
			continue
		}
		out.Links = append(out.Links, newFactLink(d.ID, d.ID, "", &known.Links[i]))
	}
	for i := range others {
		for j := range others[i].Links {
			l := &others[i].Links[j]
			if l.Shared {
				continue
			}
			out.Links = append(out.Links, newFactLink(l.FromSource, l.ToSource, others[i].Name, &l.LinkFacts))
		}
		out.Changes = append(out.Changes, newFactChanges(others[i].Changes)...)
	}
	return out
}

func newTableFacts(r *domain.DataResource, t *domain.TableFacts) TableFacts {
	out := TableFacts{ID: r.ID, Name: r.Name, Rows: t.Rows, Keys: []FactKey{}, Implied: []FactImplied{}, Unmeasured: []string{}}
	for _, key := range t.Keys {
		out.Keys = append(out.Keys, FactKey{Columns: key})
	}
	for _, implied := range t.Implied {
		out.Implied = append(out.Implied, FactImplied{By: implied.By, Columns: implied.Columns})
	}
	if t.Panel != nil {
		out.Panel = &FactPanel{Entity: t.Panel.Entity, Period: t.Panel.Period, Levels: []string{}}
		for _, s := range t.Panel.Series {
			if s.ChangeColumn != "" {
				out.Panel.Levels = append(out.Panel.Levels, s.Column)
			}
		}
	}
	for _, part := range t.Unmeasured {
		out.Unmeasured = append(out.Unmeasured, string(part))
	}
	return out
}

func newFactLink(from, to int64, other string, l *domain.LinkFacts) FactLink {
	return FactLink{
		FromSource: from, FromTable: l.FromTable, From: l.From, ToSource: to, ToTable: l.ToTable, To: l.To, Other: other,
		Distinct: l.Distinct, Matched: l.Matched, Orphans: l.Orphans, IsUnique: l.Unique,
	}
}

func newFactChanges(changes []domain.FactChange) []FactChange {
	out := make([]FactChange, 0, len(changes))
	for i := range changes {
		c := &changes[i]
		out = append(out, FactChange{
			Kind: string(c.Kind), Table: c.Table, Columns: append([]string{}, c.Columns...), ToTable: c.ToTable,
			ToColumns: append([]string{}, c.ToColumns...), Repeated: c.Repeated, Missing: c.Missing, Orphans: c.Orphans, Text: c.String(),
		})
	}
	return out
}
