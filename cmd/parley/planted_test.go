package main

// The checker of the faults is tested with bugs that are planted on purpose. A bug is a change of
// the text of one or two source files, in a build of its own (go build -overlay): the product has no
// switch for it, and nothing in its sources knows of it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// edit replaces a text that a source file has exactly once.
type edit struct{ file, old, new string }

// plant is a bug with the fault under which it shows.
type plant struct {
	name   string
	faults string // a pattern of their names
	// found is a pattern of the finding that is expected: another one may have another cause.
	found string
	edits []edit
}

// plants are all of them.
func plants() []plant {
	const (
		journal, batch = "persistence/journal_commit.go", "actors/conversation/ledger/batch.go"
		journalSQL     = "persistence/internal/dbsqlc/journal.sql.go"
		encoded        = "EncodeEvent(string(e.Event.Type), stream, e.Seq, e.Epoch, e.Generation, e.Event.At, e.Event.Data)"
		isOwner        = "return row.Activation.Valid && row.Epoch == f.Epoch && row.Activation.UUID == f.Activation"
		ownersText     = "WHERE ((k.id, k.epoch, k.activation) IN (SELECT l.id, l.epoch, l.activation FROM locked l)) IS TRUE"
	)
	return []plant{
		{"fence off", "^F13", "I[3-8] ", []edit{
			{journal, isOwner, "return row.Activation.Valid || f.Epoch > 0"},
			{journalSQL, ownersText, "WHERE true"},
			{"persistence/journal_text.go", "case fence != e.write.Fence:", "case fence.Epoch < 0:"},
		}},
		{"the activation's id is not compared", "^F21 a takeover", "I[3-8] ", []edit{
			{journal, isOwner, "return row.Activation.Valid && row.Epoch == f.Epoch"},
			{journalSQL, ownersText, "WHERE (k.id, k.epoch) IN (SELECT l.id, l.epoch FROM locked l)"},
			{"persistence/journal_text.go", "case fence != e.write.Fence:", "case fence.Epoch != e.write.Fence.Epoch:"},
		}},
		{"push before commit", "^F22", "I5 ", []edit{
			{batch, "\ts.out(s.submission(b))\n", "\ts.out(Publish{Publication: s.publication(b)})\n\ts.out(s.submission(b))\n"},
			{batch, "t != nil && t.ending == \"\" && len(s.queue) == 0 && b.plain", "t != nil && t.ending == \"never\" && b.plain"},
			{
				"actors/conversation/ledger/commit.go", "\tif len(p.Entries) > 0 {\n\t\ts.out(Publish{Publication: p})\n\t}\n", "",
			},
		}},
		{"client key not unique", "^F40", "I[16] ", []edit{
			{"actors/conversation/ledger/send.go", "\tif s.repeated(in) {", "\tif in.Prompt.Text == \"\" && s.repeated(in) {"},
			{"actors/conversation/ledger/send.go", "\t\tID: p.Message, ConversationID", "\t\tID: domain.NewID(), ConversationID"},
		}},
		{"seq restarted per turn", "^no fault, for", "I1[3] ", []edit{
			{batch, "\tb.first = s.next\n", "\tif w.TurnStart != nil {\n\t\ts.next = 1\n\t}\n\tw.NextSeq, b.first = s.next, s.next\n"},
		}},
		{"subscribe without buffering", "^F03", "I5 ", []edit{
			{
				"actors/connection/read.go", "\t\t\t\ta.deliver(ctx, s, p)\n",
				"\t\t\t\tfor i := range p.Entries {\n\t\t\t\t\ts.place.advance(&p.Entries[i])\n\t\t\t\t}\n",
			},
		}},
		{"stop without barrier", "^F22", "I(?:6|1[3]) ", []edit{
			{
				"actors/conversation/ledger/stop.go", "\t\tt.stops = append(t.stops, in.To)\n",
				"\t\ts.answer(in.To, domain.StopResult{Stopped: true})\n",
			},
		}},
		{"rewind without generation", "^no fault, for", "I6 ", []edit{
			{"actors/conversation/ledger/rewind.go", "\ts.generation++\n", ""},
		}},
		{"revoke without closing the subscription", "^F50", "I9 ", []edit{
			{"actors/conversation/access.go", "func(r *reader) bool { return !r.owns })", "func(r *reader) bool { return r == nil })"},
		}},
		{"a due time is taken twice", "^F49", "I1[0] ", []edit{
			{
				"persistence/internal/dbsqlc/task_fire.sql.go", "UPDATE scheduled_task SET next_due_at = $1\n",
				"UPDATE scheduled_task SET next_due_at = CASE WHEN random() < 0.5 THEN next_due_at + interval '1 us' ELSE $1 END\n",
			},
		}},
		// The sum of what is counted is right, and it is not what the model has said.
		{"the tokens of an answer are counted twice", "^no fault, for", "I1[1] ", []edit{
			{
				"analyst/run.go", "\t\tInputTokens: u.InputTokens, OutputTokens: u.OutputTokens,\n\t\tCredits: r.cfg.credits(r.provider.Name(), " +
					"r.model(), u),\n",
				"\t\tInputTokens: u.InputTokens, OutputTokens: 2 * u.OutputTokens,\n\t\tCredits: 2 * r.cfg.credits(r.provider.Name(), " +
					"r.model(), u),\n",
			},
		}},
		{"sweeper off", "^F01", "F01 .* no owner that lives", []edit{
			{"actors/node/sweeper/sweeper.go", "\t\torphans, err = s.c.Store.Orphans(c, limit)", "\t\t_, err = s.c.Store.Orphans(c, limit)"},
		}},
		// Each process encodes the events of all conversations in one buffer.
		{"memory of a publication used again", "^no fault, 18", "I(?:5|12) ", []edit{
			{
				"actors/protocol/local.go", "\t\te.JSON = " + encoded + "\n",
				"\t\tplanted = append(planted[:0], " + encoded + "...)\n\t\te.JSON = planted\n",
			},
			{"actors/protocol/local.go", "func (e *Entry) Encode(", "var planted = make([]byte, 0, 1<<20)\n\nfunc (e *Entry) Encode("},
		}},
		// A leave takes a slower way than the join after it, and says nothing of which join it ends.
		{"a leave and a join overtake each other", "^no fault, quick", "I5 ", []edit{
			{
				"actors/connection/subscription.go",
				"\tctx.Send(s.owner, &protocol.Unsubscribe{Target: a.target(ctx), Ticket: s.ticket})\n",
				"\troot, owner, leave := ctx.ActorSystem().Root, s.owner, &protocol.Unsubscribe{Target: a.target(ctx), Ticket: s.ticket}\n" +
					"\ta.c.Clock.AfterFunc(50*time.Millisecond, func() { root.Send(owner, leave) })\n",
			},
			{"internal/audience/audience.go", "\tif l.asked <= ticket {", "\tif ticket = max(ticket, l.Latest()); l.asked <= ticket {"},
		}},
		// The numbers of processes begin again with each of them, so an actor finds what another one has
		// written; a snapshot's place in its log is not compared either.
		{"a snapshot under the id of its process", "^F03", "I1[3] ", []edit{
			{
				"persistence/internal/dbsqlc/conversation_owner.sql.go",
				"SELECT conversation_id, seq, epoch, schema_version, checksum, body FROM conversation_snapshot\n" +
					" WHERE conversation_id = ANY($1::uuid[]) AND seq > 0\n",
				"SELECT k.id, s.seq, s.epoch, s.schema_version, s.checksum, s.body FROM unnest($1::uuid[]) AS k(id), LATERAL (\n" +
					"SELECT * FROM conversation_snapshot o WHERE o.seq > 0 AND o.conversation_id <> k.id ORDER BY random() LIMIT 1) s\n",
			},
			{
				"actors/conversation/ledger/snapshot.go", "\t\tsnap.Seq != s.head || snap.Epoch >= s.fence.Epoch ||\n", "",
			},
		}},
	}
}

