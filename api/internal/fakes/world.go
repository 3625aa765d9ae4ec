package fakes

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// LogHead is the last seq of every person's own log.
const LogHead = 118

// World contains everything that exists in a test: two organisations and their people.
type World struct {
	Owner, Reader, Stranger, Foreigner, Root, Deputy domain.User

	// mu protects the fields below it.
	mu            sync.Mutex
	byEmail       map[string]*domain.User
	conversations map[uuid.UUID]*domain.Conversation
	permissions   map[uuid.UUID]map[int64]domain.Permission // by conversation and person
	messages      map[uuid.UUID]*domain.Message
	objects       map[uuid.UUID]*domain.DisplayObject
	sources       map[int64]map[int64]domain.DataSource // by person and data source
	begun, given  []string                              // keys of files, from the calls of Intake
	keys          map[string]bool                       // keys of people that count as used
	analysts      map[int64]map[int64]domain.Analyst    // by person and agent
	shown         map[int64]map[int64]domain.Blueprint  // by person and blueprint
	calls         []string
	asked         map[string]any // by method: the arguments of its last call
	fail          map[string]error
	now           time.Time
}

// New makes a world: Owner, Reader, Stranger, Root and Deputy belong to one organisation, Foreigner
// belongs to another one. Root and Deputy are superusers; Root is an operator, too.
func New(now time.Time) *World {
	person := func(id, org int64, name string) domain.User {
		return domain.User{
			ID: id, UUID: uuid.MustParse("01920000-0000-7000-8000-00000000000" + string(rune('0'+id))), OrganisationID: org,
			Organisation: "Organisation " + string(rune('0'+org)), FullName: name, Email: name + "@example.com",
		}
	}
	w := &World{
		Owner: person(1, 1, "owner"), Reader: person(2, 1, "reader"), Stranger: person(3, 1, "stranger"),
		Foreigner: person(4, 2, "foreigner"), Root: person(5, 1, "root"), Deputy: person(6, 1, "deputy"),
		byEmail:       map[string]*domain.User{},
		conversations: map[uuid.UUID]*domain.Conversation{},
		permissions:   map[uuid.UUID]map[int64]domain.Permission{},
		messages:      map[uuid.UUID]*domain.Message{},
		objects:       map[uuid.UUID]*domain.DisplayObject{},
		sources:       map[int64]map[int64]domain.DataSource{},
		analysts:      map[int64]map[int64]domain.Analyst{},
		shown:         map[int64]map[int64]domain.Blueprint{},
		asked:         map[string]any{},
		keys:          map[string]bool{},
		fail:          map[string]error{},
		now:           now,
	}
	w.Root.IsSuperuser, w.Root.IsOperator = true, true
	w.Deputy.IsSuperuser = true
	// Only the reader does not have the area of scheduled tasks.
	for _, u := range []*domain.User{&w.Owner, &w.Stranger, &w.Foreigner, &w.Root, &w.Deputy} {
		u.Flags.ScheduledTaskView = true
	}
	for _, u := range []*domain.User{&w.Owner, &w.Reader, &w.Stranger, &w.Foreigner, &w.Root, &w.Deputy} {
		w.byEmail[u.Email] = u
	}
	w.showBlueprints()
	w.showAnalysts()
	return w
}

// Calls lists which methods were called, in order.
func (w *World) Calls() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.calls...)
}

// Count returns how often a method was called.
func (w *World) Count(method string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	count := 0
	for _, call := range w.calls {
		if call == method {
			count++
		}
	}
	return count
}

// Fail makes a method return an error; nil ends this.
func (w *World) Fail(method string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail[method] = err
}

// Disable disables a person.
func (w *World) Disable(email string, disabled bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.byEmail[email].IsDisabled = disabled
}

// SetFlags gives a person access to restricted areas.
func (w *World) SetFlags(email string, flags domain.UserFlags) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.byEmail[email].Flags = flags
}

// Asked returns the arguments of the last call of a method; nil if it was not called.
func (w *World) Asked(method string) any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked[method]
}

