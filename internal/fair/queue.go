// Package fair divides a fixed number of slots between organisations, and inside each one between its
// people, so that one that asks for very much does not make the others wait.
package fair

import "parley.dev/parley/internal/queue"

// Outcome is the answer to a request for a slot.
type Outcome uint8

// The outcomes.
const (
	Starts  Outcome = iota // it has a slot
	Waits                  // End returns it when it has one
	Refused                // too many wait already; it is forgotten
)

// Limits of a Queue. All fields are required.
type Limits struct {
	// Slots is how many may run at the same time.
	Slots int
	// Waiting, WaitingOrganisation and WaitingPerson are how many may wait: in all, and of each one.
	Waiting, WaitingOrganisation, WaitingPerson int
}

// reserved is the part of the slots that no single organisation gets, and the part of an organisation's slots that none of its
// people gets: one eighth. So one that needs little finds a slot at once although another one has asked for everything.
const reserved = 8

// Queue decides who gets a free slot: the organisation that has the fewest, and of those that have equally
// many the one that was served longest ago; inside it the same for its people; of one person in the order
// of asking. With slots of equal length that is deficit round robin with the weight 1. Counting what runs,
// and not what was begun, keeps the shares also if the answers of one last much longer.
//
// It is a pure data structure and not safe for concurrent use.
type Queue[K comparable] struct {
	limits        Limits
	organisations map[int64]*organisation[K]
	entries       map[K]*entry[K]
	running       int
	waiting       int
	count         uint64 // of the slots that were given, and of those who began to wait: the time
}

type organisation[K comparable] struct {
	share
	people map[int64]*person[K]
}

type person[K comparable] struct {
	share
	line queue.Queue[*entry[K]]
}

// share is what an organisation or a person has, when it was last served, and since when it waits.
type share struct {
	running, waiting int
	served, since    uint64
}

// before reports whether s is served before t.
func (s *share) before(t *share) bool {
	switch {
	case s.running != t.running:
		return s.running < t.running
	case s.served != t.served:
		return s.served < t.served
	default:
		return s.since < t.since // neither was served yet
	}
}

type entry[K comparable] struct {
	key           K
	of, who       int64 // organisation, person
	running, gone bool
}

// New makes a queue.
func New[K comparable](l Limits) *Queue[K] {
	if l.Slots < 1 || l.Waiting < 1 || l.WaitingOrganisation < 1 || l.WaitingPerson < 1 {
		panic("fair: every field of Limits must be positive")
	}
	return &Queue[K]{limits: l, organisations: map[int64]*organisation[K]{}, entries: map[K]*entry[K]{}}
}

// Running is how many have a slot, and Waiting how many wait for one.
func (q *Queue[K]) Running() int { return q.running }

// Waiting is how many wait for a slot.
func (q *Queue[K]) Waiting() int { return q.waiting }

// Most is how many slots one organisation gets at most.
func (q *Queue[K]) Most() int { return q.limits.Slots - q.limits.Slots/reserved }

// Nobody is the person of those whose person is not known. They are not held to what one person gets.
const Nobody = 0

// MostOfPerson is how many slots one person gets at most.
func (q *Queue[K]) MostOfPerson(id int64) int {
	if id == Nobody {
		return q.Most()
	}
	return q.Most() - q.Most()/reserved
}

// Ask asks for a slot for key. A key that has asked already gets the same answer again.
func (q *Queue[K]) Ask(key K, organisationID, personID int64) Outcome {
	if e := q.entries[key]; e != nil {
		if e.running {
			return Starts
		}
		return Waits
	}
	o := q.organisations[organisationID]
	if o == nil {
		o = &organisation[K]{people: map[int64]*person[K]{}}
		q.organisations[organisationID] = o
	}
	p := o.people[personID]
	if p == nil {
		p = &person[K]{}
		o.people[personID] = p
	}
	e := &entry[K]{key: key, of: organisationID, who: personID}
	// Of this organisation only people who have their most wait while it may have one of the free slots.
	if q.running < q.limits.Slots && o.running < q.Most() && p.running < q.MostOfPerson(personID) {
		q.entries[key] = e
		q.begin(o, p, e)
		return Starts
	}
	if q.waiting >= q.limits.Waiting || o.waiting >= q.limits.WaitingOrganisation || p.waiting >= q.limits.WaitingPerson {
		q.forget(o, p, e)
		return Refused
	}
	q.entries[key] = e
	p.line.Push(e)
	q.count++
	for _, s := range []*share{&o.share, &p.share} {
		if s.waiting == 0 {
			s.since = q.count
		}
		s.waiting++
	}
	q.waiting++
	return Waits
}

// End takes back the slot of key, or its wish for one, and returns the keys that have a slot now.
func (q *Queue[K]) End(key K) (next []K) {
	e := q.entries[key]
	if e == nil {
		return nil
	}
	delete(q.entries, key)
	o := q.organisations[e.of]
	p := o.people[e.who]
	if e.running {
		q.running--
		o.running--
		p.running--
	} else {
		e.gone = true // it stays in the line, and is passed over
		q.left(o, p)
	}
	q.forget(o, p, e)
	for q.running < q.limits.Slots {
		e := q.next()
		if e == nil {
			break
		}
		next = append(next, e.key)
	}
	return next
}

// next gives a slot to the one that is first, nil if nobody may have one.
func (q *Queue[K]) next() *entry[K] {
	var o *organisation[K]
	var p *person[K]
	for _, x := range q.organisations {
		if x.waiting > 0 && x.running < q.Most() && (o == nil || x.before(&o.share)) {
			// All who wait there may have their most.
			if first := x.first(q.MostOfPerson); first != nil {
				o, p = x, first
			}
		}
	}
	if o == nil {
		return nil
	}
	for {
		e, ok := p.line.Pop()
		if !ok {
			panic("fair: somebody is counted who does not wait")
		}
		if !e.gone {
			q.left(o, p)
			q.begin(o, p, e)
			return e
		}
	}
}

// first is the person who gets the next slot of an organisation; nil if all who wait have the most.
func (o *organisation[K]) first(most func(id int64) int) (p *person[K]) {
	for id, x := range o.people {
		if x.waiting > 0 && x.running < most(id) && (p == nil || x.before(&p.share)) {
			p = x
		}
	}
	return p
}

func (q *Queue[K]) begin(o *organisation[K], p *person[K], e *entry[K]) {
	q.count++
	e.running = true
	q.running++
	o.running++
	p.running++
	o.served, p.served = q.count, q.count
}

func (q *Queue[K]) left(o *organisation[K], p *person[K]) {
	q.waiting--
	o.waiting--
	p.waiting--
}

// forget drops a person, and an organisation, that has nothing any more.
func (q *Queue[K]) forget(o *organisation[K], p *person[K], e *entry[K]) {
	if p.running+p.waiting == 0 {
		delete(o.people, e.who)
	}
	if len(o.people) == 0 {
		delete(q.organisations, e.of)
	}
}
