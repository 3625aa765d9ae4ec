package persistence

// Memories, their words, and the recall of memories for an analyst. The rules of similarity are in
// docs/knowledge.md. The words of a question are rows of memory_term, because with row level
// security only plain equality can use an index.

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Memories keep what analysts are to remember, and recall it.
type Memories struct{ *core }

var (
	_ domain.MemoryService = Memories{}
	_ domain.Recaller      = Memories{}
)

// memoryPage is the size of a page where none was asked for.
const memoryPage = 100

// Memories implements domain.MemoryService.
func (s Memories) Memories(ctx context.Context, caller domain.Caller, f domain.MemoryFilter) (domain.List[domain.Memory], error) {
	var (
		none domain.List[domain.Memory]
		p    = pageOf(f.Page, memoryPage)
	)
	// An unknown specialist is an error here, and not an empty list: the query would compare a name
	// that does not exist.
	specialists := make([]string, len(f.Specialists))
	for i, one := range f.Specialists {
		if !one.Known() {
			return none, domain.Invalid("specialists", "There is no such specialist.")
		}
		specialists[i] = string(one)
	}
	// Never nil, which would be NULL for the database.
	labels := append([]int64{}, f.Labels...)
	pattern := patternOf(f.Search)
	conditions, err := conditionsOf(f.Filters)
	if err != nil {
		return none, err
	}
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.MemorySeen, total *int64) {
		r.MemoryList(&dbsqlc.MemoryListParams{
			OrgID: caller.OrganisationID, DisabledToo: domain.SeeMemory.MayOnOthers(caller), Specialists: specialists,
			Labels: labels, Pattern: pattern, Conditions: conditions, Skip: w.skip, Size: w.size,
		}, into, total)
	})
	if err != nil {
		return none, err
	}
	return domain.List[domain.Memory]{Results: memoriesOf(rows), Count: total}, nil
}

// Recall implements domain.Recaller. Memories belong to the organisation, so the result is
// the same for all of its members.
func (s Memories) Recall(ctx context.Context, organisation, _ int64, q domain.Recall) ([]domain.Memory, error) {
	var rows []dbsqlc.MemorySeen
	err := s.asTenant(ctx, organisation, func(r *reading) {
		// At most MaxRecalled memories are returned, in the order of the recall.
		r.MemoryRecall(&dbsqlc.MemoryRecallParams{
			Ids: append([]int64{}, q.IDs...), Most: domain.MaxRecalled, OrgID: organisation, Terms: domain.Terms(q.Text),
			Specialist: string(q.Specialist), Labels: append([]int64{}, q.Labels...),
		}, &rows)
	})
	if err != nil {
		return nil, err
	}
	return memoriesOf(rows), nil
}

// CreateMemory implements domain.MemoryService.
func (s Memories) CreateMemory(ctx context.Context, caller domain.Caller, n domain.NewMemory) (*domain.Memory, error) {
	// There is no row to check: the right to make a memory depends on the person alone.
	if err := domain.MakeMemory.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	if err := n.Validate(); err != nil {
		return nil, err
	}
	id, err := s.createInt64(ctx, caller, kindMemory, n.Key, func(tx pgx.Tx) (id int64, err error) {
		if err := s.checkMemoryWords(ctx, tx, n.TypeID, n.Labels); err != nil {
			return 0, err
		}
		// The words of the question are stored with the memory, in the same transaction, so that a
		// recall never sees one without the other.
		terms := domain.Terms(n.Question)
		row := dbsqlc.MemoryInsertOf(&n)
		row.OrgID, row.OwnerID, row.At, row.Source = caller.OrganisationID, caller.UserID, s.now(), domain.MemorySourceManual
		row.TermCount = int32(len(terms)) //nolint:gosec // at most domain.MaxTerms
		id, err = s.q.MemoryInsert(ctx, tx, row)
		if err != nil {
			return 0, err
		}
		if err := s.insertTerms(ctx, tx, caller.OrganisationID, id, terms); err != nil {
			return 0, err
		}
		return id, nil
	})
	if err != nil {
		return nil, err
	}
	return s.memory(ctx, caller, id)
}

// UpdateMemory implements domain.MemoryService.
func (s Memories) UpdateMemory(ctx context.Context, caller domain.Caller, id int64, u domain.MemoryUpdate) (*domain.Memory, error) {
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		// The right comes before the rules of the body.
		m, err := s.lockMemory(ctx, tx, caller, id, domain.ChangeMemory)
		if err != nil {
			return err
		}
		if err := u.Validate(); err != nil {
			return err
		}
		if err := fresh(u.Version, m.Version); err != nil {
			return err
		}
		set(&m.Name, u.Name)
		set(&m.Question, u.Question)
		set(&m.Response, u.Response)
		set(&m.TypeID, u.TypeID)
		set(&m.IsEnabled, u.IsEnabled)
		set(&m.AlwaysRecalled, u.AlwaysRecalled)
		if u.Labels != nil {
			m.Labels = append([]int64{}, *u.Labels...)
		}
		// Only changed fields are checked: a deleted label must not keep a memory from being switched off.
		if u.TypeID != nil || u.Labels != nil {
			if err := s.checkMemoryWords(ctx, tx, m.TypeID, m.Labels); err != nil {
				return err
			}
		}
		// The number of words changes only with the question; it is written in any case.
		terms := domain.Terms(m.Question)
		err = s.q.MemoryUpdate(ctx, tx, &dbsqlc.MemoryUpdateParams{
			Name: m.Name, Question: m.Question, Response: m.Response, TypeID: m.TypeID, Labels: m.Labels, IsEnabled: m.IsEnabled,
			AlwaysRecalled: m.AlwaysRecalled, TermCount: int32(len(terms)), At: s.now(), ID: id, //nolint:gosec // at most domain.MaxTerms
		})
		// Without a new question the stored words are still right.
		if err != nil || u.Question == nil {
			return err
		}
		if err := s.q.MemoryTermDelete(ctx, tx, id); err != nil {
			return err
		}
		return s.insertTerms(ctx, tx, caller.OrganisationID, id, terms)
	})
	if err != nil {
		return nil, err
	}
	return s.memory(ctx, caller, id)
}

