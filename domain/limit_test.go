package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestLimit_In(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		limit      domain.Limit
		text, want string
	}{
		{domain.Limit{Most: 80, Unit: domain.Characters}, "1 to {characters} characters", "1 to 80 characters"},
		{domain.Limit{Most: 20_000, Unit: domain.Characters}, "{characters}", "20,000"},
		{domain.Limit{Most: 5050, Unit: domain.Entries}, "{entries}", "5,050"},
		{domain.Limit{Most: 64 << 10, Unit: domain.Bytes}, "At most {bytes}.", "At most 64 kB."},
		{domain.Limit{Most: 200 << 20, Unit: domain.Bytes}, "{bytes}", "200 MB"},
		{domain.Limit{Most: 100, Unit: domain.Bytes}, "{bytes}", "100"},
		{domain.Limit{Most: 80, Unit: domain.Characters}, "{entries} in braces", "{entries} in braces"},
	} {
		require.Equal(t, row.want, row.limit.In(row.text))
	}
}

// TestLimitsIn checks that a field may have one limit of each unit, and that the limits of other
// fields are not used.
func TestLimitsIn(t *testing.T) {
	t.Parallel()
	limits := new(domain.BlueprintDraft).Limits()
	require.Equal(t, "20 of 20,000", domain.LimitsIn("{entries} of {characters}", "inputParameters", limits))
	require.Equal(t, "{characters}", domain.LimitsIn("{characters}", "another", limits))
}

// TestLimits_Refuse checks that a value at its limit is accepted, and that a value above it by one
// is refused with the error text of its field.
func TestLimits_Refuse(t *testing.T) {
	t.Parallel()
	text := func(n int) *string {
		s := strings.Repeat("x", n)
		return &s
	}
	for _, row := range []struct {
		name     string
		validate func(excess int) error
		want     string
	}{
		{"text", func(excess int) error {
			return (&domain.BlueprintDraft{Name: "N", Description: text(domain.BlueprintDescriptionMax + excess)}).Validate()
		}, "The description has at most 5,000 characters."},
		{"section", func(excess int) error {
			return (&domain.StepDraft{Name: "N", Code: text(domain.BlueprintTextMax + excess)}).Validate()
		}, "Code has at most 20,000 characters."},
		{"list", func(excess int) error {
			ids := make([]int64, domain.BlueprintRefsMax+excess)
			return (&domain.BlueprintDraft{Name: "N", Categories: &ids}).Validate()
		}, "There can be at most 100 categories."},
		{"steps", func(excess int) error {
			return (&domain.BlueprintDraft{Name: "N", RemovedSteps: make([]int64, domain.BlueprintStepsMax+excess)}).Validate()
		}, "A blueprint has at most 50 steps."},
		{"file", func(excess int) error {
			return (&domain.NewCredential{Name: "N", Content: make([]byte, domain.CredentialMax+excess)}).Validate()
		}, "The file is larger than 64 kB"},
		{"rename", func(excess int) error {
			return (&domain.ConversationUpdate{Name: text(domain.ConversationNameMax + excess)}).Validate()
		}, "Please enter a name of at most 100 characters"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, row.validate(0))
			require.EqualError(t, row.validate(1), "invalid: "+row.want)
		})
	}
}
