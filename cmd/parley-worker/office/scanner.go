package office

// A scanner for XML 1.0 as Office programs write it. It does not read document types, so no entity
// can expand; the depth, the size of tags and of texts are limited, so a small file cannot use much
// memory.

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
)

// token is the kind of the current token of the scanner.
type token int

const (
	startTag token = iota
	endTag
	textData
)

const (
	// depthMax is how deeply elements may be nested.
	depthMax = 256
	// tagMax is the maximum size in bytes of one tag with its attributes, and textMax of one text.
	tagMax  = 1 << 20
	textMax = 4 << 20
)

var errMalformed = errors.New("the XML is malformed")

// scanner reads the XML of Office documents: elements, attributes and texts. It is several times faster than
// encoding/xml, which copies its tokens. A document type declaration is refused, because it can declare entities.
type scanner struct {
	in *bufio.Reader
	// name is the local name of the element whose tag was read, and text is the text. Both are valid until the next
	// token is read.
	name []byte
	text []byte

	tag     []byte // the text between < and >: name and attributes
	attrs   []byte // the part of tag with the attributes
	closing bool   // the last tag was <name/>: the next token is the end of this element
	names   []byte // the names of the open elements, concatenated
	starts  []int  // where each of them begins in names
}

// newScanner reads the document as UTF-8.
func newScanner(r io.Reader) *scanner {
	return &scanner{in: bufio.NewReaderSize(r, 64<<10)}
}

// next reads the next token. It returns io.EOF at the end of a complete document.
func (s *scanner) next() (token, error) {
	// An element without content has its end at once.
	if s.closing {
		s.closing = false
		return endTag, s.pop(s.name)
	}
	for {
		c, err := s.in.ReadByte()
		if errors.Is(err, io.EOF) {
			if len(s.starts) > 0 {
				return 0, errMalformed
			}
			return 0, io.EOF
		}
		if err != nil {
			return 0, err //nolint:wrapcheck // the error of the underlying reader says what happened
		}
		if c != '<' {
			// The character belongs to the text.
			if err := s.in.UnreadByte(); err != nil {
				return 0, err //nolint:wrapcheck // it was just read
			}
			if err := s.readText(); err != nil {
				return 0, err
			}
			if len(s.starts) == 0 {
				continue // text outside of the root element, which is usually white space
			}
			return textData, nil
		}
		// Comments and processing instructions are skipped, and the loop goes on.
		kind, skip, err := s.readTag()
		if err != nil || !skip {
			return kind, err
		}
	}
}

// readText reads all text up to the next tag.
func (s *scanner) readText() error {
	s.text = s.text[:0]
	for {
		piece, err := s.in.ReadSlice('<')
		s.text = append(s.text, piece...)
		switch {
		// A text may be longer than the buffer; the limit is checked after each piece.
		case errors.Is(err, bufio.ErrBufferFull):
			if len(s.text) > textMax {
				return errMalformed
			}
			continue
		// A text at the end of the document is allowed; next then finds out whether an element is
		// open.
		case errors.Is(err, io.EOF):
		case err != nil:
			return err //nolint:wrapcheck // the error of the underlying reader says what happened
		default:
			s.text = s.text[:len(s.text)-1]
			if err := s.in.UnreadByte(); err != nil {
				return err //nolint:wrapcheck // it was just read
			}
		}
		if len(s.text) > textMax {
			return errMalformed
		}
		var ok bool
		// The predefined entities are replaced after the whole text was read, since a piece could
		// end inside one.
		if s.text, ok = unescape(s.text); !ok {
			return errMalformed
		}
		return nil
	}
}

// readTag reads what follows a <. It skips comments and processing instructions.
func (s *scanner) readTag() (kind token, skip bool, err error) {
	next, err := s.in.Peek(1)
	if err != nil {
		return 0, false, errMalformed
	}
	switch next[0] {
	case '?':
		return 0, true, s.skipTo("?>")
	case '!':
		return s.readMark()
	case '/':
		if err := s.readInside(); err != nil {
			return 0, false, err
		}
		s.name = local(bytes.TrimSpace(s.tag[1:]))
		return endTag, false, s.pop(s.name)
	}
	if err := s.readInside(); err != nil {
		return 0, false, err
	}
	inside := s.tag
	// The slash of <name/> belongs neither to the name nor to the attributes.
	if n := len(inside); n > 0 && inside[n-1] == '/' {
		inside, s.closing = inside[:n-1], true
	}
	end := bytes.IndexAny(inside, " \t\r\n")
	if end < 0 {
		end = len(inside)
	}
	s.name, s.attrs = local(inside[:end]), inside[end:]
	// The limit of depth keeps a document of opening tags from filling the memory.
	if len(s.name) == 0 || len(s.starts) >= depthMax {
		return 0, false, errMalformed
	}
	s.starts = append(s.starts, len(s.names))
	s.names = append(s.names, s.name...)
	return startTag, false, nil
}

// readMark reads a comment or a CDATA section, which begin with <!, and refuses everything else.
func (s *scanner) readMark() (kind token, skip bool, err error) {
	if mark, err := s.in.Peek(3); err == nil && string(mark) == "!--" {
		return 0, true, s.skipTo("-->")
	}
	// A CDATA section is text, so it must be inside an element.
	if mark, err := s.in.Peek(8); err != nil || string(mark) != "![CDATA[" || len(s.starts) == 0 {
		return 0, false, errMalformed
	}
	_, _ = s.in.Discard(8) // it was peeked
	s.text = s.text[:0]
	for !bytes.HasSuffix(s.text, []byte("]]>")) {
		c, err := s.in.ReadByte()
		if err != nil || len(s.text) > textMax {
			return 0, false, errMalformed
		}
		s.text = append(s.text, c)
	}
	s.text = s.text[:len(s.text)-3]
	return textData, false, nil
}

