package main

// The table of rights for people, as a part of docs/rights.md. make generate writes it, and make
// verify fails if it differs from domain/rights_table.go.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"parley.dev/parley/domain"
)

// The text between the marks is replaced; what people wrote around it stays.
const (
	rightsPage  = "docs/rights.md"
	rightsBegin = "<!-- written by make generate, from domain/rights_table.go -->\n"
	rightsEnd   = "<!-- end -->\n"
)

// writeRights writes the table of rights into its page, between the marks.
func writeRights() error {
	page, err := os.ReadFile(rightsPage)
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	before, rest, begins := bytes.Cut(page, []byte(rightsBegin))
	_, after, ends := bytes.Cut(rest, []byte(rightsEnd))
	if !begins || !ends {
		return errors.New(rightsPage + " has no place for the table of rights")
	}
	out := string(before) + rightsBegin + rightsTable() + rightsEnd + string(after)
	if err := os.WriteFile(rightsPage, []byte(out), 0o644); err != nil { //nolint:gosec // a file of the repository
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// rightsTable returns the table as Markdown, in the order of its rows.
func rightsTable() string {
	var b strings.Builder
	b.WriteString("| object | right | who has it | error text for others who can see the object |\n|---|---|---|---|\n")
	noun := domain.Noun("")
	for _, r := range domain.Rights() {
		shown := ""
		if r.Noun != noun {
			shown, noun = string(r.Noun), r.Noun
		}
		// An action may have several needs, each with its own sentence.
		var told []string
		for _, n := range r.Needs {
			if n.Refusal != "" {
				told = append(told, n.Refusal)
			}
		}
		fmt.Fprintf(&b, "| %s | %s (`%s`) | %s | %s |\n", shown, r.Does, r.Action, r.Who(), strings.Join(told, "<br>"))
	}
	return b.String()
}
