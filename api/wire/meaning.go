package wire

import (
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// Meaning is what the data of a connector mean. It is derived from measurements, the data dictionary and corrections.
type Meaning struct {
	Measured    bool             `json:"measured" doc:"False while the present file was not measured: then less is known."`
	Tables      []MeaningTable   `json:"tables" nullable:"false" doc:"The tables."`
	Links       []MeaningLink    `json:"links" nullable:"false" doc:"The links between the tables, and those with tables of other connectors that the caller may read."`
	Corrections []Correction     `json:"corrections" nullable:"false" doc:"What people said and nobody has taken back, the oldest first."`
	Abilities   MeaningAbilities `json:"abilities" doc:"What the caller may do with it."`
}

// MeaningAbilities says what the caller may do.
type MeaningAbilities struct {
	Correct bool `json:"correct" doc:"Whether the caller may correct it and take corrections back."`
}

// MeaningReason says why something is taken to be so.
type MeaningReason struct {
	State    string `json:"state" enum:",measured,said,documented,declared,inferred" doc:"measured: counted exactly. said: by a person. documented: read from the description or the data dictionary. declared: by the database. inferred: from names or statistics. Empty if nothing is known." example:"measured"`
	Evidence string `json:"evidence" doc:"An English sentence; empty if there is none." example:"mrr minus the month before is mrr_change in all rows"`
}

// MeaningTable is the meaning of one table.
type MeaningTable struct {
	ID          int64            `json:"id" doc:"The id of the table."`
	Name        string           `json:"name" doc:"The name of the table." example:"Orders"`
	Table       string           `json:"table" doc:"The name of the table in SQL, which corrections use." example:"orders"`
	Rows        int64            `json:"rows" doc:"The number of rows."`
	Row         string           `json:"row" doc:"What one row is, in the singular." example:"order"`
	RowReason   MeaningReason    `json:"rowReason" doc:"Why a row is that."`
	Kind        string           `json:"kind" doc:"event, entity, snapshot, bridge, pairs, calendar or document; empty if it is not known." example:"event"`
	Keys        []FactKey        `json:"keys" nullable:"false" doc:"Columns that together name each row; the first key is the one to speak of."`
	IsKeysKnown bool             `json:"isKeysKnown" doc:"Whether the keys were measured: if so and there are none, rows repeat."`
	Snapshot    *MeaningSnapshot `json:"snapshot,omitempty" doc:"Missing unless the table has a row for each entity in each of many periods."`
	Time        string           `json:"time" doc:"The column of the time that a question means if it names none; empty if there is none." example:"order_date"`
	TimeReason  MeaningReason    `json:"timeReason" doc:"Why it is that time."`
	Main        string           `json:"main" doc:"The column of the number whose total ranks things if a question names none; empty if there is none." example:"net_sales"`
	MainReason  MeaningReason    `json:"mainReason" doc:"Why it is that number."`
	Called      string           `json:"called" doc:"The column with the names of the things; empty if there is none." example:"customer_name"`
	Words       []string         `json:"words" nullable:"false" doc:"Other words for the table." example:"sales"`
	Columns     []MeaningColumn  `json:"columns" nullable:"false" doc:"The columns."`
}

// MeaningSnapshot says that a table has a row for each entity in each period.
type MeaningSnapshot struct {
	Entity    []string `json:"entity" nullable:"false" doc:"The columns that name the entity." example:"account_id"`
	Period    string   `json:"period" doc:"The column of the period." example:"month"`
	Step      string   `json:"step" enum:",day,week,month,quarter,year" doc:"The distance of two periods; empty if it is not known."`
	IsRegular bool     `json:"isRegular" doc:"Whether an entity has a row in each period while it lives."`
	Last      string   `json:"last" doc:"The last complete period; empty if it is not known." example:"2026-10-01"`
	Birth     string   `json:"birth" doc:"The column that says since when an entity exists; empty if there is none." example:"customer_since"`
	Exit      string   `json:"exit" doc:"The flag that is true only in the last row of an entity; empty if there is none." example:"churned"`
}

// MeaningColumn is the meaning of one column.
type MeaningColumn struct {
	Name    string           `json:"name" doc:"The name of the column." example:"mrr"`
	Label   string           `json:"label" doc:"The heading as people write it." example:"MRR"`
	Type    string           `json:"type" doc:"The type of the column." example:"number"`
	Role    string           `json:"role" enum:",key,foreign,time,part,dimension,measure,flag,text,geo,order" doc:"What the column is for; empty if it is not known."`
	Number  *MeaningNumber   `json:"number,omitempty" doc:"Missing for a column that is not calculated with."`
	Ordered []string         `json:"ordered" nullable:"false" doc:"Its values in their order; empty if they have none." example:"low,medium,high"`
	Yes     string           `json:"yes" doc:"The value of a flag that means yes; empty for other columns." example:"true"`
	Missing int64            `json:"missing" doc:"The number of rows without a value."`
	Words   []string         `json:"words" nullable:"false" doc:"Other words for the column." example:"revenue"`
	Verbs   []string         `json:"verbs" nullable:"false" doc:"Verbs that mean the column." example:"churned"`
	Reasons []MeaningBecause `json:"reasons" nullable:"false" doc:"Why the parts of the meaning are so."`
}

// MeaningBecause is the reason of one part.
type MeaningBecause struct {
	Of string `json:"of" doc:"The part: role, adds, unit, scale, ordered, default, weight or barriers." example:"adds"`
	MeaningReason
}

// MeaningNumber is what a column of numbers means.
type MeaningNumber struct {
	Adds     string           `json:"adds" enum:"amount,level,rate,unknown" doc:"amount: may be added up over everything. level: not over time. rate: never."`
	Default  string           `json:"default" enum:"sum,last,mean_of_periods,mean,ask" doc:"How it is summed up if a question does not say."`
	Unit     MeaningUnit      `json:"unit" doc:"Its unit."`
	Scale    float64          `json:"scale" doc:"What a value is multiplied with when it is spoken of." example:"1"`
	Weight   string           `json:"weight" doc:"The column that weighs it in a mean; empty if there is none." example:"quantity"`
	Barriers []MeaningBarrier `json:"barriers" nullable:"false" doc:"Columns over whose values it must not be added up."`
}

// MeaningUnit is a unit.
type MeaningUnit struct {
	Kind   string `json:"kind" enum:",money,percent,duration,count,physical" doc:"What is counted; empty for no unit."`
	Symbol string `json:"symbol" doc:"The currency, the step of a duration, the thing of a count, or the symbol of the unit." example:"USD"`
	Column string `json:"column" doc:"The column that holds the unit of each row; empty if all rows have the same." example:"currency"`
}

// MeaningBarrier is a column over whose values a number must not be added up.
type MeaningBarrier struct {
	Column string `json:"column" doc:"The column." example:"month"`
	Of     string `json:"of" doc:"The English word for what it separates." example:"months"`
}

// MeaningLink is a link between columns of two tables.
type MeaningLink struct {
	FromSource  int64         `json:"fromSource" doc:"The id of the connector of the first table."`
	FromTable   string        `json:"fromTable" doc:"The name of the first table in SQL." example:"orders"`
	From        []string      `json:"from" nullable:"false" doc:"Its columns." example:"customer_id"`
	ToSource    int64         `json:"toSource" doc:"The id of the connector of the other table."`
	ToTable     string        `json:"toTable" doc:"The name of the other table in SQL." example:"customers"`
	To          []string      `json:"to" nullable:"false" doc:"Its columns." example:"id"`
	Other       string        `json:"other" doc:"The name of the other connector; empty for a link within one." example:"Customers"`
	Cardinality string        `json:"cardinality" enum:",many_to_one,one_to_one,many_to_many" doc:"How many rows of the first table belong to one of the other; empty if it is not known."`
	Distinct    int64         `json:"distinct" doc:"The number of different values."`
	Matched     int64         `json:"matched" doc:"How many of them the other table has."`
	Orphans     int64         `json:"orphans" doc:"The number of rows whose value the other table does not have."`
	IsPreferred bool          `json:"isPreferred" doc:"Whether a person said that it is meant if several links lead to the same place."`
	Reason      MeaningReason `json:"reason" doc:"Why it is taken to be a link."`
}

// Correction is what a person said about the data.
type Correction struct {
	ID     int64         `json:"id" doc:"The id."`
	Table  string        `json:"table" doc:"The name of the table in SQL." example:"orders"`
	Column string        `json:"column" doc:"The column; empty for what is said of the whole table." example:"mrr"`
	Field  string        `json:"field" enum:"row,time,main,role,adds,default,unit,scale,weight,words,verbs,link" doc:"What it says."`
	Value  string        `json:"value" doc:"The value." example:"level"`
	Reason string        `json:"reason" doc:"What the person wrote about it." example:"It is the stock at the end of the month."`
	ByID   int64         `json:"byId" doc:"The id of the person."`
	ByName string        `json:"byName" doc:"The name of the person." example:"Ben Baker"`
	At     protocol.Time `json:"at" doc:"When it was said."`
	Rests  bool          `json:"rests" doc:"True if the present file has not what it is about. It holds again with a file that has it."`
}

// CorrectionRequest is a new correction.
type CorrectionRequest struct {
	_      struct{} `additionalProperties:"true"`
	Table  string   `json:"table" doc:"The name of the table in SQL." example:"orders"`
	Column string   `json:"column,omitempty" doc:"The column; empty for row, time, and words of the whole table." example:"mrr"`
	Field  string   `json:"field" doc:"What it says: row, time, main, role, adds, default, unit, scale, weight, words, verbs or link." example:"adds"`
	Value  string   `json:"value" doc:"1 to {characters} characters. For row what one row is; for time and weight a column; for role, adds and default one of their values; for unit such as USD, or - for none; for scale a positive number; for words and verbs a list with commas; for link such as customers.id, with s7. before it for a table of connector 7, and first a minus sign if it is no link, or an exclamation mark if it is preferred." example:"level"`
	Reason string   `json:"reason,omitempty" doc:"At most {characters} characters." example:"It is the stock at the end of the month."`
}

// TransformSchema implements huma.SchemaTransformer.
func (CorrectionRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.NewCorrection).Limits())
}

