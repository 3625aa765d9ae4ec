package demo_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/demo"
)

// table is a source as rows by column name.
type table []map[string]string

// files holds the written file of each source, made once for all tests.
var files = sync.OnceValues(func() (map[string][][]string, error) {
	all := map[string][][]string{}

	for _, source := range demo.Sources() {
		var file bytes.Buffer
		if err := source.WriteCSV(&file); err != nil {
			return nil, err
		}

		records, err := csv.NewReader(&file).ReadAll()
		if err != nil {
			return nil, err
		}

		all[source.Seed] = records
	}

	return all, nil
})

func load(t *testing.T, seed string) table {
	t.Helper()

	all, err := files()
	require.NoError(t, err)

	records := all[seed]
	require.NotEmpty(t, records)

	rows := make(table, 0, len(records))
	for _, record := range records[1:] {
		row := make(map[string]string, len(record))
		for i, name := range records[0] {
			row[name] = record[i]
		}

		rows = append(rows, row)
	}

	return rows
}

// where returns the rows that meet a condition.
func (rows table) where(keep func(row map[string]string) bool) table {
	return slices.DeleteFunc(slices.Clone(rows), func(row map[string]string) bool { return !keep(row) })
}

// is returns the rows with a value in a column.
func (rows table) is(column, value string) table {
	return rows.where(func(row map[string]string) bool { return row[column] == value })
}

// numbers returns the values of a column that are not empty.
func (rows table) numbers(t *testing.T, column string) []float64 {
	t.Helper()

	var list []float64

	for _, row := range rows {
		if row[column] != "" {
			n, err := strconv.ParseFloat(row[column], 64)
			require.NoError(t, err)

			list = append(list, n)
		}
	}

	return list
}

func sum(list []float64) (total float64) {
	for _, n := range list {
		total += n
	}

	return total
}

func mean(list []float64) float64 { return sum(list) / float64(len(list)) }

// share is the share of rows with a value in a column.
func (rows table) share(column, value string) float64 {
	return float64(len(rows.is(column, value))) / float64(len(rows))
}

func in(column, prefix string) func(map[string]string) bool {
	return func(row map[string]string) bool { return strings.HasPrefix(row[column], prefix) }
}

func TestSources(t *testing.T) {
	t.Parallel()

	t.Run("SameBytesEachTime", func(t *testing.T) {
		t.Parallel()

		// A different hash changes the demo data of every installation, so it must be intended.
		want := map[string]string{
			"retail-orders":        "8a3a6e91e81f4b1c4233f195e8954860183e00cbe65f8f4b64306e0125023e96",
			"service-tickets":      "13c1e937368f26e9d34d7a4e1aac1c943e025b4eba4e47f9cf709597074b28e3",
			"subscription-revenue": "fe7fd3aba11544eb5e77fd12f38fd70371d97cf4e87205cc998a6d2289dff7fd",
		}

		for _, source := range demo.Sources() {
			hash := sha256.New()
			require.NoError(t, source.WriteCSV(hash))
			require.Equal(t, want[source.Seed], hex.EncodeToString(hash.Sum(nil)), source.Seed)
		}
	})

	t.Run("LookLikeBusinessData", func(t *testing.T) {
		t.Parallel()

		for _, source := range demo.Sources() {
			rows := load(t, source.Seed)
			require.GreaterOrEqual(t, len(rows), 10_000, source.Seed)
			require.LessOrEqual(t, utf8.RuneCountInString(source.Name), 80)
			require.LessOrEqual(t, utf8.RuneCountInString(source.Description), 5000)
			require.Len(t, source.Questions, 5)
			require.Equal(t, len(source.Columns), strings.Count(source.Dictionary(), "\n"))

			for _, column := range source.Columns {
				require.NotEmpty(t, column.Description, column.Name)
				require.Regexp(t, `^[a-z][a-z0-9_]*$`, column.Name)

				values := map[string]bool{}
				for _, row := range rows {
					values[row[column.Name]] = true
				}

				for value := range values {
					require.True(t, utf8.ValidString(value))
				}

				require.Greater(t, len(values), 1, "%s always has the same value", column.Name)
			}
		}
	})

	t.Run("OwnedByAPersonOfTheOrganisation", func(t *testing.T) {
		t.Parallel()

		for _, source := range demo.Sources() {
			require.True(t, slices.ContainsFunc(demo.People(), func(p demo.Person) bool {
				return p.Email == source.Owner && p.Organisation == source.Organisation
			}), source.Seed)
		}
	})

	t.Run("ErrFullDisk", func(t *testing.T) {
		t.Parallel()

		for _, source := range demo.Sources() {
			require.ErrorIs(t, source.WriteCSV(fullDisk{}), errFull)
		}
	})
}

