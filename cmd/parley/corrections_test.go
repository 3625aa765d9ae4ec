package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/english"
	"parley.dev/parley/persistence/persistencetest"
)

// corrector is a person who corrects what their data mean, over the API of one server.
type corrector struct {
	caller

	at *server
}

// meant is what the API says of the meaning of a connector, as far as these tests read it.
type meant struct {
	Measured bool `json:"measured"`
	Links    []struct {
		From []string `json:"from"`
	} `json:"links"`
	Corrections []struct {
		ID     int64  `json:"id"`
		ByName string `json:"byName"`
		Rests  bool   `json:"rests"`
	} `json:"corrections"`
}

// file sends a file as a form with these fields, and decodes the answer.
func (c *corrector) file(method, path, name, text string, fields map[string]string, out any) {
	c.t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for key, value := range fields {
		require.NoError(c.t, w.WriteField(key, value))
	}
	part, err := w.CreateFormFile("file", name)
	require.NoError(c.t, err)
	_, err = part.Write([]byte(text))
	require.NoError(c.t, err)
	require.NoError(c.t, w.Close())
	_, answer := c.send(c.at.url, method, path, w.FormDataContentType(), form.Bytes())
	require.NoError(c.t, json.Unmarshal(answer, out), "%s", answer)
}

// upload makes a connector of a file and waits until it is measured.
func (c *corrector) upload(name, text string) int64 {
	c.t.Helper()
	var made struct {
		ID int64 `json:"id"`
	}
	c.file(http.MethodPost, "memory/file/datasources", name+".csv", text,
		map[string]string{"name": name, "description": name, "scope": "user", "type": "csv"}, &made)
	c.measured(made.ID)
	return made.ID
}

// replace puts another file in place of the one of a connector, waits until it is measured, and returns what its data mean.
func (c *corrector) replace(id int64, name, text string) meant {
	c.t.Helper()
	var held struct {
		Version int64 `json:"version"`
	}
	c.call(c.at, http.MethodGet, path(id, ""), nil, &held)
	c.file(http.MethodPut, path(id, "/file"), name+".csv", text, map[string]string{"version": strconv.FormatInt(held.Version, 10)}, &held)
	return c.measured(id)
}

// measured waits until the present file of a connector is measured, and returns what its data mean.
func (c *corrector) measured(id int64) meant {
	c.t.Helper()
	var m meant
	require.True(c.t, waitUntil(c.t.Context(), func() bool {
		m = meant{}
		c.call(c.at, http.MethodGet, path(id, "/meaning"), nil, &m)
		return m.Measured
	}))
	return m
}

func path(id int64, below string) string { return fmt.Sprintf("memory/datasources/%d%s", id, below) }

// correct says one thing of a column, and returns the correction's id.
func (c *corrector) correct(id int64, table, column, field, value string) int64 {
	c.t.Helper()
	var said struct {
		ID int64 `json:"id"`
	}
	c.call(c.at, http.MethodPost, path(id, "/corrections"),
		map[string]string{"table": table, "column": column, "field": field, "value": value}, &said)
	return said.ID
}

// withdraw takes a correction back.
func (c *corrector) withdraw(id, correction int64) {
	c.t.Helper()
	c.send(c.at.url, http.MethodDelete, path(id, fmt.Sprintf("/corrections?correction=%d", correction)), "application/json", nil)
}

// ask asks a question in a conversation of its own and returns what the assistant says.
func (c *corrector) ask(question string, sources ...int64) string {
	c.t.Helper()
	var made struct {
		ID uuid.UUID `json:"id"`
	}
	c.call(c.at, http.MethodPost, "discourse/conversations", map[string]any{"name": question, "dataSources": sources}, &made)
	var sent map[string]any
	c.call(c.at, http.MethodPost, "discourse/user-text", map[string]any{
		"conversationId": made.ID, "message": map[string]any{"id": uuid.New(), "text": question}, "dataSources": sources,
	}, &sent)
	var said []string
	require.True(c.t, waitUntil(c.t.Context(), func() bool {
		var held struct {
			IsStreaming bool `json:"isStreaming"`
			MessageSet  []struct {
				Role string `json:"role"`
				Text string `json:"text"`
			} `json:"messageSet"`
		}
		c.call(c.at, http.MethodGet, "discourse/conversations/"+made.ID.String(), nil, &held)
		said = nil
		for _, m := range held.MessageSet {
			if m.Role == "assistant" {
				said = append(said, m.Text)
			}
		}
		return !held.IsStreaming && len(said) > 0
	}))
	return strings.Join(said, "\n")
}

// visitsIn is a file of visits with a number of their zone, which looks like a number to calculate with. add makes another file of it.
// most is the zone with the highest total, with that total.
func visitsIn(add int) (text string, most int, total float64) {
	of := map[int]float64{}
	text = "visit_id,zone,amount\n"
	for i := range 60 {
		zone, amount := 5+(i*7)%31, 10+(i*(37+add))%101
		text += fmt.Sprintf("%d,%d,%d\n", 1000+i, zone, amount)
		of[zone] += float64(amount)
		if of[zone] > total {
			most, total = zone, of[zone]
		}
	}
	return text, most, total
}

