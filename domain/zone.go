package domain

import (
	"archive/zip"
	_ "embed" // the data of the zones is part of the program
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// The rules of all time zones, as published by the IANA and packed by Go
// (lib/time/zoneinfo.zip of its distribution; public domain). The machine's own rules are not
// used: two nodes with different rules would not agree when a task is due.
//
//go:embed zoneinfo.zip
var zoneArchive string

// The zones that people choose from: the zones of the IANA's zone.tab, one for each region
// with the same time since 1970, and UTC. Older names for the same zones are accepted but not
// listed.
//
//go:embed zones.txt
var zoneList string

// zoneFiles are the files of the archive by name, read once.
//
//nolint:gochecknoglobals // a table that never changes
var zoneFiles = sync.OnceValue(func() map[string]*zip.File {
	archive, err := zip.NewReader(strings.NewReader(zoneArchive), int64(len(zoneArchive)))
	if err != nil {
		panic("domain: the time zones of this program cannot be read: " + err.Error())
	}
	files := make(map[string]*zip.File, len(archive.File))
	for _, f := range archive.File {
		if f.Name != "Factory" && !strings.HasSuffix(f.Name, "/") {
			files[f.Name] = f
		}
	}
	return files
})

// zoneNames are the listed zones, in alphabetical order.
//
//nolint:gochecknoglobals // a table that never changes
var zoneNames = sync.OnceValue(func() []string { return strings.Fields(zoneList) })

// Zone returns the rules of a time zone by its IANA name. CodeInvalid for an unknown name;
// the name is never used as a path.
func Zone(name string) (*time.Location, error) {
	unknown := Invalid("timeZone", "Please select a time zone")
	f, ok := zoneFiles()[name]
	if !ok {
		return nil, unknown
	}
	r, err := f.Open()
	if err != nil {
		return nil, Internal(err, "The rules of a time zone cannot be read.")
	}
	defer func() { _ = r.Close() }() // it is in memory
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, Internal(err, "The rules of a time zone cannot be read.")
	}
	l, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, Internal(err, "The rules of a time zone cannot be read.")
	}
	return l, nil
}

// TimeZone is a time zone that a person may choose.
type TimeZone struct {
	Name string
	// Offset is how many seconds it is east of UTC at the moment asked about.
	Offset int
}

// TimeZones lists the zones whose name contains search, ignoring case; a space matches an
// underscore. The offsets are as of the given time.
func TimeZones(search string, page Page, at time.Time) (List[TimeZone], error) {
	wanted := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(search)), " ", "_")
	names := zoneNames()
	if wanted != "" {
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.Contains(strings.ToLower(n), wanted) })
	}
	list := List[TimeZone]{Results: []TimeZone{}, Count: len(names)}
	from := min(max(page.Offset(), 0), len(names))
	for _, name := range names[from:min(from+page.Size, len(names))] {
		l, err := Zone(name)
		if err != nil {
			return List[TimeZone]{}, err
		}
		_, offset := at.In(l).Zone()
		list.Results = append(list.Results, TimeZone{Name: name, Offset: offset})
	}
	return list, nil
}
