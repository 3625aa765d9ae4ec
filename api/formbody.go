package api

// Small forms as bodies of some calls on projects, which also accept JSON. A form is converted to
// the same JSON object before huma reads it, so the rules of the fields exist once.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

const (
	kindMultipart = "multipart/form-data"
	kindForm      = "application/x-www-form-urlencoded"
)

// formKinds are the content types of forms.
func formKinds() []string { return []string{kindMultipart, kindForm} }

// formOfCall marks the operations that accept a form. There is no other list of them.
const formOfCall = "form"

// withForm lets a call accept a small form as well as JSON. A call without it answers 415 to a form.
func withForm(op huma.Operation) huma.Operation {
	op.Metadata = map[string]any{formOfCall: true}
	return op
}

// acceptsForm reports whether a call accepts a small form as well as JSON.
func acceptsForm(op *huma.Operation) bool { return op.Metadata[formOfCall] != nil }

// documentForms adds the content types of forms to the calls that accept them. A call that reads no
// fields, such as a deletion, has no body in the description.
func documentForms(o *huma.OpenAPI) {
	for _, item := range o.Paths {
		for _, op := range operationsOf(item) {
			if !acceptsForm(op) || op.RequestBody == nil {
				continue
			}
			fields := op.RequestBody.Content["application/json"].Schema
			for _, kind := range formKinds() {
				op.RequestBody.Content[kind] = &huma.MediaType{Schema: fields}
			}
		}
	}
}

// formJSON converts the fields of a form to the JSON object that the call accepts: text as
// strings, and a version as a number. A file counts as an unknown field. It returns nil for
// another content type.
func formJSON(contentType string, raw []byte) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil || !slices.Contains(formKinds(), kind) {
		return nil, nil //nolint:nilerr // another content type is not an error here
	}
	var fields map[string]string
	// Both kinds of forms have the same rules: no field twice, no characters that cannot be stored.
	if kind == kindForm {
		fields, err = urlencoded(string(raw))
	} else {
		u := &upload{body: bytes.NewReader(raw), contentType: contentType}
		var f *form
		// The bytes of a file are read and dropped, because none of these calls has one.
		if f, err = u.readForm(func(r io.Reader) (int64, error) { return io.Copy(io.Discard, r) }); err == nil {
			fields = f.fields
		}
	}
	if err != nil {
		return nil, err
	}
	object := make(map[string]any, len(fields))
	// Fields of a form have no types. The version is the only number of these calls; a version that
	// is no number stays a text, and huma refuses it.
	for name, value := range fields {
		object[name] = value
		if n, err := strconv.Atoi(strings.TrimSpace(value)); name == "version" && err == nil {
			object[name] = n
		}
	}
	encoded, err := json.Marshal(object)
	if err != nil {
		return nil, domain.Internal(err, "the form cannot be read")
	}
	return encoded, nil
}

// fieldName returns the name of a form's field as the calls know it. Names like a.3 or a[3]
// address an element of a list in some form parsers; the forms of this API have no such
// lists, so the name is an error and not an unknown field.
func fieldName(given string) (string, error) {
	inside := false
	// Only a part after the first one can be an index: a field may itself be called 3.
	for part := range strings.FieldsFuncSeq(given, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		if _, err := strconv.Atoi(part); inside && (err == nil || errors.Is(err, strconv.ErrRange)) {
			return "", domain.Errorf(domain.CodeBadRequest, "A field of the form names a place in a list; lists are given as one field with "+
				"commas, or field by field")
		}
		inside = true
	}
	return wire.Camel(given), nil
}

// urlencoded reads a form without files.
func urlencoded(raw string) (map[string]string, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, domain.Errorf(domain.CodeBadRequest, "The form cannot be read").WithCause(err)
	}
	fields := make(map[string]string, len(values))
	for given, list := range values {
		name, err := fieldName(given)
		if err != nil {
			return nil, err
		}
		// Two spellings of a name, such as project_label and projectLabel, are the same field.
		if _, twice := fields[name]; twice || len(list) > 1 {
			return nil, domain.Invalid(name, "The field is given twice.")
		}
		if !domain.Storable(list[0]) {
			return nil, domain.Invalid(name, "The value contains characters that cannot be stored.")
		}
		fields[name] = list[0]
	}
	return fields, nil
}
