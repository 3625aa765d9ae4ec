package domain

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

const (
	// CommentMax is the maximum length of one comment in characters.
	CommentMax = 300
	// CommentsMax is the maximum number of comments in a new feedback.
	CommentsMax = 10
	// FeedbackCommentsMax is the maximum number of comments of one feedback, with those that
	// are added later.
	FeedbackCommentsMax = 100
	// FeedbackLabelsMax is the maximum number of labels of one feedback.
	FeedbackLabelsMax = 20
)

// Sentiment is a person's reaction to an answer: Like, Dislike or Question. The labels of
// a sentiment give reasons. The sentiments are the same for all organisations.
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
	// Sentiment has only the labels that were chosen.
	Sentiment Sentiment
	Comments  []Comment
	CreatedAt time.Time
}

// FeedbackConversation holds the fields of a conversation that are shown with a feedback.
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

// NewFeedback is the input for giving feedback to an answer.
type NewFeedback struct {
	Message  uuid.UUID
	Labels   []int64
	Comments []string
	Key      IdempotencyKey
}

// Limits returns the limits of the lists of a feedback.
func (n *NewFeedback) Limits() []Limit {
	return []Limit{
		entries("comment", len(n.Comments), CommentsMax, "Please leave at most {entries} comments"),
		entries("label", len(n.Labels), FeedbackLabelsMax, "Please select at most {entries} options"),
	}
}

// Validate strips the comments and checks them. Whether the labels exist is checked by the
// store.
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

// CleanComment removes leading white space.
func CleanComment(text string) string { return strings.TrimLeftFunc(text, unicode.IsSpace) }

func commentLimit(field, text string) Limit {
	return cutAt(field, CommentMax).unless(Storable(text), "The comment contains characters that cannot be stored.").
		unless(short(text, CommentMax), "Please enter a comment of at most {characters} characters")
}

// NewComment is the input for adding a comment to a feedback.
type NewComment struct {
	Feedback int64
	Text     string
	Key      IdempotencyKey
}

// Limits returns the limits of the fields.
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

// FeedbackScope says whose feedback is returned with messages.
type FeedbackScope string

// The scopes of feedback. All means what the caller may see, never more.
const (
	FeedbackNone FeedbackScope = "none"
	FeedbackOwn  FeedbackScope = "own"
	FeedbackAll  FeedbackScope = "all"
)

// FeedbackFilter narrows the list. Zero fields do not narrow it.
type FeedbackFilter struct {
	// Executive keeps only feedback on summaries, the messages that close a turn.
	Executive bool
	// Sentiment and Label are ids.
	Sentiment int64
	Label     int64
	// Search matches comments, the names of the people who gave the feedback, and the names
	// of conversations.
	Search string
	Page   Page
}

// Narrows reports whether the filter narrows the list at all.
func (f *FeedbackFilter) Narrows() bool {
	return f.Executive || f.Sentiment != 0 || f.Label != 0 || !Blank(f.Search)
}

// SentimentCount is how many feedbacks of a list have a sentiment.
type SentimentCount struct {
	ID    int64
	Name  string
	Count int
}

// FeedbackService stores feedback. Errors: CodeNotFound, CodeInvalid, CodeConflict.
type FeedbackService interface {
	// Sentiments with all their labels.
	Sentiments(ctx context.Context) ([]Sentiment, error)
	// GiveFeedback adds the caller's feedback to an answer. CodeConflict if there is one
	// already, CodeInvalid for labels that are unknown or of two sentiments, and for a
	// message that is not an answer.
	GiveFeedback(ctx context.Context, caller Caller, n NewFeedback) (*Feedback, error)
	// Feedbacks lists, newest first, the caller's own feedback, the feedback on the
	// caller's conversations, and for a superuser all feedback of the organisation. The
	// counts are over the whole list, whatever sentiment was asked for.
	Feedbacks(ctx context.Context, caller Caller, f FeedbackFilter) (List[Feedback], []SentimentCount, error)
	Feedback(ctx context.Context, caller Caller, id int64) (*Feedback, error)
	// AddComment adds a comment to a feedback that the caller may see.
	AddComment(ctx context.Context, caller Caller, n NewComment) (*Comment, error)
	// Comments lists the comments on a message, oldest first, as far as the caller may see
	// its feedback.
	Comments(ctx context.Context, caller Caller, message uuid.UUID) ([]Comment, error)
	// FeedbackOf returns the feedback on messages of a conversation, by message, within the
	// scope and as far as the caller may see it.
	FeedbackOf(ctx context.Context, caller Caller, conversation uuid.UUID, scope FeedbackScope) (map[uuid.UUID][]Feedback, error)
}
