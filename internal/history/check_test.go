package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

const second = int64(time.Second)

// numbered makes ids that are the same in each run.
func numbered(n byte) uuid.UUID {
	var id uuid.UUID
	for i := range id {
		id[i] = n
	}
	return id
}

// run is a good history, which each case spoils.
type run struct {
	talk, first, second, turn, answer uuid.UUID
	ops                               []*Op
	places                            []*Place
	frames                            []*Frame
	claims                            []*Claim
	samples                           []*Sample
	calls                             []*Call
	stored                            StoredConversation
	tasks                             []StoredTask
}

func data(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// good is one conversation: a prompt, its answer in two pieces, a read, a stop, a second prompt that
// a rewind removes, a revoke.
func good() *run {
	r := &run{talk: numbered(1), first: numbered(2), second: numbered(3), turn: numbered(4), answer: numbered(5)}
	later := numbered(6) // the second turn
	op := func(kind Kind, from, to int64, message uuid.UUID, result Result) *Op {
		o := &Op{
			Client: "anna-1", Person: "anna", Org: "acme", Kind: kind, Conversation: r.talk, Message: message, Invoke: from * 1e8,
			Return: to * 1e8, Outcome: OK, Result: result,
		}
		r.ops = append(r.ops, o)
		return o
	}
	op(Send, 10, 20, r.first, Result{Seq: 1})
	op(Read, 21, 22, uuid.Nil, Result{Head: 3, Generation: 1, Running: true, Prompts: []uuid.UUID{r.first}})
	op(Stop, 23, 24, uuid.Nil, Result{})
	op(Read, 25, 26, uuid.Nil, Result{Head: 4, Generation: 1, Prompts: []uuid.UUID{r.first}})
	op(Send, 30, 31, r.second, Result{Seq: 5})
	op(Rewind, 40, 41, r.second, Result{Head: 7, Generation: 2})
	op(Revoke, 50, 51, uuid.Nil, Result{Head: 7}).With = "ben"
	op(Send, 60, 61, numbered(7), Result{Seq: 8}).Healed = true

	frame := func(client, person string, at, seq int64, kind string, v any) *Frame {
		f := &Frame{Client: client, Person: person, Org: "acme", At: at * 1e8, Wire: Wire{
			Type: kind, Stream: r.talk.String(), Seq: seq, Epoch: 1, Generation: 1,
		}}
		if v != nil {
			f.Data = data(v)
		}
		r.frames = append(r.frames, f)
		return f
	}
	r.places = []*Place{{Client: "anna-r", Conversation: r.talk, Fetched: Conversation{Generation: 1}}}
	frame("anna-r", "anna", 20, 1, "message.created", Message{ID: r.first, Role: "user", Text: "a prompt", Status: "complete"})
	frame("anna-r", "anna", 20, 2, "message.created", Message{ID: r.answer, Role: "assistant", Status: "streaming"})
	for i, text := range []string{"Good ", "morning"} {
		f := frame("anna-r", "anna", 20, 0, "message.delta", nil)
		f.Message, f.Text, f.Offset = r.answer.String(), text, int64(5*i)
	}
	frame("anna-r", "anna", 22, 3, "message.updated", map[string]any{"id": r.answer, "status": "complete", "length": 12})
	frame("anna-r", "anna", 23, 4, "conversation.streaming-complete", map[string]any{"turnId": r.turn})
	frame("anna-r", "anna", 30, 5, "message.created", Message{ID: r.second, Role: "user", Text: "another", Status: "complete"})
	frame("anna-r", "anna", 40, 6, "conversation.streaming-complete", map[string]any{"turnId": later})
	frame("anna-r", "anna", 40, 7, "conversation.rewound", map[string]any{"fromSeq": 5, "generation": 2}).Generation = 2
	frame("anna-r", "anna", 60, 8, "message.created",
		Message{ID: numbered(7), Role: "user", Text: "a third", Status: "complete"}).Generation = 2
	frame("anna-r", "anna", 61, 9, "conversation.streaming-complete", map[string]any{"turnId": numbered(8)}).Generation = 2
	frame("ben-r", "ben", 51, 0, "denied", nil)

	r.claims = []*Claim{{r.talk, 1, numbered(9)}, {r.talk, 1, numbered(9)}, {r.talk, 2, numbered(10)}}
	r.samples = []*Sample{
		{Node: "one", Baseline: true, Goroutines: 100, Files: 50, Sockets: 30, Children: 2, Temporary: 4, Resident: 100 << 20},
		{Node: "one", Goroutines: 110, Files: 60, Sockets: 40, Clients: 1, Children: 2, Temporary: 4, Resident: 200 << 20},
		{Baseline: true},
		{},
	}
	// The last one was stopped, and its node could not count it.
	r.calls = []*Call{{r.turn, 1, 200, 200, false}, {r.turn, 2, 400, 400, false}, {later, 1, 200, 10, true}}
	r.stored = StoredConversation{
		ID: r.talk, Generation: 2, Credits: 3,
		Messages: []StoredMessage{
			{ID: r.first, Key: r.first, Role: "user", Text: "a prompt"},
			{ID: r.answer, Role: "assistant", Text: "Good morning", Turn: r.turn, Want: "Good morning"},
			{ID: r.second, Key: r.second, Role: "user", Text: "another", Cut: true},
			{ID: numbered(7), Key: numbered(7), Role: "user", Text: "a third"},
		},
		Turns: []StoredTurn{
			{r.turn, "complete", 1, 22 * 1e8}, {later, "stopped", 1, 40 * 1e8}, {numbered(8), "stopped", 1, 61 * 1e8},
		},
		Usage: []StoredUsage{{r.turn, 1, 1, 200, 200, 1}, {r.turn, 2, 1, 400, 400, 2}},
	}
	for i, turn := range []uuid.UUID{{}, {}, {}, r.turn, {}, later, {}, {}, numbered(8)} {
		e := StoredEvent{Seq: int64(i + 1), Epoch: 1, Type: "message.created", Turn: turn}
		if turn != uuid.Nil {
			e.Type = "conversation.streaming-complete"
		}
		r.stored.Events = append(r.stored.Events, e)
	}
	r.tasks = []StoredTask{{ID: numbered(11), Due: 10 * second, Runs: []int64{12 * second}}}
	return r
}

func (r *run) history() *History {
	rec := &Recorder{}
	for _, o := range r.ops {
		rec.Add(Line{Op: o})
	}
	for _, p := range r.places {
		rec.Add(Line{Place: p})
	}
	for _, f := range r.frames {
		rec.Add(Line{Frame: f})
	}
	for _, c := range r.claims {
		rec.Add(Line{Claim: c})
	}
	for _, s := range r.samples {
		rec.Add(Line{Sample: s})
	}
	for _, c := range r.calls {
		rec.Add(Line{Call: c})
	}
	rec.Add(Line{Mark: &Mark{At: 45 * 1e8, Healed: true}})
	rec.Add(Line{Final: &Final{Client: "anna-r", Conversation: r.talk}})
	rec.Add(Line{Stored: &Stored{Conversations: []StoredConversation{r.stored}, Tasks: r.tasks, InputPrice: 1, OutputPrice: 4}})
	return rec.History()
}

func TestCheck_Good(t *testing.T) {
	t.Parallel()
	h := good().history()
	require.Empty(t, Check(h, Standard()).Violations)

	var b bytes.Buffer
	require.NoError(t, h.Write(&b))
	again, err := ReadHistory(&b)
	require.NoError(t, err)
	require.Equal(t, h, again)
	require.Empty(t, Check(again, Standard()).Violations)
	_, err = ReadHistory(bytes.NewBufferString("{\"op\":1}\n"))
	require.ErrorContains(t, err, "line 1")
}

// TestCheck_Bad spoils the good history. Each case must be found, under the number of its invariant.
func TestCheck_Bad(t *testing.T) {
	t.Parallel()
	for _, bad := range []struct {
		invariant int
		name      string
		spoil     func(r *run)
	}{
		{1, "AcknowledgedAndNotStored", func(r *run) { r.stored.Messages = r.stored.Messages[:3] }},
		{1, "StoredTwice", func(r *run) {
			r.stored.Messages = append(r.stored.Messages, StoredMessage{ID: numbered(20), Key: r.first, Role: "user", Text: "a prompt"})
		}},
		{1, "RemovedWithoutARewind", func(r *run) {
			r.ops[5].Outcome = Failed
		}},
		{1, "DeletedByNobody", func(r *run) { r.stored.Deleted = true }},
		{2, "SentByNobody", func(r *run) {
			r.stored.Messages = append(r.stored.Messages, StoredMessage{ID: numbered(20), Key: numbered(20), Role: "user"})
		}},
		{2, "RefusedAndStored", func(r *run) { r.ops[0].Outcome = Failed }},
		{3, "AGap", func(r *run) { r.stored.Events[4].Seq++ }},
		{3, "BeginsAgain", func(r *run) { r.stored.Events[4].Seq = 1 }},
		{4, "TheEpochFalls", func(r *run) { r.stored.Events[2].Epoch = 2 }},
		{4, "TwoActivations", func(r *run) { r.claims[1].Activation = numbered(12) }},
		{5, "AnEventIsMissing", func(r *run) { r.frames = append(r.frames[:6:6], r.frames[7:]...) }},
		{5, "APieceIsMissing", func(r *run) { r.frames = append(r.frames[:2:2], r.frames[3:]...) }},
		{5, "TheLastPieceIsMissing", func(r *run) { r.frames = append(r.frames[:3:3], r.frames[4:]...) }},
		{5, "OtherText", func(r *run) { r.frames[3].Text = "evening" }},
		{5, "ShownTextChanges", func(r *run) { r.frames[3].Offset, r.frames[3].Text = 0, "Grand morning" }},
		{5, "ShownAndLost", func(r *run) {
			r.places = append(r.places, r.places[0])
			r.stored.Messages[1].Text = "Good"
		}},
		{5, "NotAllHasCome", func(r *run) { r.frames = append(r.frames[:10:10], r.frames[11:]...) }},
		{5, "CreatedTwice", func(r *run) { r.frames[1].Data = r.frames[0].Data }},
		{5, "EndsTwice", func(r *run) { r.frames[5] = &Frame{Client: "anna-r", Wire: r.frames[4].Wire}; r.frames[5].Seq = 4 }},
		{5, "NotTheModelsText", func(r *run) { r.stored.Messages[1].Want = "Good evening" }},
		{5, "NotAllOfTheModelsText", func(r *run) { r.stored.Messages[1].Want = "Good morning, Anna" }},
		{6, "ARunningTurnAfterItsStop", func(r *run) { r.ops[3].Result.Running = true }},
		{6, "AnOldGeneration", func(r *run) { r.ops[5].Result.Generation = 1 }},
		{6, "TheHeadFalls", func(r *run) { r.ops[3].Result.Head = 2 }},
		{6, "APromptAtAnEarlierPosition", func(r *run) { r.ops[4].Result.Seq = 1 }},
		{6, "AnotherOrder", func(r *run) {
			r.ops = append(r.ops, &Op{
				Kind: Read, Conversation: r.talk, Invoke: 70 * 1e8, Return: 71 * 1e8, Outcome: OK,
				Result: Result{Head: 9, Generation: 2, Prompts: []uuid.UUID{numbered(7), r.first}},
			})
		}},
		{7, "NoEnd", func(r *run) { r.stored.Turns[0].Status, r.stored.Turns[0].Ended = "running", 0 }},
		{7, "TwoEnds", func(r *run) { r.stored.Turns[0].Ends = 2 }},
		{7, "ToldTwice", func(r *run) { r.stored.Events[7].Type, r.stored.Events[7].Turn = r.stored.Events[3].Type, r.turn }},
		{7, "TooLate", func(r *run) { r.stored.Turns[0].Ended = 120 * second }},
		{8, "NotSeen", func(r *run) { r.ops[1].Result.Prompts = nil }},
		{9, "AnEventAfterTheRevoke", func(r *run) {
			r.frames = append(r.frames, &Frame{Client: "ben-r", Person: "ben", At: 61 * 1e8, Wire: Wire{
				Type: "message.created", Stream: r.talk.String(), Seq: 8, Epoch: 1,
			}})
		}},
		{9, "TextLongAfterTheRevoke", func(r *run) {
			r.frames = append(r.frames, &Frame{Client: "ben-r", Person: "ben", At: 110 * 1e8, Wire: Wire{
				Type: "message.delta", Stream: r.talk.String(), Message: r.answer.String(),
			}})
		}},
		{10, "TwoRuns", func(r *run) { r.tasks[0].Runs = append(r.tasks[0].Runs, 13*second) }},
		{10, "NoRun", func(r *run) { r.tasks[0].Runs = nil }},
		{10, "Early", func(r *run) { r.tasks[0].Runs[0] = 9 * second }},
		{10, "Late", func(r *run) { r.tasks[0].Runs[0] = 26 * second }},
		{11, "CountedTwice", func(r *run) {
			r.stored.Usage = append(r.stored.Usage, r.stored.Usage[0])
			r.stored.Credits = 4
		}},
		{11, "AnotherSum", func(r *run) { r.stored.Credits = 4 }},
		{11, "OtherTokensThanTheModels", func(r *run) { r.calls[1].Output = 399 }},
		{11, "ACallThatTheModelNeverSaw", func(r *run) { r.calls = r.calls[:1] }},
		{11, "OneCallForTwoAttempts", func(r *run) {
			r.stored.Usage = append(r.stored.Usage, StoredUsage{r.turn, 2, 2, 400, 400, 2})
			r.stored.Credits = 5
		}},
		{11, "ACallOfACompleteTurnIsNotCounted", func(r *run) {
			r.stored.Usage, r.stored.Credits = r.stored.Usage[:1], 1
		}},
		{11, "AnotherPrice", func(r *run) { r.stored.Usage[0].Credits, r.stored.Credits = 2, 4 }},
		{11, "NothingRecorded", func(r *run) { r.calls = nil }},
		{11, "NotCounted", func(r *run) { r.stored.Usage, r.stored.Credits = nil, 0 }},
		{12, "AFrameOfAnotherOrganization", func(r *run) { r.frames[0].Foreign = []string{"canary"} }},
		{12, "AReadOfAnotherOrganization", func(r *run) { r.ops[1].Result.Foreign = []string{"canary"} }},
		{12, "DeletedReturns", func(r *run) {
			r.stored.Deleted = true
			r.ops = append(r.ops[:4:4], &Op{
				Kind: Delete, Conversation: r.talk, Invoke: 27 * 1e8, Return: 28 * 1e8, Outcome: OK,
			}, r.ops[4])
		}},
		{12, "FramesOfADeletedOne", func(r *run) {
			r.ops = append(r.ops, &Op{
				Kind: Delete, Conversation: r.talk, Invoke: 70 * 1e8, Return: 71 * 1e8, Outcome: OK,
			})
			r.frames = append(r.frames, &Frame{Client: "x", At: 125 * 1e8, Wire: Wire{Type: "message.delta", Stream: r.talk.String()}})
		}},
		{13, "NotTaken", func(r *run) { r.ops[7].Outcome = Unknown }},
		{13, "TakenLate", func(r *run) { r.ops[7].Return = 170 * 1e8 }},
		{14, "Goroutines", func(r *run) { r.samples[1].Goroutines = 300 }},
		{14, "Sockets", func(r *run) { r.samples[1].Sockets = 91 }},
		{14, "SocketsOfPeople", func(r *run) { r.samples[1].Clients = 3 }},
		{14, "Children", func(r *run) { r.samples[1].Children = 3 }},
		{14, "ChildrenOfNobody", func(r *run) { r.samples[3].Children = 1 }},
		{14, "TemporaryFiles", func(r *run) { r.samples[1].Temporary = 5 }},
		{14, "Files", func(r *run) { r.samples[1].Files = 200 }},
		{14, "Memory", func(r *run) { r.samples[1].Resident = 1 << 30 }},
	} {
		t.Run(fmt.Sprintf("Invariant%d_%s", bad.invariant, bad.name), func(t *testing.T) {
			t.Parallel()
			r := good()
			bad.spoil(r)
			found := Check(r.history(), Standard()).Violations
			for _, v := range found {
				if v.Invariant == fmt.Sprintf("I%d", bad.invariant) {
					return
				}
			}
			t.Fatalf("not found: %v", found)
		})
	}
}

// TestCheck_Unknown: calls without an answer may have taken effect, or not.
func TestCheck_Unknown(t *testing.T) {
	t.Parallel()
	// The second prompt and the rewind had no answer, and both took effect.
	r := good()
	r.ops[4].Outcome, r.ops[4].Result = Unknown, Result{}
	r.ops[5].Outcome, r.ops[5].Result = Unknown, Result{}
	require.Empty(t, Check(r.history(), Standard()).Violations)

	// The rewind was repeated after another one, whose generation its last answer tells.
	r = good()
	r.ops[5].Repeated, r.ops[5].Result.Generation, r.ops[5].Result.Head = true, 3, 99
	require.Empty(t, Check(r.history(), Standard()).Violations)

	// A prompt had no answer and is not stored; a deletion had none and did nothing.
	r = good()
	r.ops = append(r.ops,
		&Op{Kind: Send, Conversation: r.talk, Message: numbered(30), Invoke: 70 * 1e8, Return: 71 * 1e8, Outcome: Unknown},
		&Op{Kind: Delete, Conversation: r.talk, Invoke: 72 * 1e8, Return: 73 * 1e8, Outcome: Unknown},
		&Op{Kind: Read, Conversation: r.talk, Invoke: 74 * 1e8, Return: 75 * 1e8, Outcome: OK, Result: Result{
			Head: 9, Generation: 2, Prompts: []uuid.UUID{r.first, numbered(7)},
		}})
	require.Empty(t, Check(r.history(), Standard()).Violations)
}

func TestView_Cursor(t *testing.T) {
	t.Parallel()
	talk, answer := numbered(1), numbered(2)
	v := NewView(talk)
	require.Equal(t, map[string]any{"seq": int64(0)}, v.Cursor())
	require.NoError(t, v.Begin(&Conversation{Head: 4, Generation: 2, Messages: []Message{
		{ID: answer, Role: "assistant", Text: "Good", Status: "streaming"},
	}}))
	require.Equal(t, map[string]any{"seq": int64(4), "generation": int64(2), "message": answer, "offset": 4}, v.Cursor())

	for frame, want := range map[string]Next{"reset": Fetch, "denied": Leave, "conversation.deleted": Leave, "keep-alive": GoOn} {
		next, err := NewView(talk).Apply(&Wire{Type: frame})
		require.NoError(t, err)
		require.Equal(t, want, next, frame)
	}
	next, err := v.Apply(&Wire{Type: "subscribed", Seq: 9})
	require.Error(t, err)
	require.Equal(t, Subscribe, next)

	require.ErrorContains(t, v.Begin(&Conversation{Head: 5, Generation: 2}), "not stored")
	require.NoError(t, v.Begin(&Conversation{Head: 5, Generation: 2}), "nothing was shown since")
}
