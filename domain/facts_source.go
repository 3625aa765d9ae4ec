package domain

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// FactsRules is the version of the rules of measuring. It rises when a later release measures more, or in another
// way; facts of earlier rules are then measured again.
const FactsRules = 3

// FactsAttempts is how often a measurement is tried that ends without a result, such as one that kills its worker.
const FactsAttempts = 3

// SourceFacts are the facts of one prepared file: of its tables, and of the links between them.
type SourceFacts struct {
	Tables []TableFacts `json:"tables"`
	Links  []LinkFacts  `json:"links,omitempty"`
	// Unmeasured names parts that were left out for the file as a whole.
	Unmeasured []FactPart `json:"unmeasured,omitempty"`
	// Lost are the keys of the file before this one that are not keys any more.
	Lost []LostKey `json:"lost,omitempty"`
}

// LostKey says why the columns of a former key do not name each row any more.
type LostKey struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	// Repeated are the different values that stand in more than one row, and Missing the rows without a value.
	Repeated int64 `json:"repeated"`
	Missing  int64 `json:"missing"`
}

// SourceLink is a link between the tables of two data sources.
type SourceLink struct {
	FromSource int64 `json:"fromSource"`
	ToSource   int64 `json:"toSource"`
	LinkFacts
}

// KnownFacts is what is known about the present file of a data source.
type KnownFacts struct {
	Source  int64
	WorkKey string
	// Measured is false while the file was not measured yet; then there are no facts. Failed says that the
	// measurement was given up.
	Measured, Failed bool
	MeasuredAt       time.Time
	SourceFacts
	// Changes say what is different from the file before.
	Changes []FactChange
}

// FactsOfSources are the facts of several data sources, with the links between them.
type FactsOfSources struct {
	// Sources are in the order of their ids. Those that the person may not read are missing.
	Sources []KnownFacts
	Links   []SourceLink
	// Unlinked are the pairs of sources between which links were not looked for yet.
	Unlinked [][2]int64
}

// LinkedSource are the links between a data source and another one, with what changed since a file of one of them was
// replaced.
type LinkedSource struct {
	Source  int64
	Name    string
	Links   []SourceLink
	Changes []FactChange
}

// FactsService reads facts for people and for analysts. A person reads the facts of the data sources that they may
// read, and a link only if they may read both of its sources.
type FactsService interface {
	// Facts returns what is known about the present files of data sources, and asks for the measurement of
	// links that are not known yet.
	Facts(ctx context.Context, organisation, user int64, sources []int64) (*FactsOfSources, error)
	// LinkedSources returns the links that were measured between a data source and others, at most 100 others.
	LinkedSources(ctx context.Context, organisation, user, source int64) ([]LinkedSource, error)
}

// FactsTask is a measurement that one node has claimed.
type FactsTask struct {
	// Claim proves that the node still owns the measurement.
	Claim   uuid.UUID
	Attempt int
	// Sources is one data source whose file is measured, or two between which links are looked for.
	Sources []DataSource
	// Known are the facts of each of two sources. For one source, they are the facts of the file before, if it had
	// one.
	Known []SourceFacts
}

// FactsResult is the result of a task: facts for one source, links for two.
type FactsResult struct {
	Facts *SourceFacts
	Links []SourceLink
}

// FactsQueue gives out measurements, each to one node at a time. A claim ends by itself some time after the longest
// measurement, so that another node repeats the measurement of a node that is lost.
type FactsQueue interface {
	// ClaimFacts returns the next measurement, or nil if there is none.
	ClaimFacts(ctx context.Context) (*FactsTask, error)
	// FinishFacts stores a result. A result whose file was replaced meanwhile, or whose claim has ended, is
	// discarded without an error.
	FinishFacts(ctx context.Context, task *FactsTask, result *FactsResult) error
	// FailFacts gives a measurement back that ended without a result. It is tried again later, FactsAttempts
	// times in all. A try that was interrupted, such as by the end of its node, does not count.
	FailFacts(ctx context.Context, task *FactsTask, interrupted bool) error
}
