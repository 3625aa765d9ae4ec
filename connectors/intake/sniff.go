package intake

import (
	"bytes"
	"errors"
	"io"

	"parley.dev/parley/connectors"
)

// sniffLength is how many bytes tell what nobody takes: pictures, programs, archives.
const sniffLength = 8 << 10

// sniffed refuses what can be no table by its first bytes, before anything of it is
// kept, and gives a reader of all bytes otherwise. CodeUnsupportedType.
func sniffed(r io.Reader) (io.Reader, error) {
	head := make([]byte, sniffLength)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err //nolint:wrapcheck // the sender's connection; who reads the request words it
	}
	if connectors.Foreign(head[:n]) {
		return nil, connectors.Unsupported()
	}
	return io.MultiReader(bytes.NewReader(head[:n]), r), nil
}