// note is noted for a caller that does not hold mu.
func (w *World) note(method string, asked any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.noted(method, asked)
}

// noted records a call with its arguments, and returns the error that the call must return.
// The caller holds mu.
func (w *World) noted(method string, asked any) error {
	w.asked[method] = asked
	return w.called(method)
}

// called records a call and returns the error that the call must return.
func (w *World) called(method string) error {
	w.calls = append(w.calls, method)
	return w.fail[method]
}

// AddConversation makes a conversation of Owner that Reader may see, with a
// prompt, an answer that is being written, and a display object.
func (w *World) AddConversation() (*domain.Conversation, *domain.DisplayObject) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := uuid.Must(uuid.NewV7())
	person := domain.Person{ID: w.Owner.ID, UUID: w.Owner.UUID, FullName: w.Owner.FullName}
	object := domain.DisplayObject{
		ID: uuid.Must(uuid.NewV7()), ConversationID: id, Name: "sales by region", Type: domain.DisplayCSV, ContentType: "text/csv",
		FileKey: "objects/" + id.String(), CreatedAt: w.now,
		Columns: []domain.ShownColumn{{
			Name: "net_sales", Label: "Net sales", Unit: "EUR", Format: domain.FormatMoney,
			Role: domain.RoleOfMeasure, Adds: true,
		}},
	}
	prompt := domain.Message{
		ID: uuid.Must(uuid.NewV7()), ConversationID: id, Seq: 2, Role: domain.RoleUser, Text: "How many?",
		Status: domain.MessageComplete, Author: &person, CreatedAt: w.now,
	}
	answer := domain.Message{
		ID: uuid.Must(uuid.NewV7()), ConversationID: id, ParentID: prompt.ID, TurnID: uuid.Must(uuid.NewV7()), Seq: 3,
		Role: domain.RoleAssistant, Text: "There are", Status: domain.MessageStreaming, AnalystID: 1, AnalystName: domain.DefaultAnalystName,
		DisplayObjects: []domain.DisplayObject{object}, CreatedAt: w.now,
	}
	object.MessageID = answer.ID
	c := &domain.Conversation{
		ID: id, OrganisationID: 1, Name: "Sales", Owner: person, Status: domain.ConversationActive, IsStreaming: true,
		Head: 3, Epoch: 7, Generation: 1, Messages: []domain.Message{prompt, answer}, CreatedAt: w.now, UpdatedAt: w.now,
	}
	w.conversations[id] = c
	w.permissions[id] = map[int64]domain.Permission{w.Owner.ID: domain.PermissionOwner, w.Reader.ID: domain.PermissionRead}
	w.messages[prompt.ID], w.messages[answer.ID], w.objects[object.ID] = &c.Messages[0], &c.Messages[1], &object
	return c, &object
}

// RemoveObject deletes a display object.
func (w *World) RemoveObject(id uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.objects, id)
}

// ChangeObject changes a display object.
func (w *World) ChangeObject(id uuid.UUID, change func(o *domain.DisplayObject)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := *w.objects[id]
	change(&o)
	w.objects[id] = &o
}

// seen returns a copy of the conversation as the caller sees it.
func (w *World) seen(caller domain.Caller, id uuid.UUID) (*domain.Conversation, error) {
	permission, ok := w.permissions[id][caller.UserID]
	if !ok {
		return nil, domain.NotFound("Conversation")
	}
	out := *w.conversations[id]
	out.Permission = permission
	return &out, nil
}

// ChangeConversation changes a conversation.
func (w *World) ChangeConversation(id uuid.UUID, change func(c *domain.Conversation)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := *w.conversations[id]
	change(&c)
	w.conversations[id] = &c
}

// Repeat makes a key of a person count as used before.
func (w *World) Repeat(person *domain.User, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.keys[person.UUID.String()+key] = true
}

// Attach adds the id of a data source to a conversation, whether such a data source exists or
// not.
func (w *World) Attach(conversation uuid.UUID, source int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conversations[conversation].DataSources = append(w.conversations[conversation].DataSources, source)
}
