package domain

import (
	"context"
	"io"
)

// FilesAtOnce is how many files of one person a node reads or converts at once.
const FilesAtOnce = 2

// FileOptions are what a person may say about a file.
type FileOptions struct {
	// Delimiter is one character, or "auto" (the zero value means auto).
	Delimiter string
}

// Validate checks what a person said. Errors: CodeInvalid.
func (o FileOptions) Validate() error {
	switch c := o.Delimiter; {
	case c == "", c == "auto", c == "tab", c == `\t`, c == "\t":
		return nil
	case len(c) == 1 && c[0] >= ' ' && c[0] < 0x7f && c[0] != '"':
		return nil
	}
	return Invalid("delimiter", "The delimiter must be one character, or auto")
}

// UploadedFile is what a person says of a file that they send.
type UploadedFile struct {
	// Name is checked by CheckFileName. MediaType may be empty.
	Name, MediaType string
	// Said is the kind that the person chose; empty leaves it to the file.
	Said string
	// Size is in bytes, as Upload.Keep counted them.
	Size    int64
	Options FileOptions
}

// IntakeService takes files in: it keeps what a person sends, finds out what it is, and
// prepares it for queries. It holds a person to their quota, and lets them have a few
// files read at once and no more.
type IntakeService interface {
	// Takes tells whether files of a kind are read here.
	Takes(kind DataSourceType) bool
	// Begin starts to take one file in for a data source. request is the key of the
	// caller's request, and replaced the size of the file whose place the new one takes.
	// Release it, whatever becomes of it.
	Begin(caller Caller, request string, replaced int64) Upload
	// BeginTrial starts to look at one file that is not kept. Release it, too.
	BeginTrial(caller Caller) (Trial, error)
	// Again prepares the file of a data source once more. The caller releases the upload;
	// if there is an error it is released already. Errors: those of Upload.Prepare;
	// CodeInvalid for a file that could only be kept.
	Again(ctx context.Context, caller Caller, d *DataSource) (Upload, *DataSourceFile, error)
	// Refresh reads the file of a data source again for the previews and the numbers of
	// rows, which it puts into d. Nothing of it is stored.
	Refresh(ctx context.Context, caller Caller, d *DataSource) error
}

// Upload is one file on its way into the file store.
type Upload interface {
	// Keep stores the bytes and gives their number. CodeTooLarge for a file, or one that
	// does not fit into a quota.
	Keep(ctx context.Context, r io.Reader) (int64, error)
	// Prepare finds the kind of the file that was kept and prepares it for queries. Errors:
	// CodeInvalid, CodeTooLarge, CodeUnsupportedType, and CodeUnavailable where the
	// person's other files are still being read.
	Prepare(ctx context.Context, f *UploadedFile) (*DataSourceFile, error)
	// Release gives up what no data source took. Whether one did is for the store to know:
	// an error does not say that nothing was committed. It goes on where ctx has ended, for
	// then most of all something is left.
	Release(ctx context.Context)
}

// Trial is one file that is only looked at.
type Trial interface {
	// Keep stores the bytes as long as the trial lasts. CodeTooLarge.
	Keep(ctx context.Context, r io.Reader) (int64, error)
	// Inspect says what the file is. Errors: as of Upload.Prepare.
	Inspect(ctx context.Context, f *UploadedFile) (*FileInfo, error)
	Release(ctx context.Context)
}

// WarehouseService describes databases that live elsewhere. Its errors are for people,
// and hold no secret.
type WarehouseService interface {
	// Takes tells whether this server connects to databases of a kind.
	Takes(kind DataSourceType) bool
	// Check tries a connection that is not kept yet.
	Check(ctx context.Context, caller Caller, kind DataSourceType, c Connection) error
	// Describe lists its tables, after the same trial.
	Describe(ctx context.Context, caller Caller, kind DataSourceType, c Connection) (*SourceDescription, error)
	// DescribeSource lists the tables of one that is kept.
	DescribeSource(ctx context.Context, source *DataSource) (*SourceDescription, error)
}

// SourceDescription is what a database that lives elsewhere has.
type SourceDescription struct {
	// Text proposes what people read about it.
	Text      string
	Resources []DataResource
	// LeftOut says in words what Resources leave out; empty for nothing.
	LeftOut string
}