// New makes a new correction from it.
func (r *CorrectionRequest) New() domain.NewCorrection {
	return domain.NewCorrection{Table: r.Table, Column: r.Column, Field: meaning.Field(r.Field), Value: r.Value, Reason: r.Reason}
}

// NewCorrection converts a correction.
func NewCorrection(c *meaning.Correction, rests bool) Correction {
	return Correction{
		ID: c.ID, Table: c.Table, Column: c.Column, Field: string(c.Field), Value: c.Value, Reason: c.Reason, ByID: c.By, ByName: c.ByName,
		At: protocol.Time(c.At), Rests: rests,
	}
}

// NewMeaning converts what the data of a data source mean, for a caller.
func NewMeaning(caller domain.Caller, m *domain.MeaningOfSource) Meaning {
	out := Meaning{
		Measured: m.Measured, Tables: []MeaningTable{}, Links: []MeaningLink{}, Corrections: []Correction{},
		Abilities: MeaningAbilities{Correct: domain.ChangeDataSource.May(caller, m.Source.Relation(caller))},
	}
	for i := range m.Source.Resources {
		r := &m.Source.Resources[i]
		for j := range m.Meaning.Tables {
			if t := &m.Meaning.Tables[j]; t.Source == m.Source.ID && t.Name == r.Table {
				out.Tables = append(out.Tables, newMeaningTable(m, r, t))
			}
		}
	}
	for i := range m.Meaning.Links {
		l := &m.Meaning.Links[i]
		if l.From.Source == m.Source.ID || l.To.Source == m.Source.ID {
			out.Links = append(out.Links, newMeaningLink(m, l))
		}
	}
	for i := range m.Corrections {
		out.Corrections = append(out.Corrections, NewCorrection(&m.Corrections[i].Correction, m.Corrections[i].Rests))
	}
	return out
}