// root is the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return dir
}

// overlay writes the changed files and the list of them that go build reads.
func (p *plant) overlay(t *testing.T, dir string) string {
	t.Helper()
	texts := map[string]string{}
	for _, e := range p.edits {
		path := filepath.Join(root(t), filepath.FromSlash(e.file))
		if _, ok := texts[path]; !ok {
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			texts[path] = string(b)
		}
		require.Equal(t, 1, strings.Count(texts[path], e.old), "%s: %s must have once: %s", p.name, e.file, e.old)
		texts[path] = strings.Replace(texts[path], e.old, e.new, 1)
	}
	replace := map[string]string{}
	for path, text := range texts {
		changed := filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		require.NoError(t, os.WriteFile(changed, []byte(text), 0o600))
		replace[path] = changed
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	path := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(path, list, 0o600))
	return path
}

// build builds this program with the changes.
func (p *plant) build(t *testing.T, dir string) (binary string) {
	t.Helper()
	binary = filepath.Join(dir, "planted.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", p.overlay(t, dir), "-o", binary, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s: %s", p.name, out)
	return binary
}

// TestPlants checks that each bug can still be planted, and that it names faults that exist.
func TestPlants(t *testing.T) {
	t.Parallel()
	for _, p := range plants() {
		p.overlay(t, t.TempDir())
		pattern := regexp.MustCompile(p.faults)
		require.True(t, slices.ContainsFunc(faults(), func(f *fault) bool { return pattern.MatchString(f.name) }), p.name)
	}
}

// TestPlanted builds the processes with each bug, and counts the runs until the checker finds it.
// PARLEY_TEST_PLANTED is how many runs there are at most, and PARLEY_TEST_PLANTS a pattern of names
// (make chaos).
//
//nolint:paralleltest // it uses the whole machine
func TestPlanted(t *testing.T) {
	most := setting(t, "PARLEY_TEST_PLANTED", 0)
	if most == 0 {
		t.Skip("make chaos plants bugs")
	}
	only := regexp.MustCompile(os.Getenv("PARLEY_TEST_PLANTS"))
	seed := setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000))
	judged := regexp.MustCompile(`(?m)^\s+((?:I\d+|F\d+|no fault) .*)$`)
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-40s %10s  %s\n", "planted", "caught in", "first finding")
	for _, p := range plants() {
		if !only.MatchString(p.name) {
			continue
		}
		dir := t.TempDir()
		binary := p.build(t, dir)
		caught, finding := 0, ""
		for n := 1; n <= most && caught == 0; n++ {
			cmd := exec.CommandContext(t.Context(), binary, "-test.run=^TestFaults$", "-test.v", "-test.timeout=5m")
			cmd.Env = append(os.Environ(), "PARLEY_TEST_FAULT_RUNS=1", "PARLEY_TEST_PLANTED=0", "PARLEY_TEST_FAULTS="+p.faults,
				"PARLEY_TEST_SEED="+strconv.Itoa(seed+n), "TMPDIR="+dir)
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			failed := cmd.Run()
			expected := regexp.MustCompile("^" + p.found)
			for _, found := range judged.FindAllStringSubmatch(said.String(), -1) {
				if failed != nil && caught == 0 && expected.MatchString(found[1]) {
					caught, finding = n, found[1]
				}
			}
			if failed != nil && caught == 0 {
				t.Logf("%s: run %d ended with another finding: %v\n%s", p.name, n, failed, said.String())
			}
		}
		line := fmt.Sprintf("%-40s %6d/%-3d  %.140s\n", p.name, caught, most, finding)
		table.WriteString(line)
		t.Log(line)
		if caught == 0 {
			t.Errorf("%s was not found in %d runs", p.name, most)
		}
	}
	t.Log(table.String())
}
