package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
)

// TestUpload_MalformedForm: a form that arrived completely and cannot be read is not reported
// as cut short.
func TestUpload_MalformedForm(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour = -1 })
	const part = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\n1,2\n\r\n--x--\r\n"
	for name, row := range map[string]struct{ body, message string }{
		"NULInAHeader": {strings.Replace(part, "a.csv", "a\x00.csv", 1), "not well formed"},
		"LongPreamble": {strings.Repeat("y", 2<<20) + "\r\n" + part, "not well formed"},
		"CutShort":     {part[:len(part)-8], "cut short"},
	} {
		// The cases run one after the other, because the uploads of a person wait for each
		// other, and this test is about forms.
		t.Run(name, func(t *testing.T) {
			got := b.upload(t, "/memory/file/info", strings.NewReader(row.body), "multipart/form-data; boundary=x")
			require.Equal(t, 400, got.status)
			require.Contains(t, got.body, row.message)
		})
	}
}

// TestDataSource_DownloadName: a table is not sent under the name of a program.
func TestDataSource_DownloadName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for sent, want := range map[string]string{
		"a.exe": "a.exe.csv", "a.csv.exe": "a.csv.exe.csv", "a.csv": "a.csv", "b.TSV": "b.TSV",
		"plain": "plain.csv",
	} {
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		d.FileName = sent
		b.world.ShowSource(&b.world.Owner, *d)
		got := b.call(t, &b.world.Owner, http.MethodGet, pathOf(d, "/file"), "")
		require.Contains(t, got.header.Get("Content-Disposition"), fmt.Sprintf("filename=%q", want))
	}
}
