package semantic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// rules is the version of the rules of this package. It is part of the hash of a meaning, and rises when a rule changes what
// is derived.
const rules = 3

// Input is everything that a meaning is derived from.
type Input struct {
	Sources []Source
	// Links are the measured links between the sources.
	Links []domain.SourceLink
	// Today is the day of the person who asks. Only its date matters: a period that is not over is not complete.
	Today time.Time
}

// Source is what is known about one data source.
type Source struct {
	ID int64
	// Description is what people wrote about the source. A generated one says nothing that the columns do not say.
	Description string
	// Declared says that the source is a warehouse, whose constraints are declared and not measured.
	Declared  bool
	Resources []domain.DataResource
	// Facts are nil while the file is not measured.
	Facts *domain.SourceFacts
	// Corrections are what people said, the earliest first. Of two about the same, the later one holds.
	Corrections []meaning.Correction
}

// NewSource takes from a data source what a meaning is derived from. known may be nil.
func NewSource(d *domain.DataSource, known *domain.KnownFacts, corrections []meaning.Correction) Source {
	s := Source{ID: d.ID, Declared: d.IsWarehouse(), Resources: d.Resources, Corrections: corrections}
	if !d.DescriptionGenerated {
		s.Description = d.Description
	}
	// Facts of a file that has been replaced meanwhile say nothing about this one.
	if known != nil && known.Measured && known.WorkKey == d.WorkKey {
		s.Facts = &known.SourceFacts
	}
	return s
}

// Hash identifies an input and the rules: equal hashes have equal meanings.
func (in *Input) Hash() string {
	h := sha256.New()
	encoder := json.NewEncoder(h)
	write := func(v any) {
		if err := encoder.Encode(v); err != nil {
			panic(err) // texts, numbers and lists are always encoded
		}
	}
	write([]string{strconv.Itoa(rules), in.Today.Format(time.DateOnly)})
	write(in.Links)
	for i := range in.Sources {
		s := in.Sources[i]
		s.Resources = slices.Clone(s.Resources)
		for j := range s.Resources {
			s.Resources[j].Preview = "" // it says nothing about the meaning
		}
		s.Corrections = slices.Clone(s.Corrections)
		for j := range s.Corrections {
			s.Corrections[j].At = time.Time{} // what is said holds whenever it was said
		}
		write(s)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
