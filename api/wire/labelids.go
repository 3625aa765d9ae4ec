package wire

import (
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
)

// LabelIDs are the projects to which an object is added: their ids, or the projects as an
// answer contains them, so that an answer can be sent back as a request.
type LabelIDs []int64

// UnmarshalJSON implements json.Unmarshaler.
func (l *LabelIDs) UnmarshalJSON(raw []byte) error {
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return fmt.Errorf("read the projects: %w", err)
	}
	*l = make(LabelIDs, len(entries))
	for i, entry := range entries {
		var named struct {
			ID int64 `json:"id"`
		}
		if json.Unmarshal(entry, &named.ID) == nil {
			(*l)[i] = named.ID
			continue
		}
		if err := json.Unmarshal(entry, &named); err != nil {
			return fmt.Errorf("read a project: %w", err)
		}
		(*l)[i] = named.ID
	}
	return nil
}

// Schema implements huma.SchemaProvider.
func (LabelIDs) Schema(huma.Registry) *huma.Schema {
	id := func() *huma.Schema { return &huma.Schema{Type: huma.TypeInteger, Format: "int64"} }
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{AnyOf: []*huma.Schema{
		id(), {Type: huma.TypeObject, Properties: map[string]*huma.Schema{"id": id()}, Required: []string{"id"}, AdditionalProperties: true},
	}}}
}

// ids returns the plain ids, nil if none were given.
func (l *LabelIDs) ids() *[]int64 { return (*[]int64)(l) }
