package intake_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/intake"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/semaphore"
	"parley.dev/parley/persistence/blob"
)

// account records which keys were entered and released.
type account struct {
	begun, ended []string
	refuse       error
}

func (a *account) Begin(_ context.Context, _ int64, keys ...string) error {
	if a.refuse == nil {
		a.begun = append(a.begun, keys...)
	}
	return a.refuse
}

func (a *account) End(_ context.Context, _ int64, keys ...string) error {
	a.ended = append(a.ended, keys...)
	return a.refuse
}

// room is a quota in bytes.
type room int64

func (r room) UploadRoom(context.Context, domain.Caller, string, int64) (int64, error) {
	return int64(r), nil
}

// table reads any file, and returns the info that a test has set.
type table struct {
	info domain.FileInfo
	err  error
}

func (*table) Type() domain.DataSourceType { return domain.DataSourceCSV }

func (t *table) Inspect(context.Context, string, string, domain.FileOptions) (*domain.FileInfo, error) {
	info := t.info
	return &info, t.err
}

func (t *table) Prepare(ctx context.Context, path, name, work string, o domain.FileOptions) (*domain.FileInfo, error) {
	info, err := t.Inspect(ctx, path, name, o)
	if err == nil && info.Notice == "" {
		err = os.WriteFile(work, []byte("prepared"), 0o600)
	}
	return info, err
}

// desk is a service with everything that it uses.
type desk struct {
	*intake.Service
	files   domain.FileStore
	account *account
	table   *table
	temp    string
}

func open(t *testing.T, change ...func(*intake.Config)) *desk {
	t.Helper()
	files, err := blob.Open(t.Context(), blob.Config{URL: "file://" + t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, files.Close()) })
	d := &desk{files: files, account: &account{}, table: &table{info: domain.FileInfo{Type: domain.DataSourceCSV}}, temp: t.TempDir()}
	cfg := intake.Config{
		Files: files, Account: d.account, Readers: connectors.FilesByType(d.table), Readings: semaphore.New(1), TempDir: d.temp,
	}
	for _, f := range change {
		f(&cfg)
	}
	d.Service = intake.New(cfg)
	return d
}

// content is what the file store has under a key; empty if there is no file.
func (d *desk) content(t *testing.T, key string) string {
	t.Helper()
	r, err := d.files.Get(t.Context(), key, 0, -1)
	if domain.CodeOf(err) == domain.CodeNotFound {
		return ""
	}
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(all)
}

// empty requires that no temporary file is left.
func (d *desk) empty(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(d.temp)
	require.NoError(t, err)
	require.Empty(t, left)
}

func anna() domain.Caller { return domain.Caller{OrganisationID: 3, UserID: 7} }

func csvFile(size int64) *domain.UploadedFile {
	return &domain.UploadedFile{Name: "orders.csv", Size: size, Options: domain.FileOptions{Delimiter: ";"}}
}

func TestUpload(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.table.info.Description, d.table.info.Resources = "Two columns", []domain.DataResource{{Table: "orders"}}
	u := d.Begin(anna(), "", 0)
	n, err := u.Keep(t.Context(), strings.NewReader("a;b\n1;2\n"))
	require.NoError(t, err)
	require.EqualValues(t, 8, n)
	file, err := u.Prepare(t.Context(), csvFile(n))
	require.NoError(t, err)
	require.Equal(t, &domain.DataSourceFile{
		Type: domain.DataSourceCSV, FileName: "orders.csv", Delimiter: ";", Size: 8, Description: "Two columns",
		Resources: []domain.DataResource{{Table: "orders"}}, FileKey: file.FileKey, WorkKey: file.WorkKey,
	}, file)
	require.Equal(t, []string{file.FileKey, file.WorkKey}, d.account.begun, "entered before anything is stored")
	require.True(t, strings.HasPrefix(file.FileKey, "uploads/3/"))
	require.Equal(t, "a;b\n1;2\n", d.content(t, file.FileKey))
	require.Equal(t, "prepared", d.content(t, file.WorkKey))
	u.Release(t.Context())
	u.Release(t.Context())
	require.Equal(t, d.account.begun, d.account.ended, "released once")
	d.empty(t)
}

func TestUpload_Kept(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.table.info.Notice = "It can be kept."
	u := d.Begin(anna(), "", 0)
	_, err := u.Keep(t.Context(), strings.NewReader("a;b\n"))
	require.NoError(t, err)
	noted := d.account.begun[1]
	file, err := u.Prepare(t.Context(), csvFile(4))
	require.NoError(t, err)
	require.Empty(t, file.WorkKey, "there is nothing to query")
	require.Empty(t, d.content(t, noted))
	u.Release(t.Context())
	require.Equal(t, d.account.begun, d.account.ended, "also the key that was not used")
}

