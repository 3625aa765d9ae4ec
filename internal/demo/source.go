package demo

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Source is a sample file with the meaning of its columns.
type Source struct {
	// Seed identifies the sample permanently, even if people rename it.
	Seed string

	Name        string
	Description string
	FileName    string

	// Organisation owns the sample, and all its members may use it. Owner is the email
	// of the person who may change it.
	Organisation string
	Owner        string

	// Table is a proposed name for SQL.
	Table string

	// Columns in the order of the file.
	Columns []Column

	// Questions lists questions with an interesting answer.
	Questions []string

	// rows calls emit with each line of the file.
	rows func(emit func(cells ...string) error) error
}

// Column is an entry of the data dictionary.
type Column struct {
	Name        string
	Description string
}

// Dictionary returns the data dictionary as text.
func (s Source) Dictionary() string {
	var text strings.Builder
	for _, column := range s.Columns {
		fmt.Fprintf(&text, "%s: %s\n", column.Name, column.Description)
	}

	return text.String()
}

// WriteCSV writes the file, the same bytes each time.
func (s Source) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)

	header := make([]string, 0, len(s.Columns))
	for _, column := range s.Columns {
		header = append(header, column.Name)
	}

	emit := func(cells ...string) error {
		if len(cells) != len(header) {
			return fmt.Errorf("a line of %d cells for %d columns", len(cells), len(header))
		}

		if err := out.Write(cells); err != nil {
			return fmt.Errorf("write: %w", err)
		}

		return nil
	}

	err := emit(header...)
	if err == nil {
		err = s.rows(emit)
	}

	out.Flush()

	if err == nil {
		err = out.Error()
	}

	if err != nil {
		return fmt.Errorf("sample %s: %w", s.Seed, err)
	}

	return nil
}

// Sources lists the samples.
func Sources() []Source {
	return []Source{retailOrders(), serviceTickets(), subscriptions()}
}

// number writes a whole number.
func number(n int) string { return strconv.Itoa(n) }

// money writes an amount in cents.
func money(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}

	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// yesNo writes a boolean.
func yesNo(b bool) string { return strconv.FormatBool(b) }
