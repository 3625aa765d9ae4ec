package persistence_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// stockFile is a file of one table with the given columns of numbers.
func stockFile(table, key string, columns ...string) domain.NewDataSource {
	n := fileOf(table, key)
	n.Resources[0].Columns = nil
	for _, c := range columns {
		n.Resources[0].Columns = append(n.Resources[0].Columns, domain.Column{Name: c, Type: domain.ColumnNumber})
	}
	return n
}

// replaceBy gives a data source another file.
func replaceBy(t *testing.T, s *persistence.Store, c domain.Caller, source int64, n domain.NewDataSource) {
	t.Helper()
	noteFiles(t, s, c, n.FileKey, n.WorkKey)
	_, err := s.DataSources.UpdateDataSource(t.Context(), c, source, domain.DataSourceUpdate{File: &domain.DataSourceFile{
		Type: n.Type, FileName: n.FileName, FileKey: n.FileKey, WorkKey: n.WorkKey, Resources: n.Resources,
	}})
	require.NoError(t, err)
}

func adds(table, column string, kind meaning.Adds) domain.NewCorrection {
	return domain.NewCorrection{Table: table, Column: column, Field: meaning.FieldAdds, Value: string(kind)}
}

// correctable is a connector of Anna's that Ben may change and Cleo may only read.
type correctable struct {
	*persistence.Store
	url                    string
	anna, ben, cleo, doris domain.Caller
	source                 int64
}

