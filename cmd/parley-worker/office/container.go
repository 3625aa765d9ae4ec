package office

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// Limits of a file. All are required.
type Limits struct {
	// Unpacked is the most bytes that all parts together may have, Ratio how many
	// times the packed file that may be, Parts how many parts there may be.
	Unpacked int64
	Ratio    int64
	Parts    int
	// Sheets is the most sheets of a workbook, or slides of a presentation; Columns
	// the most columns of a sheet.
	Sheets  int
	Columns int
	// Texts is the most texts that a workbook shares between its cells.
	Texts int
}

// ratioFrom is how much unpacked text is harmless at any ratio: a small sheet of
// equal rows packs well.
const ratioFrom = 1 << 20

// container is a packed folder whose parts are read by name. Their names are only
// compared: no path is ever made of one.
type container struct {
	parts  map[string]*zip.File
	left   int64 // bytes that may still be unpacked
	limits Limits
}

// open checks what a packed file declares before anything of it is unpacked.
func open(file io.ReaderAt, size int64, l Limits) (*container, error) {
	z, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, unreadable()
	}
	if len(z.File) > l.Parts {
		return nil, domain.Errorf(domain.CodeInvalid, "The file has %d parts, and %d are the most.", len(z.File), l.Parts)
	}
	c := &container{parts: make(map[string]*zip.File, len(z.File)), left: l.Unpacked, limits: l}
	total := uint64(0)
	for _, f := range z.File {
		if f.Flags&1 != 0 {
			return nil, domain.Errorf(domain.CodeInvalid, "The file is protected by a password. Remove the password and upload it again.")
		}
		if f.UncompressedSize64 > uint64(l.Unpacked) { //nolint:gosec // positive
			return nil, tooLarge(l)
		}
		if total += f.UncompressedSize64; total > uint64(l.Unpacked) { //nolint:gosec // positive
			return nil, tooLarge(l)
		}
		name := strings.ToLower(f.Name)
		if c.parts[name] != nil {
			return nil, unreadable() // other programs read the other one of the two
		}
		c.parts[name] = f
	}
	if total > ratioFrom && total > uint64(size)*uint64(l.Ratio) { //nolint:gosec // positive
		return nil, domain.Errorf(domain.CodeTooLarge, "The file unpacks to more than %d times its size.", l.Ratio)
	}
	if err := apart(z.File); err != nil {
		return nil, err
	}
	return c, unnested(z.File)
}

// unnested checks that no part is a packed file itself. Documents that people put into
// theirs have a folder of their own, of which nothing is read.
func unnested(files []*zip.File) error {
	for _, f := range files {
		if f.UncompressedSize64 < 4 || strings.Contains(strings.ToLower(f.Name), "/embeddings/") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return unreadable()
		}
		var head [4]byte
		_, err = io.ReadFull(in, head[:])
		_ = in.Close() // only read from
		if err != nil {
			return unreadable()
		}
		if string(head[:]) == "PK\x03\x04" {
			return domain.Errorf(domain.CodeInvalid, "The file has a packed file inside. Remove it and upload the file again.")
		}
	}
	return nil
}

// apart checks that no two parts share bytes of the file, as a bomb's do.
func apart(files []*zip.File) error {
	type span struct{ from, to int64 }
	spans := make([]span, 0, len(files))
	for _, f := range files {
		at, err := f.DataOffset()
		if err != nil {
			return unreadable()
		}
		spans = append(spans, span{at, at + int64(f.CompressedSize64)}) //nolint:gosec // a lie makes an overlap
	}
	slices.SortFunc(spans, func(a, b span) int { return int(min(1, max(-1, a.from-b.from))) })
	for i, s := range spans {
		if s.to < s.from || i > 0 && spans[i-1].to > s.from {
			return unreadable()
		}
	}
	return nil
}

func tooLarge(l Limits) error {
	return domain.Errorf(domain.CodeTooLarge, "The file unpacks to more than %d MB.", l.Unpacked>>20)
}

func unreadable() error {
	return domain.Errorf(domain.CodeInvalid, "The file is damaged and cannot be read. Open it in the program that made it, save it again, "+
		"and upload that file.")
}

// part opens a part; nil when there is none.
func (c *container) part(name string) (io.ReadCloser, error) {
	f, ok := c.parts[strings.ToLower(name)]
	if !ok {
		return nil, nil //nolint:nilnil // nil is said to mean that there is none
	}
	in, err := f.Open()
	if err != nil {
		return nil, unreadable()
	}
	return &bounded{in: in, left: int64(f.UncompressedSize64), all: &c.left, limits: c.limits}, nil //nolint:gosec // at most Unpacked
}

// bounded reads a part and no more than it declared, nor than all of them may have.
type bounded struct {
	in     io.ReadCloser
	left   int64
	all    *int64
	limits Limits
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.left -= int64(n)
	*b.all -= int64(n)
	switch {
	case *b.all < 0:
		return 0, tooLarge(b.limits)
	case b.left < 0, err != nil && !errors.Is(err, io.EOF):
		return 0, unreadable()
	}
	return n, err //nolint:wrapcheck // io.EOF is meant for the caller
}

// Close implements io.Closer.
func (b *bounded) Close() error { return b.in.Close() } //nolint:wrapcheck // only read from

// each hands the scanner of a part to read. A part that is not there is left out.
func (c *container) each(name string, read func(s *scanner) error) error {
	in, err := c.part(name)
	if err != nil || in == nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read from
	return worded(read(newScanner(in)))
}

// worded words what a scanner says for people.
func worded(err error) error {
	var known *domain.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, errMalformed):
		return unreadable()
	}
	return fmt.Errorf("read a part: %w", err)
}

// relation points from a part to another.
type relation struct{ kind, target string }

// relations reads where a part points to. What lies outside the file is left out:
// nothing is fetched.
func (c *container) relations(of string) (map[string]relation, error) {
	folder, name := path.Split(of)
	out := map[string]relation{}
	err := c.each(folder+"_rels/"+name+".rels", func(s *scanner) error {
		return walk(s, func(element string) error {
			if element != "Relationship" {
				return nil
			}
			id, _ := s.attr("Id")
			kind, _ := s.attr("Type")
			target, _ := s.attr("Target")
			if mode, _ := s.attr("TargetMode"); strings.EqualFold(mode, "External") || id == "" || len(out) >= c.limits.Parts {
				return nil
			}
			if !strings.HasPrefix(target, "/") {
				target = "/" + folder + target
			}
			out[id] = relation{kind: kind[strings.LastIndexByte(kind, '/')+1:], target: strings.TrimPrefix(path.Clean(target), "/")}
			return nil
		})
	})
	return out, err
}

// main finds the part that the document begins with.
func (c *container) main(otherwise string) (string, error) {
	root, err := c.relations("")
	if err != nil {
		return "", err
	}
	for _, r := range root {
		if r.kind == "officeDocument" {
			return r.target, nil
		}
	}
	return otherwise, nil
}

// walk calls begin at every start of an element up to the end of the document.
func walk(s *scanner, begin func(element string) error) error {
	for {
		kind, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if kind == startTag {
			if err := begin(string(s.name)); err != nil {
				return err
			}
		}
	}
}
