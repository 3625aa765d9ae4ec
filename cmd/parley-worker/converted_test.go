//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/hyper"
	"parley.dev/parley/connectors/ppt"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// extract makes a file that begins like a Tableau extract and is long enough to be one. The text at its end tells the fake
// converter what to do.
func extract(command string) []byte {
	return []byte("Hyper\x08\x00\x00\x01" + strings.Repeat("\x00", 4<<10) + command)
}

// converter writes a shell script that has the role of the converter of an administrator: $1 is the file, $2 the folder for
// the tables. The other files are written to the folder of the script, which the script can read.
func converter(t *testing.T, script string, others map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range others {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	path := filepath.Join(dir, "convert")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	return path
}

// converting makes a bench with this converter. It skips the test if the machine cannot run a converter in a sandbox.
func converting(t *testing.T, kind domain.DataSourceType, program string, change ...func(*workbench.Config)) *bundle {
	t.Helper()
	if err := exec.Command("unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "true").Run(); err != nil &&
		os.Getuid() != 0 {
		t.Skip("this machine does not allow an ordinary user to make a mount namespace")
	}
	b := setup(t, append(change, func(c *workbench.Config) { c.Converters = map[domain.DataSourceType]string{kind: program} })...)
	b.kinds[domain.DataSourceHyper] = hyper.New(b.bench)
	b.kinds[domain.DataSourcePPT] = ppt.New(b.bench)
	return b
}

func TestHyper_Tables(t *testing.T) {
	t.Parallel()
	parquet := filepath.Join(t.TempDir(), "t.parquet")
	db, err := openMemory()
	require.NoError(t, err)
	require.NoError(t, db.exec("COPY (SELECT 'Łódź' AS city, DATE '2024-03-01' + i::INT AS day, i * 1.5 AS amount FROM "+
		"range(3) r(i)) TO "+sqltext.QuoteText(parquet)))
	packed, err := os.ReadFile(parquet)
	require.NoError(t, err)
	b := converting(t, domain.DataSourceHyper, converter(t, `
head -c 5 "$1" | grep -q Hyper || exit 3
printf 'region;units\nNorth;3\nSouth;4\n' > "$2/Store_Sales.csv"
cp "$(dirname "$0")/t.parquet" "$2/Visits.parquet"
echo notes > "$2/readme.md"
echo all is well >&2`, map[string][]byte{"t.parquet": packed}))
	s, info, err := b.upload(t, "my sales.hyper", extract(""))
	require.NoError(t, err)
	require.Equal(t, domain.DataSourceHyper, info.Type)
	require.Equal(t, "my sales", info.Name)
	require.Empty(t, info.Notice)
	require.Len(t, info.Resources, 2)
	require.Equal(t, []string{"Store Sales", "store_sales", "Visits", "visits"}, []string{
		info.Resources[0].Name, info.Resources[0].Table,
		info.Resources[1].Name, info.Resources[1].Table,
	})
	require.Equal(t, domain.ColumnDate, info.Resources[1].Columns[1].Type)
	result, err := b.bench.Query(t.Context(), []domain.DataSource{s}, "SELECT sum(units), (SELECT max(city) || sum(amount) FROM visits) "+
		"FROM store_sales")
	require.NoError(t, err)
	require.Equal(t, [][]any{{int64(7), "Łódź4.5"}}, result.Rows)

	seen, err := b.kinds[domain.DataSourceHyper].Inspect(t.Context(), s.WorkKey[:len(s.WorkKey)-len(".work")], "a.hyper", domain.FileOptions{})
	require.NoError(t, err)
	require.Len(t, seen.Resources, 2)
}

// TestHyper_OneTable: a single table has the name of its file, because extracts always call it Extract.
func TestHyper_OneTable(t *testing.T) {
	t.Parallel()
	b := converting(t, domain.DataSourceHyper, converter(t, `printf 'a\n1\n' > "$2/Extract.csv"`, nil))
	_, info, err := b.upload(t, "store visits.hyper", extract(""))
	require.NoError(t, err)
	require.Len(t, info.Resources, 1)
	require.Equal(t, "store visits", strings.ToLower(info.Resources[0].Name))
}

// TestHyper_E13: if a converter refuses a file, or writes wrong tables, the error is clear.
func TestHyper_E13(t *testing.T) {
	t.Parallel()
	b := converting(t, domain.DataSourceHyper, converter(t, `
case "$(tail -c +4106 "$1" | tr -d '\000')" in
bad) echo "page 7 of /work/upload.hyper is damaged" >&2; exit 1;;
nothing) ;;
empty) : > "$2/a.csv";;
link) ln -s /etc/passwd "$2/a.csv";;
folder) mkdir "$2/a.csv";;
noise) head -c 3000 /dev/urandom > "$2/a.parquet";;
many) for i in $(seq 300); do echo a > "$2/$i.csv"; done;;
esac`, nil))
	for command, message := range map[string]string{
		"bad": "could not read the file", "nothing": "holds no table", "empty": "holds no table",
		"noise": "could not be read", "many": "more than 256 tables",
	} {
		err := b.refusal(t, command, "a.hyper", extract(command), domain.CodeInvalid)
		require.ErrorContains(t, err, message)
		require.NotContains(t, err.Error(), "/work")
	}
	for _, command := range []string{"link", "folder"} {
		b.refuses(t, command, "a.hyper", extract(command), domain.CodeInternal)
	}
	for _, content := range []string{
		"Hyper", "HyPe" + strings.Repeat("\x01\x02", 9000), strings.Repeat("\x00\xff\x01", 9000),
		string(extract("")[:4000]),
	} {
		err := b.refusal(t, "malformed", "a.hyper", []byte(content), domain.CodeInvalid)
		require.ErrorContains(t, err, "not a Tableau Hyper extract")
	}
}

// TestHyper_Deadline: a converter that hangs is killed at its deadline, and so are the processes that it started.
func TestHyper_Deadline(t *testing.T) {
	t.Parallel()
	b := converting(t, domain.DataSourceHyper, converter(t, "sleep 3000 & sleep 3000", nil), func(c *workbench.Config) {
		c.PrepareDeadline = 2 * time.Second
	})
	require.ErrorContains(t, b.refusal(t, "forever", "a.hyper", extract(""), domain.CodeInvalid), "took longer than 2s")
}

// TestHyper_Walls: a converter reports what it can access, because a malicious file could run code in it.
func TestHyper_Walls(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("canary"), 0o666))
	b := converting(t, domain.DataSourceHyper, converter(t, fmt.Sprintf(`
out="$2/seen.csv"
echo "what;found" > "$out"
say() { echo "$1;$2" >> "$out"; }
for f in %q /etc/shadow /root /home /var/lib /run /sys "$PARLEY_CANARY"; do [ -e "$f" ] && say path "$f"; done
for d in /usr /bin /etc / /dev "$(dirname "$0")"; do touch "$d/parley-was-here" 2>/dev/null && say wrote "$d"; done
say user "$(id -u)"
say roots "$(ls / | tr '\n' ' ')"
say network "$(cat /proc/net/dev 2>/dev/null | grep -vc 'lo:\|Inter\|face')"
say processes "$(ls /proc 2>/dev/null | grep -c '^[0-9]*$')"
say environment "$(env | grep -vc '^PATH=\|^HOME=\|^TMPDIR=\|^LANG=\|^PWD=\|^OLDPWD=\|^SHLVL=\|^_=')"
say tmp "$(echo x > "$TMPDIR/x" && cat "$TMPDIR/x")"
unshare --user true 2>/dev/null && say made namespace
mount -t tmpfs none /work/tmp 2>/dev/null && say made mount
exit 0`, secret), nil))
	s, _, err := b.upload(t, "walls.hyper", extract(""))
	require.NoError(t, err)
	result, err := b.bench.Query(t.Context(), []domain.DataSource{s},
		"SELECT what, found::VARCHAR FROM "+s.Resources[0].Table+" WHERE what NOT IN ('roots', 'processes', 'user') ORDER BY ALL")
	require.NoError(t, err)
	require.Equal(t, [][]any{{"environment", "0"}, {"network", "0"}, {"tmp", "x"}}, result.Rows)
	result, err = b.bench.Query(t.Context(), []domain.DataSource{s},
		"SELECT found::VARCHAR FROM "+s.Resources[0].Table+" WHERE what = 'roots'")
	require.NoError(t, err)
	require.NotContains(t, result.Rows[0][0], "home")
	if os.Getuid() == 0 { // otherwise the converter runs as the user of the test
		result, err = b.bench.Query(t.Context(), []domain.DataSource{s},
			"SELECT found::VARCHAR FROM "+s.Resources[0].Table+" WHERE what = 'user'")
		require.NoError(t, err)
		require.Equal(t, [][]any{{"65534"}}, result.Rows)
	}
}