func newMeaningTable(m *domain.MeaningOfSource, r *domain.DataResource, t *meaning.Table) MeaningTable {
	out := MeaningTable{
		ID: r.ID, Name: r.Name, Table: t.Name, Rows: t.Rows, Row: t.Row, RowReason: newMeaningReason(t.RowReason), Kind: string(t.Kind),
		Keys: []FactKey{}, IsKeysKnown: t.KeysKnown, Time: t.Time, TimeReason: newMeaningReason(t.TimeReason),
		Main: t.Main, MainReason: newMeaningReason(t.MainReason), Called: t.Called,
		Words: wordsFor(m.Meaning, t, ""), Columns: []MeaningColumn{},
	}
	for _, key := range t.Keys {
		out.Keys = append(out.Keys, FactKey{Columns: key})
	}
	if s := t.Snapshot; s != nil {
		out.Snapshot = &MeaningSnapshot{
			Entity: append([]string{}, s.Entity...), Period: s.Period, Step: string(s.Step), IsRegular: s.Regular, Last: s.Last, Birth: s.Birth,
			Exit: s.Exit,
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		column := newMeaningColumn(c)
		for j := range r.Columns {
			if r.Columns[j].Name == c.Name {
				column.Type = string(r.Columns[j].Type)
			}
		}
		column.Words = wordsFor(m.Meaning, t, c.Name)
		for j := range t.Verbs {
			v := &t.Verbs[j]
			if v.Column == c.Name || v.Column == "" && v.Time == c.Name {
				column.Verbs = append(column.Verbs, v.Word)
			}
		}
		out.Columns = append(out.Columns, column)
	}
	return out
}

// wordsFor lists the other words for a table or one of its columns, each once.
func wordsFor(m *meaning.Meaning, t *meaning.Table, column string) []string {
	out := []string{}
	for i := range m.Words {
		w := &m.Words[i]
		if w.Source == t.Source && w.Table == t.Name && w.Column == column && w.Value == "" && !slices.Contains(out, w.Text) {
			out = append(out, w.Text)
		}
	}
	return out
}

func newMeaningColumn(c *meaning.Column) MeaningColumn {
	out := MeaningColumn{
		Name: c.Name, Label: c.Label, Role: string(c.Role), Ordered: append([]string{}, c.Ordered...), Yes: c.Yes, Missing: c.Missing,
		Verbs: []string{}, Reasons: []MeaningBecause{},
	}
	for _, of := range slices.Sorted(maps.Keys(c.Reasons)) {
		out.Reasons = append(out.Reasons, MeaningBecause{Of: of, MeaningReason: newMeaningReason(c.Reasons[of])})
	}
	if n := c.Number; n != nil {
		out.Number = &MeaningNumber{
			Adds: string(n.Adds), Default: string(n.Default), Scale: n.Scale, Weight: n.Weight, Barriers: []MeaningBarrier{},
			Unit: MeaningUnit{Kind: string(n.Unit.Kind), Symbol: n.Unit.Symbol, Column: n.Unit.Column},
		}
		for _, b := range n.Barriers {
			out.Number.Barriers = append(out.Number.Barriers, MeaningBarrier{Column: b.Column, Of: b.Of})
		}
	}
	return out
}

func newMeaningLink(m *domain.MeaningOfSource, l *meaning.Link) MeaningLink {
	other := l.To.Source
	if other == m.Source.ID {
		other = l.From.Source
	}
	return MeaningLink{
		FromSource: l.From.Source, FromTable: l.From.Table, From: append([]string{}, l.From.Columns...),
		ToSource: l.To.Source, ToTable: l.To.Table, To: append([]string{}, l.To.Columns...),
		Other: m.Names[other], Cardinality: string(l.Cardinality), Distinct: l.Distinct, Matched: l.Matched,
		Orphans: l.Orphans, IsPreferred: l.Preferred, Reason: newMeaningReason(l.Reason),
	}
}

func newMeaningReason(r meaning.Reason) MeaningReason {
	return MeaningReason{State: string(r.State), Evidence: r.Evidence}
}
