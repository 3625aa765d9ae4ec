package demo

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Password is the password of every demo person. The sign-in page shows it.
const Password = "parley"

// The organisations by name.
const (
	meridian   = "Meridian Outfitters"
	brightloom = "Brightloom Software"
)

// Organisation is a tenant.
type Organisation struct {
	Name string

	// Business describes the organisation in a few words.
	Business string

	Teams []Team
}

// Team is part of an organisation.
type Team struct {
	Name string

	// Members are emails of the organisation's people.
	Members []string
}

// Person is a member of one organisation.
type Person struct {
	// ID never changes: it is the subject of the person's tokens.
	ID uuid.UUID

	Email string
	Name  string

	// Role is what the person does, for the sign-in page.
	Role string

	// Organisation is the name of the person's organisation.
	Organisation string

	IsSuperuser bool

	// ScheduledTaskView and UploadCredentials are the person's feature flags.
	ScheduledTaskView bool
	UploadCredentials bool

	// colour is the background of the avatar.
	colour string
}

// Hint describes the person on the sign-in page.
func (p Person) Hint() string {
	if p.IsSuperuser {
		return p.Organisation + ", superuser"
	}

	return p.Organisation
}

// Initials returns the first letters of the first and the last name.
func (p Person) Initials() string {
	words := strings.Fields(p.Name)
	first, _ := utf8.DecodeRuneInString(words[0])
	last, _ := utf8.DecodeRuneInString(words[len(words)-1])

	return string([]rune{first, last})
}

// Picture returns the avatar as a data URL, so that nothing has to be fetched.
func (p Person) Picture() string {
	svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="%s"/>`+
		`<text x="32" y="41" font-family="system-ui,sans-serif" font-size="26" font-weight="600" fill="#fff" `+
		`text-anchor="middle">%s</text></svg>`,
		p.colour, p.Initials())

	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))
}

// Organisations lists the tenants.
func Organisations() []Organisation {
	return []Organisation{
		{
			Name: meridian, Business: "Outdoor clothing and gear, online and in stores",
			Teams: []Team{{Name: "Commercial", Members: []string{"mara@meridian.example", "tomas@meridian.example"}}},
		},
		{
			Name: brightloom, Business: "Planning software by subscription",
			Teams: []Team{{Name: "Revenue", Members: []string{"elena@brightloom.example", "samir@brightloom.example"}}},
		},
	}
}

// People lists the people who can sign in, the superuser first.
func People() []Person {
	return []Person{
		{
			ID: uuid.MustParse("6f1d3c52-8a0e-4b57-9d4c-0e5a7f21b601"), Email: "mara@meridian.example", Name: "Mara Lindqvist",
			Role: "Head of analytics", Organisation: meridian, IsSuperuser: true, ScheduledTaskView: true, UploadCredentials: true,
			colour: "#3358d4",
		},
		{
			ID: uuid.MustParse("b2a94e07-51c3-4f6e-8b1d-93d2c6407a12"), Email: "tomas@meridian.example", Name: "Tomas Okafor",
			Role: "Sales manager", Organisation: meridian, ScheduledTaskView: true, colour: "#8347b9",
		},
		{
			ID: uuid.MustParse("d97e60b4-2f38-4c19-a7e5-54b80f3e1c23"), Email: "yuna@meridian.example", Name: "Yuna Park",
			Role: "Customer service lead", Organisation: meridian, colour: "#0d74ce",
		},
		{
			ID: uuid.MustParse("3c85f1da-706b-4e92-b3f4-c1a6d08e9534"), Email: "elena@brightloom.example", Name: "Elena Duarte",
			Role: "Finance director", Organisation: brightloom, ScheduledTaskView: true, UploadCredentials: true, colour: "#c2298a",
		},
		{
			ID: uuid.MustParse("e4107b9c-95ad-4d21-8c60-7f3b2e5d8a45"), Email: "samir@brightloom.example", Name: "Samir Haddad",
			Role: "Growth analyst", Organisation: brightloom, colour: "#18794e",
		},
	}
}
