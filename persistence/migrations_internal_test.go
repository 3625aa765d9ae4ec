package persistence

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lastFreeMigration is the last file from before there were rules for them.
const lastFreeMigration = 30

var (
	comments     = regexp.MustCompile(`(?m)--.*$`)
	texts        = regexp.MustCompile(`'(?:[^']|'')*'`)
	tableMade    = regexp.MustCompile(`(?i)\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)`)
	tableAltered = regexp.MustCompile(`(?i)\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)`)
	indexMade    = regexp.MustCompile(`(?i)\bcreate\s+(?:unique\s+)?index\s+(concurrently\s+)?` +
		`(?:if\s+not\s+exists\s+)?(\w+)\s+on\s+(?:only\s+)?(\w+)`)
	indexDropped = regexp.MustCompile(`(?i)\bdrop\s+index\s+(concurrently\s+)?(?:if\s+exists\s+)?(\w+)`)
	rowsChanged  = regexp.MustCompile(`(?i)(?:^|[;\s(])(update|delete\s+from|merge\s+into|insert\s+into)\s+(?:only\s+)?(\w+)`)
	constraint   = regexp.MustCompile(`(?i)\badd\s+(?:constraint\s+\w+\s+)?(foreign\s+key|check|unique|primary\s+key|exclude)\b`)
	usingIndex   = regexp.MustCompile(`(?i)\b(?:unique|primary\s+key)\s+using\s+index\b`)
	rewrites     = regexp.MustCompile(`(?i)\bset\s+not\s+null\b|` +
		`\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b|\bset\s+(?:un)?logged\b`)
	taken         = regexp.MustCompile(`(?i)\bdrop\s+(?:table|column|view)\b|\brename\b`)
	noTransaction = regexp.MustCompile(`(?m)^-- \+goose NO TRANSACTION\s*$`)
	contract      = regexp.MustCompile(`(?m)^-- contract: \S`)
	newColumn     = regexp.MustCompile(`(?i)\badd\s+column\s+(?:if\s+not\s+exists\s+)?\w+[^,;]*\bnot\s+null\b`)
)

// faultsOf lists what in a migration would block the users of the database meanwhile, or
// break the previous release. The rules are in the package's comment.
func faultsOf(file string) []string {
	up, _, _ := strings.Cut(file, "-- +goose Down")
	code := texts.ReplaceAllString(comments.ReplaceAllString(up, ""), "''")
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }

	own := map[string]bool{}
	for _, m := range tableMade.FindAllStringSubmatch(code, -1) {
		own[strings.ToLower(m[1])] = true
	}
	concurrent := indexFaults(code, own, fault)
	if concurrent != noTransaction.MatchString(up) {
		fault("CONCURRENTLY and NO TRANSACTION go together")
	}
	if concurrent && !strings.Contains(strings.ToLower(code), "set lock_timeout = 0") {
		fault("what is made CONCURRENTLY waits for as long as it takes: SET lock_timeout = 0")
	}
	altered := alterFaults(code, own, fault)
	if concurrent && (len(altered) > 0 || len(own) > 0) {
		fault("a file without a transaction makes and drops indexes, and nothing else")
	}
	if len(altered) > 0 {
		if m := rowsChanged.FindStringSubmatch(code); m != nil {
			fault("%s is altered and %s changed in one file: the lock is kept until the rows are written", altered[0], m[2])
		}
	}
	if taken.MatchString(code) && !contract.MatchString(up) {
		fault("what is dropped or renamed: the file says after \"-- contract:\" why nobody uses it any more")
	}
	return faults
}

// indexFaults checks indexes: an index of a table that the file does not create itself must
// be created CONCURRENTLY. It returns whether there is such an index.
func indexFaults(code string, own map[string]bool, fault func(format string, args ...any)) bool {
	concurrent := false
	dropped := map[string]bool{}
	for _, m := range indexDropped.FindAllStringSubmatch(code, -1) {
		concurrent = concurrent || m[1] != ""
		dropped[m[2]] = m[1] != ""
	}
	for _, m := range indexMade.FindAllStringSubmatch(code, -1) {
		switch {
		case m[1] != "":
			concurrent = true
			if !dropped[m[2]] {
				fault("%s: DROP INDEX CONCURRENTLY IF EXISTS comes before, for what a try may have left", m[2])
			}
		case !own[strings.ToLower(m[3])]:
			fault("%s: an index of %s, which is there already, is made CONCURRENTLY", m[2], m[3])
		}
	}
	return concurrent
}