var errFull = errors.New("full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

var _ io.Writer = fullDisk{}

func TestRetailOrders(t *testing.T) {
	t.Parallel()

	rows := load(t, "retail-orders")

	t.Run("AmountsAddUp", func(t *testing.T) {
		t.Parallel()

		for _, row := range rows {
			quantity, err := strconv.Atoi(row["quantity"])
			require.NoError(t, err)
			price, err := strconv.Atoi(strings.ReplaceAll(row["unit_price"], ".", ""))
			require.NoError(t, err)
			discount, err := strconv.Atoi(row["discount_percent"])
			require.NoError(t, err)
			net, err := strconv.Atoi(strings.ReplaceAll(row["net_sales"], ".", ""))
			require.NoError(t, err)

			gross := quantity * price
			require.Equal(t, gross-(gross*discount+50)/100, net, row["order_id"])
		}
	})

	t.Run("EmptyWhereItMustBe", func(t *testing.T) {
		t.Parallel()

		for _, row := range rows {
			if row["channel"] == "Store" {
				require.Empty(t, row["delivery_days"]+row["shipping_cost"])
			}

			if row["returned"] == "false" {
				require.Empty(t, row["return_reason"])
			}
		}

		require.InDelta(t, 0.6, rows.share("rating", ""), 0.05)
	})

	t.Run("FootwearIsReturnedMost", func(t *testing.T) {
		t.Parallel()

		footwear := rows.is("category", "Footwear").share("returned", "true")
		require.Greater(t, footwear, 1.7*rows.share("returned", "true"))
		require.Greater(t, footwear, 4*rows.is("category", "Accessories").share("returned", "true"))
	})

	t.Run("PeakAtTheEndOfTheYear", func(t *testing.T) {
		t.Parallel()

		november := sum(rows.where(in("order_date", "2025-11")).numbers(t, "net_sales"))
		february := sum(rows.where(in("order_date", "2025-02")).numbers(t, "net_sales"))
		require.Greater(t, november, 1.7*february)
	})

	t.Run("TentsWereOutOfStock", func(t *testing.T) {
		t.Parallel()

		tents := rows.is("category", "Tents")
		require.Less(t, 4*len(tents.where(in("order_date", "2025-05"))), len(tents.where(in("order_date", "2024-05"))))
	})

	t.Run("OnlineOvertakesTheStores", func(t *testing.T) {
		t.Parallel()

		first, last := rows.where(in("order_date", "2024-01")), rows.where(in("order_date", "2026-10"))
		require.Less(t, first.share("channel", "Online"), first.share("channel", "Store"))
		require.Greater(t, last.share("channel", "Online"), 1.5*last.share("channel", "Store"))
	})

	t.Run("SlowDeliveriesGetWorseRatings", func(t *testing.T) {
		t.Parallel()

		slow := func(row map[string]string) bool { return len(row["delivery_days"]) > 1 || row["delivery_days"] > "5" }
		require.Less(t, mean(rows.where(slow).numbers(t, "rating")), mean(rows.is("delivery_days", "2").numbers(t, "rating"))-0.5)
	})

	t.Run("HighDiscountsAreReturnedMore", func(t *testing.T) {
		t.Parallel()

		deep := rows.where(func(row map[string]string) bool {
			return row["discount_percent"] >= "30" && len(row["discount_percent"]) == 2
		})
		require.Greater(t, deep.share("returned", "true"), 1.4*rows.is("discount_percent", "0").share("returned", "true"))
	})
}

func TestServiceTickets(t *testing.T) {
	t.Parallel()

	rows := load(t, "service-tickets")

	t.Run("BelongToOrders", func(t *testing.T) {
		t.Parallel()

		orders := map[string]map[string]string{}
		for _, row := range load(t, "retail-orders") {
			orders[row["order_id"]] = row
		}

		for _, row := range rows {
			if row["order_id"] == "" {
				continue
			}

			order := orders[row["order_id"]]
			require.NotNil(t, order)
			require.Equal(t, order["region"], row["region"])
			require.Less(t, order["order_date"], row["created_at"])
		}
	})

	t.Run("InOrderOfArrivalAndNotFromTheFuture", func(t *testing.T) {
		t.Parallel()

		require.True(t, slices.IsSortedFunc(rows, func(a, b map[string]string) int { return strings.Compare(a["created_at"], b["created_at"]) }))

		last, err := time.Parse("2006-01-02 15:04:05", rows[len(rows)-1]["created_at"])
		require.NoError(t, err)
		require.Less(t, last.Format("2006-01-02"), "2026-11-01")
		require.NotEmpty(t, rows.is("status", "Open"))
		require.Equal(t, rows.is("status", "Open"), rows.is("resolution_hours", ""))
	})

	t.Run("SatisfactionFollowsTheTimeToASolution", func(t *testing.T) {
		t.Parallel()

		hours := func(low, high float64) table {
			return rows.where(func(row map[string]string) bool {
				n, err := strconv.ParseFloat(row["resolution_hours"], 64)
				return err == nil && n >= low && n < high
			})
		}
		quick, slow := hours(0, 30).numbers(t, "satisfaction"), hours(60, 1000).numbers(t, "satisfaction")
		require.Greater(t, mean(quick), mean(slow)+1)
	})

	t.Run("QuickerIn2026", func(t *testing.T) {
		t.Parallel()

		email := rows.is("channel", "Email")
		before, after := email.where(in("created_at", "2025")), email.where(in("created_at", "2026"))
		require.Greater(t, mean(before.numbers(t, "first_response_minutes")), 1.2*mean(after.numbers(t, "first_response_minutes")))
	})
}

func TestSubscriptions(t *testing.T) {
	t.Parallel()

	rows := load(t, "subscription-revenue")

	t.Run("MovementsAddUpToTheRevenue", func(t *testing.T) {
		t.Parallel()

		before := map[string]float64{}

		for _, row := range rows {
			mrr, err := strconv.ParseFloat(row["mrr"], 64)
			require.NoError(t, err)
			change, err := strconv.ParseFloat(row["mrr_change"], 64)
			require.NoError(t, err)

			known, ok := before[row["account_id"]]
			if ok || row["movement"] == "New" {
				require.InDelta(t, mrr-known, change, 0.001, row["account_id"]+row["month"])
			}

			require.Equal(t, row["churned"] == "true", row["movement"] == "Churn")
			require.Equal(t, row["movement"] == "None", change == 0, row["account_id"]+row["month"])
			before[row["account_id"]] = mrr
		}
	})

	t.Run("NobodyComesBack", func(t *testing.T) {
		t.Parallel()

		gone := map[string]bool{}
		for _, row := range rows {
			require.False(t, gone[row["account_id"]])
			gone[row["account_id"]] = row["churned"] == "true"
		}
	})

	t.Run("YearlyContractsAndPartnersStay", func(t *testing.T) {
		t.Parallel()

		require.Greater(t, rows.is("billing_period", "Monthly").share("churned", "true"), 2*rows.is("billing_period", "Yearly").share("churned",
			"true"))
		require.Greater(t, rows.is("acquisition_channel", "Paid search").share("churned", "true"),
			1.4*rows.is("acquisition_channel", "Partner").share("churned", "true"))
	})

	t.Run("ThePriceRiseOf2025CostAccounts", func(t *testing.T) {
		t.Parallel()

		require.Greater(t, rows.is("month", "2025-08-01").share("churned", "true"), 1.8*rows.where(in("month", "2024")).share("churned", "true"))
	})

	t.Run("LittleUseComesBeforeLeaving", func(t *testing.T) {
		t.Parallel()

		use := func(rows table) float64 {
			return sum(rows.numbers(t, "active_users")) / sum(rows.where(func(row map[string]string) bool {
				return row["active_users"] != ""
			}).numbers(t, "seats"))
		}
		require.Less(t, use(rows.is("churned", "true")), use(rows.is("churned", "false"))-0.1)
	})
}

func TestWorld(t *testing.T) {
	t.Parallel()

	organisations, people := demo.Organisations(), demo.People()

	t.Run("AsTheIssueCounts", func(t *testing.T) {
		t.Parallel()

		teams := 0
		for _, organisation := range organisations {
			teams += len(organisation.Teams)
		}

		superusers := 0
		for _, person := range people {
			if person.IsSuperuser {
				superusers++
			}
		}

		require.Len(t, organisations, 2)
		require.Len(t, people, 5)
		require.Equal(t, 2, teams)
		require.Equal(t, 1, superusers)
		require.Len(t, demo.Sources(), 3)
	})

	t.Run("EverybodyIsSomebodyElse", func(t *testing.T) {
		t.Parallel()

		ids, emails := map[string]bool{}, map[string]bool{}
		for _, person := range people {
			ids[person.ID.String()] = true
			emails[person.Email] = true
		}

		require.Len(t, ids, len(people))
		require.Len(t, emails, len(people))
	})

	t.Run("TeamsAreOfOneOrganisation", func(t *testing.T) {
		t.Parallel()

		for _, organisation := range organisations {
			for _, team := range organisation.Teams {
				for _, email := range team.Members {
					require.True(t, slices.ContainsFunc(people, func(p demo.Person) bool {
						return p.Email == email && p.Organisation == organisation.Name
					}), email)
				}
			}
		}
	})

	t.Run("PicturesNeedNoNetwork", func(t *testing.T) {
		t.Parallel()

		for _, person := range people {
			raw, ok := strings.CutPrefix(person.Picture(), "data:image/svg+xml;base64,")
			require.True(t, ok)

			svg, err := base64.StdEncoding.DecodeString(raw)
			require.NoError(t, err)
			require.NoError(t, xml.Unmarshal(svg, &struct{}{}))
			require.Contains(t, string(svg), ">"+person.Initials()+"<")
		}
	})
}
