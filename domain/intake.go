package domain

import (
	"context"
	"io"
)

// FilesAtOnce is how many files of one person a node reads or converts at the same time.
const FilesAtOnce = 2

// FileOptions are the options that a person may set for a file.
type FileOptions struct {
	// Delimiter is one character, or "auto" (the zero value means auto).
	Delimiter string
}

// Validate checks the options. Errors: CodeInvalid.
func (o FileOptions) Validate() error {
	switch c := o.Delimiter; {
	case c == "", c == "auto", c == "tab", c == `\t`, c == "\t":
		return nil
	case len(c) == 1 && c[0] >= ' ' && c[0] < 0x7f && c[0] != '"':
		return nil
	}
	return Invalid("delimiter", "The delimiter must be one character, or auto")
}

// UploadedFile describes a file that a person uploads.
type UploadedFile struct {
	// Name is checked by CheckFileName. MediaType may be empty.
	Name, MediaType string
	// Said is the kind that the person chose; if it is empty, the kind is detected.
	Said string
	// Size is in bytes, as Upload.Keep counted them.
	Size    int64
	Options FileOptions
}

// IntakeService accepts uploaded files: it stores a file, detects its kind, and prepares it
// for queries. It enforces a person's quota, and the number of a person's files that are read
// at the same time.
type IntakeService interface {
	// Takes reports whether files of a kind can be read here.
	Takes(kind DataSourceType) bool
	// Begin starts the upload of one file for a data source. request is the key of the
	// caller's request, and replaced the size of the file that the new one replaces. The
	// caller must release the upload in any case.
	Begin(caller Caller, request string, replaced int64) Upload
	// BeginTrial starts the inspection of one file that is not kept. The caller must release
	// it, too.
	BeginTrial(caller Caller) (Trial, error)
	// Again prepares the file of a data source once more. The caller must release the upload;
	// after an error it is released already. Errors: those of Upload.Prepare; CodeInvalid for
	// a file that can only be kept.
	Again(ctx context.Context, caller Caller, d *DataSource) (Upload, *DataSourceFile, error)
	// Refresh reads the file of a data source again for the previews and the numbers of
	// rows, which it puts into d. It stores nothing.
	Refresh(ctx context.Context, caller Caller, d *DataSource) error
}

// Upload is the upload of one file into the file store.
type Upload interface {
	// Keep stores the bytes and returns their number. CodeTooLarge for a file that is too
	// large or exceeds a quota.
	Keep(ctx context.Context, r io.Reader) (int64, error)
	// Prepare finds the kind of the file that was kept and prepares it for queries. Errors:
	// CodeInvalid, CodeTooLarge, CodeUnsupportedType, and CodeUnavailable where the
	// person's other files are still being read.
	Prepare(ctx context.Context, f *UploadedFile) (*DataSourceFile, error)
	// Release gives up the stored files that no data source uses. The store decides whether
	// one does, because an error does not mean that nothing was committed. Release also works
	// after ctx has ended, because especially then files may be left.
	Release(ctx context.Context)
}

// Trial is the inspection of one file that is not kept.
type Trial interface {
	// Keep stores the bytes until the trial is released. CodeTooLarge.
	Keep(ctx context.Context, r io.Reader) (int64, error)
	// Inspect returns what the file is. It has the errors of Upload.Prepare.
	Inspect(ctx context.Context, f *UploadedFile) (*FileInfo, error)
	Release(ctx context.Context)
}

// WarehouseService describes remote databases. Its errors are for people, and contain no
// secrets.
type WarehouseService interface {
	// Takes reports whether this server connects to databases of a kind.
	Takes(kind DataSourceType) bool
	// Check tries a connection that is not stored yet.
	Check(ctx context.Context, caller Caller, kind DataSourceType, c Connection) error
	// Describe lists the tables of such a connection, after the same check.
	Describe(ctx context.Context, caller Caller, kind DataSourceType, c Connection) (*SourceDescription, error)
	// DescribeSource lists the tables of a stored data source.
	DescribeSource(ctx context.Context, source *DataSource) (*SourceDescription, error)
}

// SourceDescription describes the contents of a remote database.
type SourceDescription struct {
	// Text is a proposed description for people.
	Text      string
	Resources []DataResource
	// LeftOut says in words what Resources leave out; empty if nothing was left out.
	LeftOut string
}