// regions are those of the customers 1 to 6.
func regions() []string { return []string{"North", "South", "East", "North", "South", "East"} }

// ordersOf is a file of orders with two customers each, and the highest total of a region by either of them.
func ordersOf(add int) (text, bought, paid string) {
	buyers, payers := map[string]float64{}, map[string]float64{}
	text = "order_id,buyer_customer_id,payer_customer_id,amount\n"
	for i := range 24 {
		buyer, payer, amount := i%6, (i*i)%6, 100+(i*(37+add))%101
		text += fmt.Sprintf("%d,%d,%d,%d\n", 500+i, 1+buyer, 1+payer, amount)
		buyers[regions()[buyer]] += float64(amount)
		payers[regions()[payer]] += float64(amount)
	}
	return text, leads(buyers), leads(payers)
}

// leads is what an answer says of the group with the highest total.
func leads(totals map[string]float64) string {
	most := ""
	for name, n := range totals {
		if most == "" || n > totals[most] {
			most = name
		}
	}
	return fmt.Sprintf("**%s** has the highest total amount: **%s**", most, english.Figure(totals[most]))
}

// TestCorrections: what people say of a column and of a link changes the figure of the same question, holds for a new file, and
// can be taken back.
func TestCorrections(t *testing.T) {
	t.Parallel()
	s := fleet(t, persistencetest.URL(t), nil, "one")[0]
	bearer, err := bearerOf(t.Context(), s.url, demo.People()[0].Email, demoPassword)
	require.NoError(t, err)
	setup := func(t *testing.T) *corrector {
		t.Helper()
		return &corrector{caller{t, bearer}, s}
	}

	t.Run("Role", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		const question = "total amount by zone"
		text, most, total := visitsIn(0)
		id := c.upload("visits", text)
		before := c.ask(question, id)
		require.Contains(t, before, "**30 to 35** has the highest total amount", "a number is grouped by bins")
		said := c.correct(id, "visits", "zone", "role", "dimension")
		corrected := fmt.Sprintf("**zone %d** has the highest total amount: **%s**", most, english.Figure(total))
		require.Contains(t, c.ask(question, id), corrected)

		// Another file: the correction lives on, and the figure is that of the file. Without the column it rests.
		text, most, total = visitsIn(5)
		c.replace(id, "visits of May", text)
		other := fmt.Sprintf("**zone %d** has the highest total amount: **%s**", most, english.Figure(total))
		require.NotEqual(t, corrected, other)
		require.Contains(t, c.ask(question, id), other)
		m := c.replace(id, "visits of June", strings.Replace(text, "zone", "area", 1))
		require.Len(t, m.Corrections, 1)
		require.True(t, m.Corrections[0].Rests)
		m = c.replace(id, "visits of July", text)
		require.Equal(t, said, m.Corrections[0].ID)
		require.False(t, m.Corrections[0].Rests)
		require.NotEmpty(t, m.Corrections[0].ByName)
		require.Contains(t, c.ask(question, id), other)

		c.withdraw(id, said)
		require.Empty(t, c.measured(id).Corrections)
		require.Contains(t, c.ask(question, id), " to ", "it is a number again")
		require.NotContains(t, c.ask(question, id), "zone "+strconv.Itoa(most))
	})
	t.Run("Link", func(t *testing.T) {
		t.Parallel()
		c := setup(t)
		const question = "total amount by region"
		customers := "customer_id,name,region\n"
		for i, region := range regions() {
			customers += fmt.Sprintf("%d,Person %d,%s\n", i+1, i+1, region)
		}
		to := c.upload("customers", customers)
		text, bought, paid := ordersOf(0)
		require.NotEqual(t, bought, paid)
		id := c.upload("orders", text)
		c.ask(question, id, to) // files that are used together are measured against each other
		require.True(t, waitUntil(t.Context(), func() bool { return len(c.measured(id).Links) == 2 }))
		undecided := func() {
			answer := c.ask(question, id, to)
			require.NotContains(t, answer, bought)
			require.NotContains(t, answer, paid)
		}
		undecided()

		meant := fmt.Sprintf("!s%d.customers.customer_id", to)
		payer := c.correct(id, "orders", "payer_customer_id", "link", meant)
		require.Contains(t, c.ask(question, id, to), paid)
		c.withdraw(id, payer)
		undecided()
		buyer := c.correct(id, "orders", "buyer_customer_id", "link", meant)
		require.Contains(t, c.ask(question, id, to), bought)

		first := bought
		text, bought, paid = ordersOf(5)
		require.NotEqual(t, bought, paid)
		require.NotEqual(t, first, bought)
		c.replace(id, "orders of May", text)
		require.Contains(t, c.ask(question, id, to), bought)
		c.withdraw(id, buyer)
		undecided()
	})
}
