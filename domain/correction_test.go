package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// tablesSaid are the tables that corrections are said of here. The name of one has a dot.
func tablesSaid() []domain.DataResource {
	return []domain.DataResource{
		{Table: "orders", Columns: []domain.Column{
			{Name: "id", Type: domain.ColumnInteger},
			{Name: "customer_id", Type: domain.ColumnInteger},
			{Name: "price", Type: domain.ColumnNumber},
			{Name: "day", Type: domain.ColumnDate},
			{Name: "region", Type: domain.ColumnText},
		}},
		{Table: "crm.customers", Columns: []domain.Column{
			{Name: "id", Type: domain.ColumnInteger}, {Name: "old.id", Type: domain.ColumnInteger},
		}},
	}
}

// said is a correction of the table orders.
func said(column string, field meaning.Field, value string) domain.NewCorrection {
	return domain.NewCorrection{Table: "orders", Column: column, Field: field, Value: value}
}

func TestNewCorrection_Against(t *testing.T) {
	t.Parallel()
	const column = "price"
	other := func(id int64) []domain.DataResource {
		if id != 7 {
			return nil
		}
		return []domain.DataResource{{Table: "regions", Columns: []domain.Column{{Name: "name"}}}}
	}
	long := strings.Repeat("x", domain.CorrectionValueMax)
	for name, test := range map[string]struct {
		said domain.NewCorrection
		// fault is the field and the sentence; empty if it may be said. value is what is stored.
		field, fault, value string
	}{
		"OK row":               {said("", meaning.FieldRow, " one  order "), "", "", "one order"},
		"OK row of any length": {said("", meaning.FieldRow, long), "", "", long},
		"OK time":              {said("", meaning.FieldTime, "day"), "", "", "day"},
		"OK role":              {said("region", meaning.FieldRole, "dimension"), "", "", "dimension"},
		"OK adds":              {said(column, meaning.FieldAdds, "level"), "", "", "level"},
		"OK default":           {said(column, meaning.FieldDefault, "mean_of_periods"), "", "", "mean_of_periods"},
		"OK unit":              {said(column, meaning.FieldUnit, "USD"), "", "", "USD"},
		"OK scale":             {said(column, meaning.FieldScale, "1000"), "", "", "1000"},
		"OK weight":            {said(column, meaning.FieldWeight, "id"), "", "", "id"},
		"OK main number":       {said("", meaning.FieldMain, column), "", "", column},
		"OK words":             {said(column, meaning.FieldWords, "cost,, Cost , list  price"), "", "", "cost, list price"},
		"OK words of table":    {said("", meaning.FieldWords, "sales"), "", "", "sales"},
		"OK verbs":             {said("day", meaning.FieldVerbs, "ordered"), "", "", "ordered"},
		"OK link":              {said("customer_id", meaning.FieldLink, "crm.customers.old.id"), "", "", "crm.customers.old.id"},
		"OK no link":           {said("customer_id", meaning.FieldLink, "-crm.customers.id"), "", "", "-crm.customers.id"},
		"OK link elsewhere":    {said("region", meaning.FieldLink, "!s7.regions.name"), "", "", "!s7.regions.name"},
		"OK link of several columns": {
			said("customer_id", meaning.FieldLink, `-crm.customers.[["customer_id","id"],["region","old.id"]]`), "", "",
			`-crm.customers.[["customer_id","id"],["region","old.id"]]`,
		},

		"no field":    {said("", "colour", "x"), "field", "This can not be said about data.", ""},
		"no value":    {said("", meaning.FieldRow, " "), "value", "Please enter a value of at most 500 characters", ""},
		"only commas": {said("", meaning.FieldWords, " , ,"), "value", "Please enter a value of at most 500 characters", ""},
		"long value":  {said("", meaning.FieldRow, long+"x"), "value", "Please enter a value of at most 500 characters", ""},
		"long reason": {
			domain.NewCorrection{Field: meaning.FieldRow, Value: "x", Reason: strings.Repeat("x", domain.CorrectionReasonMax+1)},
			"reason", "Please enter a reason of at most 500 characters", "",
		},
		"NUL": {said("", meaning.FieldRow, "a\x00"), "value", "Please enter a value of at most 500 characters", ""},
		"no role": {
			said(column, meaning.FieldRole, "hero"),
			"value", "The value must be one of key, foreign, time, part, dimension, measure, flag, text, geo, order.", "",
		},
		"no kind": {
			said(column, meaning.FieldAdds, "x"),
			"value", "The value must be one of amount, level, rate, unknown.", "",
		},
		"no default": {
			said(column, meaning.FieldDefault, "max"),
			"value", "The value must be one of sum, last, mean_of_periods, mean, ask.", "",
		},
		"long unit": {
			said(column, meaning.FieldUnit, strings.Repeat("x", 21)),
			"value", "Please enter a unit of at most 20 characters", "",
		},
		"no scale":  {said(column, meaning.FieldScale, "0"), "value", "Please enter a positive number", ""},
		"scale NaN": {said(column, meaning.FieldScale, "NaN"), "value", "Please enter a positive number", ""},
		"many words": {
			said(column, meaning.FieldWords, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u"),
			"value", "Please enter at most 20 words", "",
		},
		"no table": {
			domain.NewCorrection{Table: "x", Field: meaning.FieldRow, Value: "x"},
			"table", "This connector has no table with this name.", "",
		},
		"no column":       {said("x", meaning.FieldWords, "x"), "column", "This table has no column with this name.", ""},
		"without column":  {said("", meaning.FieldAdds, "level"), "column", "Please name the column", ""},
		"with column":     {said(column, meaning.FieldRow, "x"), "column", "This is said of a whole table, without a column.", ""},
		"adds of text":    {said("region", meaning.FieldAdds, "level"), "column", "This can be said only of a column of numbers.", ""},
		"measure of text": {said("region", meaning.FieldRole, "measure"), "value", "Only a column of numbers can be measured.", ""},
		"weight of text": {
			said(column, meaning.FieldWeight, "region"),
			"value", "The weight must be another column of numbers of this table.", "",
		},
		"its own weight": {
			said(column, meaning.FieldWeight, column),
			"value", "The weight must be another column of numbers of this table.", "",
		},
		"no time": {said("", meaning.FieldTime, "x"), "value", "This table has no column with this name.", ""},
		"no end": {
			said(column, meaning.FieldLink, "customers.id"),
			"value", "No table and column with this name can be read.", "",
		},
		"no end elsewhere": {
			said(column, meaning.FieldLink, "s8.regions.name"),
			"value", "No table and column with this name can be read.", "",
		},
		"no such pair": {
			said("customer_id", meaning.FieldLink, `crm.customers.[["customer_id","id"],["region","town"]]`),
			"value", "No table and column with this name can be read.", "",
		},
		"no pair": {
			said("customer_id", meaning.FieldLink, `crm.customers.[["customer_id","id"]]`),
			"value", "No table and column with this name can be read.", "",
		},
		"a pair of another column": {
			said(column, meaning.FieldLink, `crm.customers.[["customer_id","id"],["region","old.id"]]`),
			"value", "No table and column with this name can be read.", "",
		},
		"a pair without column": {
			said("customer_id", meaning.FieldLink, `crm.customers.[["customer_id","id"],["town","old.id"]]`),
			"value", "This table has no column with this name.", "",
		},
		"a pair twice": {
			said("customer_id", meaning.FieldLink, `crm.customers.[["customer_id","id"],["region","id"]]`),
			"value", "Each column of a link is named once.", "",
		},
		"to itself": {said(column, meaning.FieldLink, "-orders.price"), "value", "A column does not lead to itself.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.said.Validate()
			if err == nil {
				err = test.said.Against(tablesSaid(), other)
			}
			if test.fault == "" {
				require.NoError(t, err)
				require.Equal(t, test.value, test.said.Value)
				return
			}
			var known *domain.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, domain.CodeInvalid, known.Code)
			require.Equal(t, []domain.FieldError{{Field: test.field, Message: test.fault}}, known.Fields)
		})
	}
}

