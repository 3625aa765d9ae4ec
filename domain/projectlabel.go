package domain

import (
	"context"
	"regexp"
	"strings"
	"time"
)

// The limits of project labels, in characters.
const (
	ProjectLabelNameMax        = 80
	ProjectLabelDescriptionMax = 500
)

// DefaultProjectColor is the colour of a project for which none was chosen: a
// purple grey of the product's theme.
const DefaultProjectColor = "Purple grey"

// ProjectLabel is a project: a name and a colour by which people group
// conversations and other things. Every member of the organisation sees it and
// may use it; who made it and superusers change and delete it. A deleted one
// stays as a tombstone, for usage of the past keeps its name.
type ProjectLabel struct {
	ID             int64
	OrganisationID int64
	Name           string
	Description    string
	// Color is one of ProjectColors or #rrggbb.
	Color string
	Owner Person
	// Conversations is how many the caller may read in it.
	Conversations int64
	Version       int
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// ProjectColors are the colours by name, the default one last.
func ProjectColors() []string {
	return []string{"Olive Green", "Royal Blue", "Rose pink", "Teal blue", "Golden yellow", "Scarlet red", DefaultProjectColor}
}

var hexColor = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// ProjectColor gives a colour as it is kept: a name as ProjectColors has it, or
// #rrggbb in small letters. Anything else is no colour.
func ProjectColor(given string) (string, bool) {
	given = strings.TrimSpace(given)
	for _, name := range ProjectColors() {
		if strings.EqualFold(name, given) {
			return name, true
		}
	}
	lower := strings.ToLower(given)
	return lower, hexColor.MatchString(lower)
}

// Standing is how the caller stands to it.
func (l *ProjectLabel) Standing(c Caller) Standing {
	return Standing{Found: l.OrganisationID == c.OrganisationID, Permission: ownership(l.Owner.ID, c)}
}

// ProjectLabelDraft is what a person writes of a label: all of it is required.
type ProjectLabelDraft struct {
	Name        string
	Description string
	Color       string
	// Key is of a new label, Version of a change: the one that it was made from, 0 for none.
	Key     IdempotencyKey
	Version int
}

// Limits are those of the fields of a project.
func (d *ProjectLabelDraft) Limits() []Limit {
	return []Limit{
		valid("name", &d.Name, ProjectLabelNameMax, "Please enter a valid name"),
		valid("description", &d.Description, ProjectLabelDescriptionMax, "Please enter a valid description"),
	}
}

// Validate checks the fields with the specification's texts, and gives them the form that is kept.
func (d *ProjectLabelDraft) Validate() error {
	color, known := ProjectColor(d.Color)
	d.Name, d.Description, d.Color = strings.TrimSpace(d.Name), strings.TrimSpace(d.Description), color
	var c Checks
	c.Within(d.Limits()...)
	c.Require(known, "color", "Please enter a valid color")
	return c.Err()
}

// ProjectLabelFilter narrows the list. Zero means all labels.
type ProjectLabelFilter struct {
	// Search matches name and description.
	Search string
	Page   Page
}

// ProjectLabelService keeps project labels. Errors: CodeNotFound, CodeForbidden
// for who neither made it nor is a superuser, CodeInvalid, CodeConflict for a
// stale version.
type ProjectLabelService interface {
	// ProjectLabels lists the organisation's, by name.
	ProjectLabels(ctx context.Context, caller Caller, f ProjectLabelFilter) (List[ProjectLabel], error)
	// NamedProjectLabels gives those of the ids that are there now, with id, name
	// and colour alone, for entities that show them.
	NamedProjectLabels(ctx context.Context, organisation int64, ids []int64) ([]ProjectLabel, error)
	CreateProjectLabel(ctx context.Context, caller Caller, d ProjectLabelDraft) (*ProjectLabel, error)
	UpdateProjectLabel(ctx context.Context, caller Caller, id int64, d ProjectLabelDraft) (*ProjectLabel, error)
	DeleteProjectLabel(ctx context.Context, caller Caller, id int64) error
}
