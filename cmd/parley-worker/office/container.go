package office

// Containers of Office documents: zip files with parts and relations (Open Packaging Conventions,
// ECMA-376, part 2). All limits are checked on what the file declares, and again while it is read,
// because a file may declare anything.

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

// Limits of a file. All fields are required.
type Limits struct {
	// Unpacked is the maximum size of all parts together after unpacking, in bytes. Ratio is the maximum of that size
	// as a multiple of the size of the packed file. Parts is the maximum number of parts.
	Unpacked int64
	Ratio    int64
	Parts    int
	// Sheets is the maximum number of sheets in a workbook, and of slides and of tables in a presentation. Columns is
	// the maximum number of columns in a sheet.
	Sheets  int
	Columns int
	// Texts is the maximum number of texts that a workbook shares between its cells.
	Texts int
}

// ratioFrom is the unpacked size up to which Ratio is not checked: a small sheet of equal rows has a high ratio and is
// harmless.
const ratioFrom = 1 << 20

// container is a zip file whose parts are read by name. The names are only compared and never used as paths of the
// file system.
type container struct {
	parts  map[string]*zip.File
	left   int64 // bytes that may still be unpacked
	limits Limits
}

// open checks what a zip file declares before any part is unpacked.
func open(file io.ReaderAt, size int64, l Limits) (*container, error) {
	z, err := zip.NewReader(file, size)
	// The names are not used as paths, so insecure ones do no harm.
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, unreadable()
	}
	if len(z.File) > l.Parts {
		return nil, domain.Errorf(domain.CodeInvalid, "The file has %d parts, and %d are the most.", len(z.File), l.Parts)
	}
	c := &container{parts: make(map[string]*zip.File, len(z.File)), left: l.Unpacked, limits: l}
	total := uint64(0)
	for _, f := range z.File {
		// Bit 0 of the flags says that a part is encrypted (ZIP specification, 4.4.4).
		if f.Flags&1 != 0 {
			return nil, domain.Errorf(domain.CodeInvalid, "The file is protected by a password. Remove the password and upload it again.")
		}
		if f.UncompressedSize64 > uint64(l.Unpacked) { //nolint:gosec // positive
			return nil, tooLarge(l)
		}
		if total += f.UncompressedSize64; total > uint64(l.Unpacked) { //nolint:gosec // positive
			return nil, tooLarge(l)
		}
		// Names of parts are compared without regard to case, as the conventions say.
		name := strings.ToLower(f.Name)
		if c.parts[name] != nil {
			return nil, unreadable() // another program may read the other one of the two parts
		}
		c.parts[name] = f
	}
	if total > ratioFrom && total > uint64(size)*uint64(l.Ratio) { //nolint:gosec // positive
		return nil, domain.Errorf(domain.CodeTooLarge, "The file unpacks to more than %d times its size.", l.Ratio)
	}
	if err := checkOverlaps(z.File); err != nil {
		return nil, err
	}
	return c, checkNested(z.File)
}

// checkNested checks that no part is itself a zip file. Documents that people have embedded are allowed: they are in a
// folder with the name embeddings, and no part of it is read.
func checkNested(files []*zip.File) error {
	for _, f := range files {
		if f.UncompressedSize64 < 4 || strings.Contains(strings.ToLower(f.Name), "/embeddings/") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return unreadable()
		}
		// Only the first four bytes are read, so nothing is unpacked for this.
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

// checkOverlaps checks that no two parts share bytes of the file, as the parts of a zip bomb do.
func checkOverlaps(files []*zip.File) error {
	type span struct{ from, to int64 }
	spans := make([]span, 0, len(files))
	for _, f := range files {
		at, err := f.DataOffset()
		if err != nil {
			return unreadable()
		}
		spans = append(spans, span{at, at + int64(f.CompressedSize64)}) //nolint:gosec // a false size overflows, which is refused below
	}
	// The order is that of the places in the file.
	slices.SortFunc(spans, func(a, b span) int { return int(min(1, max(-1, a.from-b.from))) })
	for i, s := range spans {
		if s.to < s.from || i > 0 && spans[i-1].to > s.from {
			return unreadable()
		}
	}
	return nil
}

// tooLarge is the error for a file that unpacks to too much.
func tooLarge(l Limits) error {
	return domain.Errorf(domain.CodeTooLarge, "The file unpacks to more than %d MB.", l.Unpacked>>20)
}

// unreadable is the error for everything that a person can only correct by saving the file again.
func unreadable() error {
	return domain.Errorf(domain.CodeInvalid, "The file is damaged and cannot be read. Open it in the program that made it, save it again, "+
		"and upload that file.")
}

// part opens a part. It returns nil if the container has no such part.
func (c *container) part(name string) (io.ReadCloser, error) {
	f, ok := c.parts[strings.ToLower(name)]
	if !ok {
		return nil, nil //nolint:nilnil // the contract of part
	}
	in, err := f.Open()
	if err != nil {
		return nil, unreadable()
	}
	// Both limits go down with each byte that is read.
	return &bounded{in: in, left: int64(f.UncompressedSize64), all: &c.left, limits: c.limits}, nil //nolint:gosec // at most Unpacked
}

// bounded reads a part. It fails when the part is larger than declared, or when all parts together are larger than
// allowed.
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
		// Any error of the decompression means that the file is damaged.
		return 0, unreadable()
	}
	return n, err //nolint:wrapcheck // the caller expects io.EOF
}

// Close implements io.Closer.
func (b *bounded) Close() error { return b.in.Close() } //nolint:wrapcheck // only read from

// each calls read with a scanner of a part. It does nothing if the container has no such part.
func (c *container) each(name string, read func(s *scanner) error) error {
	in, err := c.part(name)
	if err != nil || in == nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read from
	return userError(read(newScanner(in)))
}

// userError replaces an error of a scanner by one that people understand.
func userError(err error) error {
	var known *domain.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, errMalformed):
		return unreadable()
	}
	return fmt.Errorf("read a part: %w", err)
}

// relation is a reference from one part to another.
type relation struct{ kind, target string }

// relations returns the references of a part by their ids. References to targets outside the file are left out,
// because nothing is downloaded.
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
			// A target without a slash in front is relative to the part's folder.
			if !strings.HasPrefix(target, "/") {
				target = "/" + folder + target
			}
			// Clean removes the dots, so a target cannot lead out of the names.
			out[id] = relation{kind: kind[strings.LastIndexByte(kind, '/')+1:], target: strings.TrimPrefix(path.Clean(target), "/")}
			return nil
		})
	})
	return out, err
}

// main returns the name of the document's main part, or otherwise if the file does not name it.
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

// walk calls begin at the start tag of every element, up to the end of the document.
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