// alterFaults checks the statements that alter existing tables, and returns these tables.
func alterFaults(code string, own map[string]bool, fault func(format string, args ...any)) []string {
	var altered []string
	for _, m := range tableAltered.FindAllStringSubmatch(code, -1) {
		if !own[strings.ToLower(m[1])] {
			altered = append(altered, m[1])
		}
	}
	for _, statement := range strings.Split(code, ";") {
		m := tableAltered.FindStringSubmatch(statement)
		if m == nil || own[strings.ToLower(m[1])] {
			continue
		}
		if kind := constraint.FindStringSubmatch(statement); kind != nil && !usingIndex.MatchString(statement) &&
			!strings.Contains(strings.ToLower(statement), "not valid") {
			fault("%s: ADD %s is NOT VALID, or by USING INDEX", m[1], strings.ToUpper(kind[1]))
		}
		if rewrites.MatchString(statement) {
			fault("%s is read or written as a whole under its lock", m[1])
		}
		if newColumn.MatchString(statement) && !strings.Contains(strings.ToLower(statement), "default") {
			fault("%s: the release before does not fill a new column that is NOT NULL", m[1])
		}
	}
	return altered
}

func TestMigrations(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		number, err := strconv.Atoi(strings.SplitN(strings.TrimPrefix(name, "migrations/"), "_", 2)[0])
		require.NoError(t, err, name)
		if number <= lastFreeMigration {
			continue
		}
		body, err := migrations.ReadFile(name)
		require.NoError(t, err)
		require.Empty(t, faultsOf(string(body)), name)
	}
}

func TestMigrations_Rules(t *testing.T) {
	t.Parallel()
	for what, file := range map[string]string{
		"OKNewTable": "CREATE TABLE a (id bigint PRIMARY KEY); CREATE INDEX a_id ON a (id); ALTER TABLE a ENABLE ROW LEVEL " +
			"SECURITY; INSERT INTO a VALUES (1);",
		"OKColumn": "ALTER TABLE a ADD COLUMN b text, ADD COLUMN c bigint NOT NULL DEFAULT 0; -- not UPDATE a",
		"OKConcurrently": "-- +goose NO TRANSACTION\nSET lock_timeout = 0;\nDROP INDEX CONCURRENTLY IF EXISTS a_id;\nCREATE UNIQUE " +
			"INDEX CONCURRENTLY a_id ON a (id);",
		"OKNotValid":       "ALTER TABLE a ADD CONSTRAINT x FOREIGN KEY (b) REFERENCES c NOT VALID;",
		"OKValidated":      "ALTER TABLE a VALIDATE CONSTRAINT x;",
		"OKUsingIndex":     "ALTER TABLE a ADD CONSTRAINT a_pkey PRIMARY KEY USING INDEX a_id;",
		"OKRowsAlone":      "UPDATE a SET b = 1 WHERE b IS NULL;",
		"OKContract":       "-- contract: 00031 moved what it held; read by nothing since.\nALTER TABLE a DROP COLUMN b;",
		"ErrIndex":         "CREATE INDEX a_id ON a (id);",
		"ErrLeftovers":     "-- +goose NO TRANSACTION\nSET lock_timeout = 0;\nCREATE INDEX CONCURRENTLY a_id ON a (id);",
		"ErrInTransaction": "SET lock_timeout = 0;\nDROP INDEX CONCURRENTLY IF EXISTS a_id;\nCREATE INDEX CONCURRENTLY a_id ON a (id);",
		"ErrNoTransaction": "-- +goose NO TRANSACTION\nALTER TABLE a ADD COLUMN b text;",
		"ErrMore": "-- +goose NO TRANSACTION\nSET lock_timeout = 0;\nDROP INDEX CONCURRENTLY IF EXISTS a_id;\nCREATE INDEX " +
			"CONCURRENTLY a_id ON a (id);\nALTER TABLE a ADD COLUMN b text;",
		"ErrShortWait":         "-- +goose NO TRANSACTION\nDROP INDEX CONCURRENTLY IF EXISTS a_id;\nCREATE INDEX CONCURRENTLY a_id ON a (id);",
		"ErrRowsUnderLock":     "ALTER TABLE a ADD COLUMN b text; UPDATE a SET b = 'x';",
		"ErrForeignKey":        "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c;",
		"ErrCheck":             "ALTER TABLE a ADD CONSTRAINT x CHECK (b > 0);",
		"ErrUnique":            "ALTER TABLE a ADD UNIQUE (b);",
		"ErrNotNull":           "ALTER TABLE a ALTER COLUMN b SET NOT NULL;",
		"ErrType":              "ALTER TABLE a ALTER COLUMN b TYPE bigint;",
		"ErrColumnUnfilled":    "ALTER TABLE a ADD COLUMN b text NOT NULL;",
		"ErrDropped":           "ALTER TABLE a DROP COLUMN b;",
		"ErrRenamed":           "ALTER TABLE a RENAME COLUMN b TO c;",
		"ErrContractOfNothing": "-- contract:\nDROP TABLE a;",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			faults := faultsOf("-- +goose Up\n" + file + "\n-- +goose Down\nDROP TABLE x;")
			if strings.HasPrefix(what, "OK") {
				require.Empty(t, faults)
			} else {
				require.Len(t, faults, 1, "%v", faults)
			}
		})
	}
}