func TestUpload_Err(t *testing.T) {
	t.Parallel()
	gone := errors.New("the database is gone")
	for name, c := range map[string]struct {
		change  func(*intake.Config)
		prepare func(*desk)
		content string
		code    domain.Code
		says    string
		noted   bool
	}{
		"ErrPicture": {
			content: "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 100), code: domain.CodeUnsupportedType,
			says: "Unsupported file type",
		},
		"ErrQuota": {change: func(c *intake.Config) {
			c.Quota = room(3)
		}, content: "a;b\n", code: domain.CodeTooLarge, says: "0.0 MB are left", noted: true},
		"ErrAccount": {prepare: func(d *desk) { d.account.refuse = gone }, content: "a;b\n", says: gone.Error()},
		"ErrUnreadable": {prepare: func(d *desk) {
			d.table.err = domain.Invalid("file", "No table")
		}, content: "a;b\n", code: domain.CodeInvalid, says: "No table", noted: true},
		"ErrUntaken": {change: func(c *intake.Config) {
			c.Readers = nil
		}, content: "a;b\n", code: domain.CodeUnsupportedType, says: "Unsupported", noted: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, func(cfg *intake.Config) {
				if c.change != nil {
					c.change(cfg)
				}
			})
			if c.prepare != nil {
				c.prepare(d)
			}
			u := d.Begin(anna(), "", 0)
			n, err := u.Keep(t.Context(), strings.NewReader(c.content))
			if err == nil {
				_, err = u.Prepare(t.Context(), csvFile(n))
			}
			require.ErrorContains(t, err, c.says)
			if c.code != "" {
				require.Equal(t, c.code, domain.CodeOf(err))
			}
			require.Equal(t, c.noted, len(d.account.begun) > 0)
			u.Release(t.Context())
			require.Equal(t, d.account.begun, d.account.ended)
			d.empty(t)
		})
	}
}

// TestUpload_Turns: a person's second file waits for the first one, and stops waiting when its request ends.
func TestUpload_Turns(t *testing.T) {
	t.Parallel()
	turns := semaphore.New(1)
	d := open(t, func(c *intake.Config) { c.Readings = turns })
	release, err := turns.Acquire(t.Context(), anna().UserID)
	require.NoError(t, err)
	defer release()
	u := d.Begin(anna(), "", 0)
	_, err = u.Keep(t.Context(), strings.NewReader("a;b\n"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = u.Prepare(ctx, csvFile(4))
	require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
}

func TestTrial(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.table.info.Description = "Two columns"
	trial, err := d.BeginTrial(anna())
	require.NoError(t, err)
	n, err := trial.Keep(t.Context(), strings.NewReader("a;b\n1;2\n"))
	require.NoError(t, err)
	info, err := trial.Inspect(t.Context(), csvFile(n))
	require.NoError(t, err)
	require.Equal(t, "Two columns", info.Description)
	trial.Release(t.Context())
	require.Empty(t, d.account.begun, "nothing is kept")
	d.empty(t)
}

func TestService_Again(t *testing.T) {
	t.Parallel()
	d := open(t)
	_, err := d.files.Put(t.Context(), "uploads/3/x", "text/csv", strings.NewReader("a;b\n"), 100)
	require.NoError(t, err)
	source := &domain.DataSource{Type: domain.DataSourceCSV, FileName: "orders.csv", FileKey: "uploads/3/x", Delimiter: ";"}
	d.table.info.Resources = []domain.DataResource{{Table: "orders", Preview: "new", Rows: 9}}

	u, file, err := d.Again(t.Context(), anna(), source)
	require.NoError(t, err)
	require.Equal(t, "uploads/3/x", file.FileKey, "the file stays")
	require.Equal(t, "prepared", d.content(t, file.WorkKey))
	require.Equal(t, []string{file.WorkKey}, d.account.begun)
	u.Release(t.Context())
	require.Equal(t, d.account.begun, d.account.ended)

	source.Resources = []domain.DataResource{{Table: "orders", Preview: "old"}, {Table: "gone", Preview: "stays"}}
	require.NoError(t, d.Refresh(t.Context(), anna(), source))
	require.Equal(t, []domain.DataResource{{Table: "orders", Preview: "new", Rows: 9}, {Table: "gone", Preview: "stays"}}, source.Resources)

	d.table.info.Notice = "The converter is gone."
	_, _, err = d.Again(t.Context(), anna(), source)
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	require.Len(t, d.account.ended, 2, "released already")

	source.Type = domain.DataSourcePPT
	require.False(t, d.Takes(source.Type))
	_, _, err = d.Again(t.Context(), anna(), source)
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	require.Error(t, d.Refresh(t.Context(), anna(), source))
	d.empty(t)
}