// readInside reads a tag up to its end. A > in the value of an attribute is not the end.
func (s *scanner) readInside() error {
	s.tag = s.tag[:0]
	quote := byte(0)
	for {
		c, err := s.in.ReadByte()
		if err != nil || len(s.tag) > tagMax {
			return errMalformed
		}
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return nil
		case c == '<':
			return errMalformed
		}
		s.tag = append(s.tag, c)
	}
}

// skipTo reads up to and including end, without keeping anything.
func (s *scanner) skipTo(end string) error {
	matched := 0
	for matched < len(end) {
		c, err := s.in.ReadByte()
		if err != nil {
			return errMalformed
		}
		// A comment may contain a part of its end, which must not be missed.
		switch {
		case c == end[matched]:
			matched++
		case c == end[0] && end[0] == '-' && matched == 2:
			// a further dash: --- also ends in --
		case c == end[0]:
			matched = 1
		default:
			matched = 0
		}
	}
	return nil
}

// pop closes the innermost element, which must have this name.
// Names are compared without their prefixes, as next returns them.
func (s *scanner) pop(name []byte) error {
	last := len(s.starts) - 1
	if last < 0 || !bytes.Equal(s.names[s.starts[last]:], name) {
		return errMalformed
	}
	s.names, s.starts = s.names[:s.starts[last]], s.starts[:last]
	return nil
}

// depth returns the number of open elements.
func (s *scanner) depth() int { return len(s.starts) }

// skip skips the rest of the element that was opened last.
func (s *scanner) skip() error {
	for at := s.depth() - 1; s.depth() > at; {
		if _, err := s.next(); err != nil {
			return unexpectedEnd(err)
		}
	}
	return nil
}

// inner appends the texts of the element that was opened last, up to its end.
func (s *scanner) inner(into []byte) ([]byte, error) {
	for at := s.depth() - 1; ; {
		kind, err := s.next()
		if err != nil {
			return into, unexpectedEnd(err)
		}
		if kind == textData {
			if into = append(into, s.text...); len(into) > textMax {
				return into, errMalformed
			}
		}
		if s.depth() == at {
			return into, nil
		}
	}
}

// unexpectedEnd returns errMalformed for io.EOF: the document ended inside an element.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return errMalformed
	}
	return err
}

// attr returns the value of an attribute of the current start tag, by its local name.
func (s *scanner) attr(name string) (string, bool) {
	value, ok := s.raw(name, false)
	return string(value), ok
}

// prefixed returns the value of an attribute that has a namespace prefix, by its local name. It is empty if there is no
// such attribute.
func (s *scanner) prefixed(name string) string {
	value, _ := s.raw(name, true)
	return string(value)
}

// raw is like attr, but does not copy: the value is valid until the next token. With prefixed, the attribute must have
// a namespace prefix.
func (s *scanner) raw(name string, prefixed bool) ([]byte, bool) {
	rest := s.attrs
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		// Without a = there are no more attributes.
		eq := bytes.IndexByte(rest, '=')
		if eq <= 0 {
			return nil, false
		}
		key := bytes.TrimSpace(rest[:eq])
		// An attribute without a prefix has the same local name as one with it, so the length tells
		// them apart.
		fits := string(local(key)) == name && (!prefixed || len(key) > len(name))
		rest = bytes.TrimLeft(rest[eq+1:], " \t\r\n")
		if len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' {
			return nil, false
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 {
			return nil, false
		}
		if fits {
			value := rest[1 : end+1]
			// The value is cloned, because unescape changes it in place and the tag may be read
			// again.
			if bytes.IndexByte(value, '&') >= 0 {
				return unescape(bytes.Clone(value))
			}
			return value, true
		}
		rest = rest[end+2:]
	}
}

// number returns the value of an attribute that is an integer, or otherwise if there is no such value.
func (s *scanner) number(name string, otherwise int) int {
	text, ok := s.raw(name, false)
	if !ok {
		return otherwise
	}
	n, ok := whole(text)
	if !ok {
		return otherwise
	}
	return n
}

// whole parses an integer that is not negative and has at most nine digits.
func whole(digits []byte) (n int, ok bool) {
	// Nine digits cannot overflow.
	if len(digits) == 0 || len(digits) > 9 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// local removes the namespace prefix of a name.
func local(name []byte) []byte {
	if at := bytes.LastIndexByte(name, ':'); at >= 0 {
		return name[at+1:]
	}
	return name
}

// unescape replaces the predefined entities and the character references of XML, in place. Other entities would have to
// be declared, which is refused.
func unescape(text []byte) ([]byte, bool) {
	at := bytes.IndexByte(text, '&')
	if at < 0 {
		return text, true
	}
	out := text[:at]
	for at < len(text) {
		c := text[at]
		if c != '&' {
			out = append(out, c)
			at++
			continue
		}
		// The longest reference, &#x10FFFF;, has ten characters.
		end := bytes.IndexByte(text[at:min(len(text), at+12)], ';')
		if end < 2 {
			return nil, false
		}
		r, ok := entity(string(text[at+1 : at+end]))
		if !ok {
			return nil, false
		}
		out = utf8.AppendRune(out, r)
		at += end + 1
	}
	return out, true
}

// entity returns the character of a reference (XML 1.0, 4.1 and 4.6).
func entity(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if name[0] != '#' {
		return 0, false
	}
	base, digits := 10, name[1:]
	if digits != "" && digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseUint(digits, base, 32)
	// NUL is not a character of XML.
	if err != nil || n > utf8.MaxRune || n == 0 {
		return 0, false
	}
	return rune(n), true
}
