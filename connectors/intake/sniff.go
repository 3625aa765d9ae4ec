package intake

import (
	"bytes"
	"errors"
	"io"

	"parley.dev/parley/connectors"
)

// sniffLength is how many bytes are enough to recognise files that no connector accepts:
// pictures, programs, archives.
const sniffLength = 8 << 10

// sniffed refuses a file whose first bytes show that it cannot be a data source, before
// anything of it is kept. Otherwise it returns a reader of all bytes. CodeUnsupportedType.
func sniffed(r io.Reader) (io.Reader, error) {
	head := make([]byte, sniffLength)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err //nolint:wrapcheck // an error of the sender's connection, which the caller translates
	}
	if connectors.Foreign(head[:n]) {
		return nil, connectors.Unsupported()
	}
	return io.MultiReader(bytes.NewReader(head[:n]), r), nil
}