func TestPPT(t *testing.T) {
	t.Parallel()
	b := converting(t, domain.DataSourcePPT, converter(t, `cp "$(dirname "$0")/new.pptx" "$2/upload.pptx"`, map[string][]byte{
		"new.pptx": deck(t, slide{xml: `<sld><sp><txBody><p><r><t>Growth in spring</t></r></p></txBody></sp></sld>`}),
	}))
	// The start of an old presentation: the header, the table of sectors and the list of streams.
	old := make([]byte, 3*512)
	copy(old, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	old[30], old[48] = 9, 1
	copy(old[512:], bytes.Repeat([]byte("\xff"), 512))
	for i, c := range "PowerPoint Document" {
		old[1024+2*i] = byte(c)
	}
	old[1024+64] = 2 * 20
	_, info, err := b.upload(t, "plan.ppt", old)
	require.NoError(t, err)
	require.Equal(t, domain.DataSourcePPT, info.Type)
	require.Contains(t, info.Resources[0].Preview, "Growth in spring")
}

// TestHyper_NoConverter: the file is accepted, and a notice says that the converter is missing.
func TestHyper_NoConverter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.kinds[domain.DataSourceHyper] = hyper.New(b.bench)
	path := filepath.Join(b.dir, "a.hyper")
	require.NoError(t, os.WriteFile(path, extract(""), 0o600))
	info, err := b.kinds[domain.DataSourceHyper].Prepare(t.Context(), path, "a.hyper", filepath.Join(b.dir, "work"), domain.FileOptions{})
	require.NoError(t, err)
	require.Contains(t, info.Notice, "No converter for Tableau Hyper files is installed on this server")
	require.Empty(t, info.Resources)
	require.NoFileExists(t, filepath.Join(b.dir, "work"))
	_, err = b.bench.PrepareHyper(t.Context(), path, "a", "")
	require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
}

func TestBench_ConverterThatCannotRun(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, nil, 0o644))
	for program, message := range map[string]string{"/nowhere/convert": "is not there", plain: "no program"} {
		b := workbench.New(workbench.Config{
			Files: files{}, Dir: t.TempDir(), Worker: worker,
			Converters: map[domain.DataSourceType]string{domain.DataSourceHyper: program},
		})
		require.ErrorContains(t, b.Start(t.Context()), message)
	}
}
