package main

// The sample blueprints of the library.

import (
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/persistence"
)

// library returns the sample blueprints of an organisation. Their initial messages are
// written by the same code as those of people's blueprints.
func library(organisation string) []persistence.SeedBlueprint {
	var all []persistence.SeedBlueprint
	for _, b := range demo.Library() {
		if b.Organisation != organisation {
			continue
		}
		seed := persistence.SeedBlueprint{
			Seed: b.Seed, Name: b.Name, Description: b.Description, Categories: b.Categories, DataSources: b.Sources, InputParameters: b.Inputs,
		}
		// The initial message needs only the names of the steps.
		about := domain.Blueprint{Name: b.Name, Description: b.Description, InputParameters: b.Inputs}
		for _, step := range b.Steps {
			seed.Steps = append(seed.Steps, draftOf(step))
			about.Steps = append(about.Steps, domain.BlueprintStep{Name: step.Name})
		}
		seed.InitialMessage = about.WriteInitialMessage()
		all = append(all, seed)
	}
	return all
}

// draftOf converts a sample step. Sections that the sample does not have stay unset.
func draftOf(step demo.Step) domain.StepDraft {
	d := domain.StepDraft{Name: step.Name}
	if step.Ask != "" {
		d.DetailedInstructions = &step.Ask
	}
	if step.Check != "" {
		d.QAInstructions = &step.Check
	}
	if step.SQL != "" {
		d.Code, d.Language = &step.SQL, "sql"
	}
	return d
}
