package protocol

import (
	"encoding/json"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// FromCaller encodes a caller for a message.
func FromCaller(c domain.Caller) *Caller {
	return &Caller{
		UserId: c.UserID, UserUuid: c.UserUUID[:], OrganisationId: c.OrganisationID,
		FullName: c.FullName, Superuser: c.IsSuperuser,
	}
}

// Asking is a request on behalf of a person.
type Asking interface{ GetCaller() *Caller }

// Domain decodes the caller.
func (c *Caller) Domain() domain.Caller {
	return domain.Caller{
		UserID: c.GetUserId(), UserUUID: ID(c.GetUserUuid()), OrganisationID: c.GetOrganisationId(),
		FullName: c.GetFullName(), IsSuperuser: c.GetSuperuser(),
	}
}

// ID decodes the 16 bytes of an id; anything else is the zero id.
func ID(b []byte) uuid.UUID {
	id, err := uuid.FromBytes(b)
	if err != nil {
		return uuid.Nil
	}
	return id
}

// FromError encodes an error for a message; nil stays nil. An error that is not a domain
// error loses its text, which people must not see.
func FromError(err error) *Failure {
	if err == nil {
		return nil
	}
	e, ok := domainError(err)
	if !ok {
		return &Failure{Code: string(domain.CodeInternal), Message: "Something went wrong."}
	}
	f := &Failure{Code: string(e.Code), Message: e.Message, RetryAfter: int32(min(e.RetryAfter, 1<<20))} //nolint:gosec // bounded by min
	for _, field := range e.Fields {
		f.Fields = append(f.Fields, &FailureField{Field: field.Field, Message: field.Message})
	}
	return f
}

func domainError(err error) (*domain.Error, bool) {
	for err != nil {
		if e, ok := err.(*domain.Error); ok { //nolint:errorlint // this loop unwraps the error
			return e, true
		}
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return nil, false
		}
		err = u.Unwrap()
	}
	return nil, false
}

// Err decodes the error; nil for no failure.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	e := &domain.Error{Code: domain.Code(f.Code), Message: f.Message, RetryAfter: int(f.RetryAfter)}
	for _, field := range f.Fields {
		e.Fields = append(e.Fields, domain.FieldError{Field: field.Field, Message: field.Message})
	}
	return e
}

// EncodeMessage encodes a message for another node; nil becomes no bytes.
func EncodeMessage(m *domain.Message) ([]byte, error) {
	if m == nil {
		return nil, nil
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, domain.Internal(err, "a message between nodes could not be written")
	}
	return b, nil
}

// DecodeMessage decodes the result of EncodeMessage.
func DecodeMessage(b []byte) (*domain.Message, error) {
	if len(b) == 0 {
		return nil, nil
	}
	var m domain.Message
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, domain.Internal(err, "a message between nodes could not be read")
	}
	return &m, nil
}

// MessageData is the JSON shape of a message in events.
func MessageData(m *domain.Message) Message {
	out := Message{
		ID: m.ID, ConversationID: m.ConversationID, ParentMessageID: idOrNil(m.ParentID), TurnID: idOrNil(m.TurnID),
		Seq: m.Seq, Generation: m.Generation, Role: string(m.Role), DisplayRole: string(m.Role),
		Text: m.Text, Status: string(m.Status), Reason: m.Reason, DataSources: m.DataSources, IceBreakerID: m.BlueprintID,
		DisplayobjectSet: ObjectsData(m.DisplayObjects), FeedbackSet: []Feedback{}, CreatedAt: Time(m.CreatedAt),
		Annotation: AnnotationOf(m),
	}
	if out.DataSources == nil {
		out.DataSources = []int64{}
	}
	if m.Author != nil {
		out.Author = &Person{ID: m.Author.ID, UUID: m.Author.UUID, FullName: m.Author.FullName, Picture: m.Author.Picture}
	}
	if m.AnalystID != 0 {
		out.Analyst = &Analyst{ID: m.AnalystID, Name: m.AnalystName}
	}
	return out
}

// AnnotationOf returns what is known about a message; nil if that is nothing.
func AnnotationOf(m *domain.Message) *Annotation {
	if m.Annotation.IsZero() {
		return nil
	}
	a := AnnotationData(&m.Annotation)
	return &a
}

// AnnotationData is the JSON shape of an annotation.
func AnnotationData(a *domain.Annotation) Annotation {
	out := Annotation{
		Part: string(a.Part), PlanStep: a.PlanStep, CaveatsAt: a.CaveatsAt, Table: idOrNil(a.Table), FollowUps: a.FollowUps,
		Grade: string(a.Grade),
	}
	for _, f := range a.Figures {
		out.Figures = append(out.Figures, Figure{
			Start: f.Start, End: f.End, Object: f.Object, Row: f.Row, Column: f.Column, Of: string(f.Of), Other: f.Other,
		})
	}
	for _, c := range a.Checks {
		out.Checks = append(out.Checks, AnswerCheck{Kind: c.Kind, Outcome: c.Outcome, Note: c.Note})
	}
	for i := range a.Assumptions {
		x := &a.Assumptions[i]
		one := Assumption{
			Source: x.Source, Table: x.Table, Column: x.Column, Step: string(x.Step), Taken: statementData(x.Taken), Others: []Statement{},
		}
		for _, s := range x.Others {
			one.Others = append(one.Others, statementData(s))
		}
		out.Assumptions = append(out.Assumptions, one)
	}
	if a.Facts != nil {
		facts := TurnFacts(*a.Facts)
		out.Facts = &facts
	}
	return out
}

func statementData(s domain.Statement) Statement {
	return Statement{Field: string(s.Field), Value: s.Value}
}

// ObjectsData is the JSON shape of display objects, never null.
func ObjectsData(objects []domain.DisplayObject) []DisplayObject {
	out := make([]DisplayObject, 0, len(objects))
	for i := range objects {
		o := &objects[i]
		out = append(out, DisplayObject{
			ID: o.ID, Name: o.Name, Type: string(o.Type), Language: o.Language,
			ContentType: o.ContentType, Size: o.Size, Columns: ColumnsData(o.Columns),
		})
	}
	return out
}

// ColumnsData is the JSON shape of how columns are shown; nil for no columns.
func ColumnsData(columns []domain.ShownColumn) []ShownColumn {
	var out []ShownColumn
	for i := range columns {
		c := &columns[i]
		out = append(out, ShownColumn{
			Name: c.Name, Label: c.Label, Unit: c.Unit, Format: string(c.Format), Role: string(c.Role), Adds: c.Adds, Until: c.Until,
		})
	}
	return out
}

func idOrNil(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
