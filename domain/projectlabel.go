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

// ProjectLabel is a project: a name and a colour by which people group conversations and
// other objects. Every member of the organisation sees it and may use it; its owner and
// superusers change and delete it. A deleted project stays as a tombstone, because past
// usage keeps its name.
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

// ProjectColor returns a colour as it is stored: a name as in ProjectColors, or #rrggbb in
// lower case. It returns false for anything else.
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

// Relation returns what the rights rules need to know.
func (l *ProjectLabel) Relation(c Caller) Relation {
	return Relation{Found: l.OrganisationID == c.OrganisationID, Permission: ownership(l.Owner.ID, c)}
}

// ProjectLabelDraft is the input for creating or changing a label. Name, description and
// color are required.
type ProjectLabelDraft struct {
	Name        string
	Description string
	Color       string
	// Key is for a new label. Version is for a change: the version that it is based on; 0
	// skips the check.
	Key     IdempotencyKey
	Version int
}

// Limits returns the limits of the fields.
func (d *ProjectLabelDraft) Limits() []Limit {
	return []Limit{
		valid("name", &d.Name, ProjectLabelNameMax, "Please enter a valid name"),
		valid("description", &d.Description, ProjectLabelDescriptionMax, "Please enter a valid description"),
	}
}

// Validate checks the fields with the specification's texts, and normalises them as they are
// stored.
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

// ProjectLabelService stores project labels. Errors: CodeNotFound, CodeForbidden for people
// who are neither the owner nor a superuser, CodeInvalid, CodeConflict for a stale version.
type ProjectLabelService interface {
	// ProjectLabels lists the organisation's, by name.
	ProjectLabels(ctx context.Context, caller Caller, f ProjectLabelFilter) (List[ProjectLabel], error)
	// NamedProjectLabels returns the labels of the ids that exist now, only with id, name
	// and colour, for objects that show them.
	NamedProjectLabels(ctx context.Context, organisation int64, ids []int64) ([]ProjectLabel, error)
	CreateProjectLabel(ctx context.Context, caller Caller, d ProjectLabelDraft) (*ProjectLabel, error)
	UpdateProjectLabel(ctx context.Context, caller Caller, id int64, d ProjectLabelDraft) (*ProjectLabel, error)
	DeleteProjectLabel(ctx context.Context, caller Caller, id int64) error
}
