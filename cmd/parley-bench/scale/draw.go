package scale

import (
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/cmd/parley-bench/scale/scaledb"
)

const (
	// groupTurns limits the size of a group of conversations, which is one transaction.
	groupTurns = 10_000
	// years is how long ago the oldest conversation began.
	years = 2
	// longestShare is the share of all turns that the longest conversation has:
	// 10,000 of 2,000,000 messages.
	longestShare = 200
)

// random returns the random generator of one kind of object: the values for one kind do not
// depend on those for another.
func (f *filler) random(noun string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(noun))                    // never fails
	return rand.New(rand.NewPCG(f.Seed, h.Sum64())) //nolint:gosec // the rows must be reproducible
}

// owners draws an owner for each of n rows: of 1,000 people, the first owns an eighth of all
// rows and the one in the middle a two-thousandth.
func (f *filler) owners(noun string, n int) []int64 {
	d := f.random(noun)
	list := make([]int64, n)
	for i := range list {
		list[i] = f.owner(d)
	}
	return list
}

func (f *filler) owner(d *rand.Rand) int64 {
	return f.people[int(float64(len(f.people))*math.Pow(d.Float64(), 10.0/3))]
}

// turns distributes the turns, half as many as messages, over the conversations: one is very
// long, most have a few, some have none yet.
func (f *filler) turns() []int32 {
	d := f.random("turns")
	total := f.Messages / 2
	longest := max(total/longestShare, 1)
	weights := make([]float64, f.Conversations)
	sum := 0.0
	for i := range weights[1:] {
		weights[i+1] = math.Min(math.Pow(1-d.Float64(), -0.6), 40)
		sum += weights[i+1]
	}
	turns := make([]int32, f.Conversations)
	turns[0] = int32(longest) //nolint:gosec // millions at most
	before, share := 0, 0.0
	for i := 1; i < len(turns); i++ {
		share += weights[i] / sum
		until := int(math.Round(share * float64(total-longest)))
		turns[i], before = int32(until-before), until //nolint:gosec // millions at most
	}
	return turns
}

// groups draws all conversations, in groups. Each group is inserted in one transaction.
func (f *filler) groups() []*scaledb.ConversationsInsertParams {
	if f.Conversations == 0 {
		return nil
	}
	var (
		d     = f.random("conversation")
		turns = f.turns()
		list  []*scaledb.ConversationsInsertParams
		g     *scaledb.ConversationsInsertParams
		size  = math.MaxInt
	)
	for i := range f.Conversations {
		if size >= groupTurns || len(g.Ids) >= 2000 {
			g, size = new(scaledb.ConversationsInsertParams), 0
			list = append(list, g)
		}
		f.add(d, g, i, turns[i])
		size += int(turns[i])
	}
	return list
}

// add draws one conversation.
func (f *filler) add(d *rand.Rand, g *scaledb.ConversationsInsertParams, i int, turns int32) {
	about := topics()
	age := years * 365 * 24 * time.Hour
	if i > 0 { // the longest conversation is also the oldest
		u := d.Float64()
		age = time.Duration(u * u * float64(age))
	}
	age += time.Hour
	start := f.day.Add(-age).Truncate(time.Millisecond)
	// A turn follows the previous one after some minutes, and all have ended before f.day.
	gap := math.Min(30+d.Float64()*600, (age-time.Minute).Seconds()/float64(turns+1))
	owner := f.owner(d)
	g.Ids = append(g.Ids, conversationID(sha256.Sum256(fmt.Appendf(nil, "%d/%d/%d/%d", f.Seed, f.Conversations, f.Messages, i)), start))
	g.Owners = append(g.Owners, owner)
	g.Names = append(g.Names, fmt.Sprintf("%s in week %d", about[d.IntN(len(about))], 1+i%52))
	g.Turns, g.Starts, g.Gaps = append(g.Turns, turns), append(g.Starts, start), append(g.Gaps, gap)
	var label, source, reader, team int64
	if d.IntN(10) < 3 {
		label = f.labels[d.IntN(len(f.labels))]
	}
	if d.IntN(10) < 6 {
		source = f.sources[d.IntN(len(f.sources))]
	}
	switch n := d.IntN(100); {
	case n < 5:
		if other := f.people[d.IntN(len(f.people))]; other != owner {
			reader = other
		}
	case n < 6:
		team = f.teams[d.IntN(len(f.teams))]
	}
	mark := int32(0)
	switch n := d.IntN(100); {
	case n < 8:
		mark = 1 // archived
	case n < 11:
		mark = 2 // favourite
	case n < 15:
		mark = 3 // unread
	}
	g.LabelIds, g.SourceIds = append(g.LabelIds, label), append(g.SourceIds, source)
	g.Readers, g.ReaderTeams, g.Marks = append(g.Readers, reader), append(g.ReaderTeams, team), append(g.Marks, mark)
}

func topics() []string {
	return strings.Fields("Sales Churn Returns Stock Support Prices Margins Campaigns Invoices Deliveries Forecast Renewals")
}

func names() (first, last []string) {
	first = strings.Fields("Ada Ben Carla Dan Eva Felix Gita Hugo Ida Jan Kira Leo Mia Nils Olga Paul Quinn Rosa Sam Tara Uli Vera " +
		"Wim Xenia Yara Zeno")
	last = strings.Fields("Abel Berg Conti Diaz Ek Fuchs Garcia Haas Ito Jansen Kaya Lopez Meyer Novak Okafor Peters Quist Rossi Silva " +
		"Tanaka Ueda Vogel Weiss Xu Young Zimmer Adler Brandt Cruz Dorn Ebert Frank Graf Huber Iversen Jung Krause Lang Moreau")
	return first, last
}

// prompts and answers return texts that SQL puts into JSON without escaping, so they must
// not contain quotation marks, backslashes or line breaks.
func prompts() []string {
	return []string{
		"How did revenue develop over the last twelve months?",
		"Which customers have bought less than in the quarter before?",
		"Show the ten products with the most returns as a chart.",
		"What is the median time from order to delivery by country?",
		"Compare this month with the same month a year ago.",
		"Which campaigns have brought customers that stayed?",
		"List all open invoices above 10,000 by age.",
	}
}

func answers() []string {
	return []string{
		"Revenue grew by four percent against the month before, and France has the largest share of it. ",
		"Three regions stand behind most of the change, the others stay within a percent of the year before. ",
		"Of all orders nine in ten arrive within two days, and the rest wait for one supplier in the north. ",
		"The table shows the ten largest values, which together make up two thirds of the sum. ",
		"There is no clear trend over the year, but the last quarter is above the average of all before. ",
	}
}

// conversationID returns a UUID of version 7 with the time, and the rest from the hash.
func conversationID(hash [32]byte, at time.Time) uuid.UUID {
	id := uuid.UUID(hash[:16])
	ms := at.UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (8 * (5 - i))) //nolint:gosec // only the low byte is needed
	}
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id
}