func TestNewCorrection_TakesPlaceOf(t *testing.T) {
	t.Parallel()
	adds := func(value string) meaning.Correction {
		return meaning.Correction{Column: "a", Field: "adds", Value: value}
	}
	link := func(value string) meaning.Correction {
		return meaning.Correction{Column: "a", Field: "link", Value: value}
	}
	for name, test := range map[string]struct {
		before, said meaning.Correction
		want         bool
	}{
		"same field": {before: adds("level"), said: adds("rate"), want: true},
		"another column": {
			before: meaning.Correction{Column: "a", Field: "adds"},
			said:   meaning.Correction{Column: "b", Field: "adds"},
		},
		"another field": {
			before: meaning.Correction{Column: "a", Field: "adds"},
			said:   meaning.Correction{Column: "a", Field: "unit"},
		},
		"words": {
			before: meaning.Correction{Column: "a", Field: "words", Value: "x"},
			said:   meaning.Correction{Column: "a", Field: "words", Value: "y"},
		},
		"other links":       {before: link("t.b"), said: link("t.c")},
		"not this link":     {before: link("!t.b"), said: link("-t.b"), want: true},
		"several columns":   {before: link(`!t.[["a","b"],["c","d"]]`), said: link(`-t.[["a","b"],["c","d"]]`), want: true},
		"one of several":    {before: link("t.b"), said: link(`-t.[["a","b"],["c","d"]]`)},
		"of another source": {before: link("t.b"), said: link("s1.t.b")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := domain.NewCorrection{Column: test.said.Column, Field: test.said.Field, Value: test.said.Value}
			require.Equal(t, test.want, n.TakesPlaceOf(&test.before))
		})
	}
}

func TestResting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		said meaning.Correction
		want bool
	}{
		"table":     {said: meaning.Correction{Table: "orders", Field: "row"}},
		"no table":  {said: meaning.Correction{Table: "order", Field: "row"}, want: true},
		"column":    {said: meaning.Correction{Table: "orders", Column: "price", Field: "adds", Value: "level"}},
		"no column": {said: meaning.Correction{Table: "orders", Column: "cost", Field: "adds", Value: "level"}, want: true},
		"no time":   {said: meaning.Correction{Table: "orders", Field: "time", Value: "month"}, want: true},
		"no weight": {said: meaning.Correction{Table: "orders", Column: "price", Field: "weight", Value: "n"}, want: true},
		"link":      {said: meaning.Correction{Table: "orders", Column: "customer_id", Field: "link", Value: "-crm.customers.id"}},
		"no link": {
			said: meaning.Correction{Table: "orders", Column: "customer_id", Field: "link", Value: "crm.customers.no"}, want: true,
		},
		"links": {said: meaning.Correction{
			Table: "orders", Column: "customer_id", Field: "link", Value: `crm.customers.[["customer_id","id"],["region","old.id"]]`,
		}},
		"no second column": {said: meaning.Correction{
			Table: "orders", Column: "customer_id", Field: "link", Value: `crm.customers.[["customer_id","id"],["town","old.id"]]`,
		}, want: true},
		"link elsewhere": {said: meaning.Correction{Table: "orders", Column: "customer_id", Field: "link", Value: "s9.customers.no"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, domain.Resting(&test.said, tablesSaid()))
		})
	}
}
