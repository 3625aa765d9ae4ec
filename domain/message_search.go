package domain

import (
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

const (
	// SearchedConversations is the maximum number of conversations whose messages are searched, the last changed first. It bounds
	// the cost of a search, which reads texts and has no index: an index of words would cost every answer that is written.
	SearchedConversations = 2000
	// FoundMessagesMax is the maximum number of messages that a search returns, one for each conversation.
	FoundMessagesMax = 20
	// searchWordsMax is the maximum number of words that are compared; further ones are ignored.
	searchWordsMax = 10
)

// FoundMessage is the newest message of a conversation that contains all words of a search.
type FoundMessage struct {
	ConversationID   uuid.UUID
	ConversationName string
	MessageID        uuid.UUID
	Role             Role
	// Excerpt is a part of its text around the first word, in one line and without the marks of Markdown.
	Excerpt   string
	CreatedAt time.Time
}

// SearchWords splits a search into the words that must all be in a text, in any order.
func SearchWords(search string) []string {
	words := strings.Fields(Clean(search))
	return words[:min(len(words), searchWordsMax)]
}

// Excerpt makes a part of a message's text readable: one line, without the marks of Markdown. Words that are cut at its
// beginning or its end are left out, and an ellipsis stands for what is missing there.
func Excerpt(part string, cutBefore, cutAfter bool) string {
	if cutBefore {
		if i := strings.IndexFunc(part, unicode.IsSpace); i >= 0 {
			part = part[i:]
		}
	}
	if cutAfter {
		if i := strings.LastIndexFunc(part, unicode.IsSpace); i >= 0 {
			part = part[:i]
		}
	}
	lines := strings.Split(strings.NewReplacer("**", "", "`", "").Replace(part), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "#>*-| \t")
	}
	text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	if cutBefore {
		text = "… " + text
	}
	if cutAfter {
		text += " …"
	}
	return text
}
