package domain

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

const (
	// CommentMax is the most characters of one comment.
	CommentMax = 300
	// CommentsMax is the most comments that one feedback may bring along.
	CommentsMax = 10
	// FeedbackLabelsMax is the most labels of one feedback.
	FeedbackLabelsMax = 20
)

// Sentiment is how an answer was taken: Like, Dislike or Question. Labels of one
// sentiment say why. The sentiments are the same for all organisations.
type Sentiment struct {
	ID     int64
	Name   string
	Labels []SentimentLabel
}

// SentimentLabel is a reason. The default one of a sentiment stands for no
// particular reason.
type SentimentLabel struct {
	ID        int64
	Name      string
	IsDefault bool
}

// Feedback is what one person thinks of one answer; there is one per person and
// message. Everybody who may read the conversation may give it. Its author, the
// conversation's owner and the organisation's superusers see it.
type Feedback struct {
	ID           int64
	User         Person
	Conversation FeedbackConversation
	MessageID    uuid.UUID
	// Sentiment has only those labels that were chosen.
	Sentiment Sentiment
	Comments  []Comment
	CreatedAt time.Time
}

// FeedbackConversation is the little of a conversation that a feedback names.
type FeedbackConversation struct {
	ID          uuid.UUID
	Name        string
	Description string
}

// Comment is a remark that belongs to a feedback.
type Comment struct {
	ID         int64
	FeedbackID int64
	Text       string
	User       Person
	CreatedAt  time.Time
}

// NewFeedback is what a person gives to an answer.
type NewFeedback struct {
	Message  uuid.UUID
	Labels   []int64
	Comments []string
	Key      IdempotencyKey
}

// Limits are those of the lists of a feedback.
func (n *NewFeedback) Limits() []Limit {
	return []Limit{
		entries("comment", len(n.Comments), CommentsMax, "Please leave at most {entries} comments"),
		entries("label", len(n.Labels), FeedbackLabelsMax, "Please select at most {entries} options"),
	}
}

// Validate strips the comments and checks them. Which labels there are, the
// store knows.
func (n *NewFeedback) Validate() error {
	var c Checks
	kept := make([]string, 0, len(n.Comments))
	for _, text := range n.Comments {
		if text = CleanComment(text); !Blank(text) {
			kept = append(kept, text)
		}
		c.Within(commentLimit("comment", text))
	}
	n.Comments = kept
	c.Within(n.Limits()...)
	c.Require(len(n.Labels) > 0 || len(kept) > 0, "label", "Please select a option or leave a comment")
	return c.Err()
}

// CleanComment takes the leading white space off.
func CleanComment(text string) string { return strings.TrimLeftFunc(text, unicode.IsSpace) }

func commentLimit(field, text string) Limit {
	return cutAt(field, CommentMax).unless(Storable(text), "The comment contains characters that cannot be stored.").
		unless(short(text, CommentMax), "Please enter a comment of at most {characters} characters")
}

// NewComment is a further remark to a feedback.
type NewComment struct {
	Feedback int64
	Text     string
	Key      IdempotencyKey
}

// Limits are those of the fields of a comment.
func (n *NewComment) Limits() []Limit { return []Limit{commentLimit("text", n.Text)} }

// Validate strips the text and checks it.
func (n *NewComment) Validate() error {
	var c Checks
	n.Text = CleanComment(n.Text)
	c.Require(n.Feedback != 0, "feedback", "This field is required.")
	c.Require(!Blank(n.Text), "text", "Please enter a comment")
	c.Within(n.Limits()...)
	return c.Err()
}

// FeedbackScope says whose feedback comes along with messages.
type FeedbackScope string

// The scopes of feedback. All means what the caller may see, never more.
const (
	FeedbackNone FeedbackScope = "none"
	FeedbackOwn  FeedbackScope = "own"
	FeedbackAll  FeedbackScope = "all"
)

// FeedbackFilter narrows the list. What is zero lets everything through.
type FeedbackFilter struct {
	// Executive keeps feedback on what closes a turn, the summaries.
	Executive bool
	// Sentiment and Label are ids.
	Sentiment int64
	Label     int64
	// Search matches comments, the names of those who gave it, and those of conversations.
	Search string
	Page   Page
}

// Narrows tells whether anything is left out.
func (f *FeedbackFilter) Narrows() bool {
	return f.Executive || f.Sentiment != 0 || f.Label != 0 || !Blank(f.Search)
}

// SentimentCount is how many feedbacks of a list have a sentiment.
type SentimentCount struct {
	ID    int64
	Name  string
	Count int
}

// FeedbackService keeps feedback. Errors: CodeNotFound, CodeInvalid, CodeConflict.
type FeedbackService interface {
	// Sentiments with all their labels.
	Sentiments(ctx context.Context) ([]Sentiment, error)
	// GiveFeedback adds the caller's feedback to an answer. CodeConflict where there
	// is one already, CodeInvalid for labels that are unknown or of two sentiments,
	// and for a message that is no answer.
	GiveFeedback(ctx context.Context, caller Caller, n NewFeedback) (*Feedback, error)
	// Feedbacks lists, newest first, one's own, those on one's conversations, and
	// for a superuser all of the organisation. The counts are over the whole list,
	// whatever sentiment was asked for.
	Feedbacks(ctx context.Context, caller Caller, f FeedbackFilter) (List[Feedback], []SentimentCount, error)
	Feedback(ctx context.Context, caller Caller, id int64) (*Feedback, error)
	// AddComment to a feedback that the caller may see.
	AddComment(ctx context.Context, caller Caller, n NewComment) (*Comment, error)
	// Comments of a message, oldest first, as far as the caller may see its feedback.
	Comments(ctx context.Context, caller Caller, message uuid.UUID) ([]Comment, error)
	// FeedbackOf is the feedback on messages of a conversation, within the scope and
	// what the caller may see; by message.
	FeedbackOf(ctx context.Context, caller Caller, conversation uuid.UUID, scope FeedbackScope) (map[uuid.UUID][]Feedback, error)
}