// DeleteMemory implements domain.MemoryService.
func (s Memories) DeleteMemory(ctx context.Context, caller domain.Caller, id int64) error {
	return s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		if _, err := s.lockMemory(ctx, tx, caller, id, domain.DeleteMemory); err != nil {
			return err
		}
		// Its words are deleted with it, by the foreign key.
		return s.q.MemoryDelete(ctx, tx, id)
	})
}

// lockMemory locks a memory's row and checks the caller's right to the action.
func (s Memories) lockMemory(ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, action domain.Action) (*dbsqlc.Memory, error) {
	row, err := s.q.MemoryLock(ctx, tx, id)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, domain.NounMemory.Missing()
	case err != nil:
		return nil, err
	}
	// A memory that is switched off is not there for people who may not change it (404).
	return &row.Memory, action.Authorize(caller, domain.Relation{Found: true, IsEnabled: row.Memory.IsEnabled})
}

// checkMemoryWords refuses a type or a label that the organisation does not have.
func (s Memories) checkMemoryWords(ctx context.Context, tx pgx.Tx, kind int64, labels []int64) error {
	has, err := s.q.MemoryTypeExists(ctx, tx, kind)
	if err != nil {
		return err
	}
	// Each label must exist and be given once.
	count, err := s.q.MemoryLabelCount(ctx, tx, labels)
	if err != nil {
		return err
	}
	var c domain.Checks
	c.Require(has, "type", "This type is not available.")
	c.Require(int(count) == len(labels), "labels", "One of the labels is not available.")
	return c.Err()
}

// insertTerms stores the words of a memory's question.
func (s Memories) insertTerms(ctx context.Context, tx pgx.Tx, organisation, id int64, terms []string) error {
	return s.q.MemoryTermInsert(ctx, tx, &dbsqlc.MemoryTermInsertParams{OrgID: organisation, Terms: terms, MemoryID: id})
}

// MemoryTypes implements domain.MemoryService.
func (s Memories) MemoryTypes(ctx context.Context, caller domain.Caller) ([]domain.MemoryWord, error) {
	var rows []dbsqlc.MemoryTypeListRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.MemoryTypeList(caller.OrganisationID, &rows) })
	words := make([]domain.MemoryWord, len(rows))
	for i, row := range rows {
		words[i] = domain.MemoryWord{ID: row.ID, Name: row.Name, Specialist: domain.Specialist(row.Specialist)}
	}
	return words, err
}

// MemoryLabels implements domain.MemoryService.
func (s Memories) MemoryLabels(ctx context.Context, caller domain.Caller) ([]domain.MemoryWord, error) {
	return s.memoryWords(ctx, caller, (*reading).MemoryLabelList)
}

// MemorySources implements domain.MemoryService.
func (s Memories) MemorySources(ctx context.Context, caller domain.Caller) ([]domain.MemoryWord, error) {
	return s.memoryWords(ctx, caller, (*reading).MemorySourceList)
}

// memoryWords reads one kind of words, of the organization.
func (s Memories) memoryWords(
	ctx context.Context, caller domain.Caller, query func(r *reading, organisation int64, into *[]dbsqlc.MemoryWord),
) ([]domain.MemoryWord, error) {
	var rows []dbsqlc.MemoryWord
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { query(r, caller.OrganisationID, &rows) })
	words := make([]domain.MemoryWord, len(rows))
	for i, row := range rows {
		words[i] = domain.MemoryWord{ID: row.ID, Name: row.Name}
	}
	return words, err
}

// memory reads one memory after it was written. No right is checked.
func (s Memories) memory(ctx context.Context, caller domain.Caller, id int64) (*domain.Memory, error) {
	var row *dbsqlc.MemorySeen
	if err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.MemoryGet(id, &row) }); err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NounMemory.Missing()
	}
	return &memoriesOf([]dbsqlc.MemorySeen{*row})[0], nil
}

// memoriesOf converts rows. A sample has no owner.
func memoriesOf(rows []dbsqlc.MemorySeen) []domain.Memory {
	list := make([]domain.Memory, len(rows))
	for i := range rows {
		r := &rows[i]
		m := &r.MemoryShown
		list[i] = dbsqlc.MemoryOf(r)
		list[i].OrganisationID = m.OrgID
		if m.OwnerID != nil {
			list[i].Owner = &domain.Person{
				ID: *m.OwnerID, UUID: m.OwnerUuid.UUID, FullName: pointer.Value(m.OwnerName),
				Picture: pointer.Value(m.OwnerPicture),
			}
		}
	}
	return list
}

// set replaces a value if there is a new one.
func set[T any](into, to *T) {
	if to != nil {
		*into = *to
	}
}