func openCorrectable(t *testing.T) *correctable {
	t.Helper()
	s, url := openURL(t)
	c := &correctable{
		Store: s, url: url, anna: persistencetest.Caller(t, s, persistencetest.Anna), ben: persistencetest.Caller(t, s, persistencetest.Ben),
		cleo: persistencetest.Caller(t, s, persistencetest.Cleo), doris: persistencetest.Caller(t, s, persistencetest.Doris),
	}
	d, err := createSource(t, s, c.anna, stockFile("stock", "one", "mrr", "seats"))
	require.NoError(t, err)
	c.source = d.ID
	_, err = s.DataSources.SetDataSourceGrants(t.Context(), c.anna, d.ID, []domain.Grant{
		{Grantee: domain.Grantee{ID: c.ben.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionWrite},
		{Grantee: domain.Grantee{ID: c.cleo.UserID, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
	})
	require.NoError(t, err)
	return c
}

// standing returns what a person reads, as "table.column field=value", with a star if it rests.
func (c *correctable) standing(t *testing.T, who domain.Caller) []string {
	t.Helper()
	list, err := c.Corrections.Corrections(t.Context(), who.OrganisationID, who.UserID, []int64{c.source})
	require.NoError(t, err)
	said, err := c.Corrections.StandingOf(t.Context(), who.OrganisationID, who.UserID, []int64{c.source})
	require.NoError(t, err)
	require.Len(t, said, len(list))
	var out []string
	for i := range list {
		require.Equal(t, list[i].Correction, said[i])
		rests := ""
		if list[i].Rests {
			rests = "*"
		}
		out = append(out, fmt.Sprintf("%s.%s %s=%s%s", list[i].Table, list[i].Column, list[i].Field, list[i].Value, rests))
	}
	return out
}

func (c *correctable) say(t *testing.T, who domain.Caller, n domain.NewCorrection) *meaning.Correction {
	t.Helper()
	got, err := c.Corrections.Correct(t.Context(), who, c.source, n)
	require.NoError(t, err)
	return got
}

func TestCorrections_Said(t *testing.T) {
	t.Parallel()
	c := openCorrectable(t)
	said := adds("stock", "mrr", meaning.Level)
	said.Reason = " it is a stock "
	first := c.say(t, c.ben, said)
	require.Equal(t, &meaning.Correction{
		ID: first.ID, Source: c.source, Table: "stock", Column: "mrr", Field: meaning.FieldAdds, Value: "level", Reason: "it is a stock",
		By: c.ben.UserID, ByName: first.ByName, At: first.At,
	}, first)
	require.Contains(t, first.ByName, "Ben")
	require.False(t, first.At.IsZero())
	for _, who := range []domain.Caller{c.anna, c.ben, c.cleo} {
		require.Equal(t, []string{"stock.mrr adds=level"}, c.standing(t, who))
	}
	require.Empty(t, c.standing(t, c.doris))

	require.Equal(t, first.ID, c.say(t, c.anna, said).ID, "the same said twice is one, of the first person")
	// Another answer to the same question takes its place.
	second := c.say(t, c.anna, adds("stock", "mrr", meaning.Amount))
	require.Equal(t, []string{"stock.mrr adds=amount"}, c.standing(t, c.ben))
	// Other fields and other columns do not.
	c.say(t, c.anna, adds("stock", "seats", meaning.Level))
	for _, word := range []string{"revenue", "income"} {
		c.say(t, c.anna, domain.NewCorrection{Table: "stock", Column: "mrr", Field: meaning.FieldWords, Value: word})
	}
	require.Equal(t, []string{
		"stock.mrr adds=amount", "stock.seats adds=level", "stock.mrr words=revenue", "stock.mrr words=income",
	}, c.standing(t, c.ben))

	// It is taken back by anybody who may change the connector, once.
	require.NoError(t, c.Corrections.WithdrawCorrection(t.Context(), c.ben, c.source, second.ID))
	require.Equal(t, []string{"stock.seats adds=level", "stock.mrr words=revenue", "stock.mrr words=income"}, c.standing(t, c.cleo))
	requireCode(t, domain.CodeNotFound, c.Corrections.WithdrawCorrection(t.Context(), c.ben, c.source, second.ID))
	requireCode(t, domain.CodeNotFound, c.Corrections.WithdrawCorrection(t.Context(), c.ben, c.source, first.ID))

	// The rows stay, with who withdrew them.
	engine := persistencetest.Connect(t, c.url, "parley_engine")
	for id, by := range map[int64]int64{first.ID: c.anna.UserID, second.ID: c.ben.UserID} {
		var withdrawn int64
		require.NoError(t, engine.QueryRow(t.Context(), "SELECT withdrawn_by FROM data_correction WHERE id = $1", id).Scan(&withdrawn))
		require.Equal(t, by, withdrawn)
	}
	require.NoError(t, c.DataSources.DeleteDataSource(t.Context(), c.anna, c.source))
	var left int
	require.NoError(t, engine.QueryRow(t.Context(), "SELECT count(*) FROM data_correction").Scan(&left))
	require.Zero(t, left)
}

func TestCorrections_Refused(t *testing.T) {
	t.Parallel()
	c := openCorrectable(t)
	said := c.say(t, c.ben, adds("stock", "mrr", meaning.Level))
	for name, test := range map[string]struct {
		who  domain.Caller
		code domain.Code
	}{"ErrReader": {c.cleo, domain.CodeForbidden}, "ErrForeigner": {c.doris, domain.CodeNotFound}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Who may not change it does not learn that the body is wrong.
			for _, n := range []domain.NewCorrection{adds("stock", "mrr", meaning.Rate), adds("", "", "")} {
				_, err := c.Corrections.Correct(t.Context(), test.who, c.source, n)
				requireCode(t, test.code, err)
			}
			requireCode(t, test.code, c.Corrections.WithdrawCorrection(t.Context(), test.who, c.source, said.ID))
		})
	}
	t.Run("ErrAnotherSource", func(t *testing.T) {
		t.Parallel()
		other, err := createSource(t, c.Store, c.ben, stockFile("other", "other", "n"))
		require.NoError(t, err)
		requireCode(t, domain.CodeNotFound, c.Corrections.WithdrawCorrection(t.Context(), c.ben, other.ID, said.ID))
		// Ben's connector is not Anna's to link to, and she does not learn that it is there.
		n := domain.NewCorrection{Table: "stock", Column: "mrr", Field: meaning.FieldLink, Value: fmt.Sprintf("s%d.other.n", other.ID)}
		_, err = c.Corrections.Correct(t.Context(), c.anna, c.source, n)
		require.ErrorContains(t, err, "No table and column with this name can be read.")
		_, err = c.Corrections.Correct(t.Context(), c.ben, c.source, n)
		require.NoError(t, err)
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		t.Parallel()
		_, err := c.Corrections.Correct(t.Context(), c.ben, c.source, adds("stock", "x", meaning.Rate))
		require.ErrorContains(t, err, "This table has no column with this name.")
	})
	t.Run("ErrNoUpdate", func(t *testing.T) {
		t.Parallel()
		app := persistencetest.Connect(t, c.url, "parley_app")
		_, err := app.Exec(t.Context(), "UPDATE data_correction SET value = 'rate'")
		require.ErrorContains(t, err, "permission denied", "no request changes what was said")
		_, err = app.Exec(t.Context(), "DELETE FROM data_correction")
		require.ErrorContains(t, err, "permission denied")
	})
}

// TestCorrections_NewFile replaces the file: what was said is found by names, and rests while its column is gone.
func TestCorrections_NewFile(t *testing.T) {
	t.Parallel()
	c := openCorrectable(t)
	c.say(t, c.anna, adds("stock", "mrr", meaning.Level))
	c.say(t, c.anna, domain.NewCorrection{Table: "stock", Field: meaning.FieldRow, Value: "account"})

	replaceBy(t, c.Store, c.anna, c.source, stockFile("stock", "two", "seats"))
	require.Equal(t, []string{"stock.mrr adds=level*", "stock. row=account"}, c.standing(t, c.cleo))
	// The only table of a file keeps what was said of it under another name.
	replaceBy(t, c.Store, c.anna, c.source, stockFile("stock_2027", "three", "mrr"))
	require.Equal(t, []string{"stock_2027.mrr adds=level", "stock_2027. row=account"}, c.standing(t, c.cleo))
	// It can be said again, and is the same.
	c.say(t, c.ben, adds("stock_2027", "mrr", meaning.Level))
	require.Len(t, c.standing(t, c.cleo), 2)

	// Of a table that is gone it rests until the name comes again.
	two := stockFile("other", "four", "n")
	two.Resources = append(two.Resources, stockFile("more", "five", "n").Resources...)
	replaceBy(t, c.Store, c.anna, c.source, two)
	require.Equal(t, []string{"stock.mrr adds=level*", "stock. row=account*"}, c.standing(t, c.cleo))
	back := stockFile("stock", "six", "mrr")
	back.Resources = append(back.Resources, stockFile("more", "seven", "n").Resources...)
	replaceBy(t, c.Store, c.anna, c.source, back)
	require.Equal(t, []string{"stock.mrr adds=level", "stock. row=account"}, c.standing(t, c.cleo))
}

// TestCorrections_Once lets people say the same at one time, and one person repeat a request.
func TestCorrections_Once(t *testing.T) {
	t.Parallel()
	c := openCorrectable(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			who := []domain.Caller{c.anna, c.ben}[i%2]
			_, err := c.Corrections.Correct(t.Context(), who, c.source, adds("stock", "mrr", meaning.Level))
			require.NoError(t, err)
		})
	}
	wg.Wait()
	require.Len(t, c.standing(t, c.anna), 1)

	keyed := adds("stock", "seats", meaning.Rate)
	keyed.Key = domain.IdempotencyKey{Key: "k"}
	said := c.say(t, c.anna, keyed)
	require.NoError(t, c.Corrections.WithdrawCorrection(t.Context(), c.ben, c.source, said.ID))
	require.Equal(t, said, c.say(t, c.anna, keyed), "a repeated request does not say it again")
	require.Len(t, c.standing(t, c.anna), 1)
}

func TestCorrections_Limit(t *testing.T) {
	t.Parallel()
	c := openCorrectable(t)
	engine := persistencetest.Connect(t, c.url, "parley_engine")
	_, err := engine.Exec(t.Context(), `INSERT INTO data_correction (data_source_id, org_id, table_name, column_name, field, value, reason,
		said_by, said_at) SELECT $1, $2, 'stock', 'mrr', 'words', 'word ' || i, '', $3, now() FROM generate_series(1, $4::int) i`,
		c.source, c.anna.OrganisationID, c.anna.UserID, domain.CorrectionsMax-1)
	require.NoError(t, err)
	c.say(t, c.anna, adds("stock", "mrr", meaning.Level))
	_, err = c.Corrections.Correct(t.Context(), c.anna, c.source, adds("stock", "seats", meaning.Level))
	requireCode(t, domain.CodeInvalid, err)
	require.ErrorContains(t, err, "At most 500 corrections of a connector can stand. Please take one back first.")
	c.say(t, c.anna, adds("stock", "mrr", meaning.Rate)) // it takes the place of another one
	require.Len(t, c.standing(t, c.anna), domain.CorrectionsMax)
}
