package api

// The calls on memories, which are examples that analysts recall (docs/knowledge.md). Everybody
// reads the enabled ones; superusers see all of them and change them. Types, labels and sources are
// the words of the organization, and these calls only list them.

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// memoryID is the input of a call that needs only the id of a memory.
type memoryID struct {
	ID int64 `path:"id"`
}

// listMemories is the input of the list of memories.
type listMemories struct {
	PageOf100
	Filtered
	Specialists []string `query:"specialists,explode" doc:"Only memories of these specialists: chartReview, insights or endOfTurnSummary, separated by commas."`
	Labels      []string `query:"labels,explode" doc:"Only memories with at least one of these labels. Ids, separated by commas."`
	Search      string   `query:"search" maxLength:"200" doc:"Matches the name, the question and the response."`
}

// filter converts the parameters. It returns CodeInvalid for a condition or a label that cannot be
// read; specialists that no memory has are not an error, they only find nothing.
func (in *listMemories) filter() (domain.MemoryFilter, error) {
	f := domain.MemoryFilter{Search: in.Search, Page: in.page()}
	for _, given := range in.Specialists {
		// A list is sent as one value with commas, or as one value for each entry; both are read.
		// An entry that is repeated counts once.
		for name := range strings.SplitSeq(given, ",") {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(f.Specialists, domain.Specialist(name)) {
				f.Specialists = append(f.Specialists, domain.Specialist(name))
			}
		}
	}
	var err error
	if f.Filters, err = in.filters(domain.MemoryFields()); err != nil {
		return f, err
	}
	f.Labels, err = domain.ParseIDs("labels", in.Labels)
	return f, err
}

// newMemory is the input of a creation: the key makes it happen once.
type newMemory struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.MemoryRequest
}

// changeMemory is the input of both changes. The version is in the header If-Match or in the body.
type changeMemory struct {
	Versioned
	ID   int64 `path:"id"`
	Body wire.MemoryRequest
}

// memoryRoutes registers the calls on memories and on their words.
func (s *Server) memoryRoutes(a huma.API) {
	tags := []string{"memories"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/memories", Tags: tags, Summary: "The memories of the organization, the last changed first",
		Description: "Only superusers get disabled memories. Filters: name, index, value, type, labels, owner, isEnabled, createdAt, updatedAt.",
	}, needs(domain.BeMember), func(ctx context.Context, in *listMemories) (*body[wire.Page[wire.Memory]], error) {
		f, err := in.filter()
		if err != nil {
			return nil, err
		}
		list, err := s.Memories.Memories(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewPage(list, f.Page, requestOf(ctx).url, wire.NewMemory(callerOf(ctx)))), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/memories", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Create a memory",
	}, needs(domain.MakeMemory), func(ctx context.Context, in *newMemory) (*body[wire.Memory], error) {
		n := in.Body.New()
		// The whole body is part of the hash, so the same key with another memory is 422.
		var err error
		if n.Key, err = idempotency(in.IdempotencyKey, in.Body); err != nil {
			return nil, err
		}
		m, err := s.Memories.CreateMemory(ctx, callerOf(ctx), n)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewMemory(callerOf(ctx))(m)), nil
	})

	// PUT and PATCH differ only in how they read the body: with PUT a required field that is
	// missing counts as empty, which is an error; with PATCH it stays as it is.
	for _, call := range []struct {
		method, summary string
		read            func(*wire.MemoryRequest) domain.MemoryUpdate
	}{
		{http.MethodPut, "Change a memory", (*wire.MemoryRequest).Put},
		{http.MethodPatch, "Change fields of a memory, such as isEnabled", (*wire.MemoryRequest).Patch},
	} {
		register(a, s.log, huma.Operation{
			Method: call.method, Path: "/memory/memories/{id}", Tags: tags, Summary: call.summary,
		}, needs(domain.ChangeMemory), func(ctx context.Context, in *changeMemory) (*body[wire.Memory], error) {
			u := call.read(&in.Body)
			var err error
			// Without a version the change is made to what is stored now; with an old version it is
			// 409.
			if u.Version, err = in.from(in.Body.Version); err != nil {
				return nil, err
			}
			m, err := s.Memories.UpdateMemory(ctx, callerOf(ctx), in.ID, u)
			if err != nil {
				return nil, err
			}
			return answer(wire.NewMemory(callerOf(ctx))(m)), nil
		})
	}

	register(a, s.log, huma.Operation{
		Method: http.MethodDelete, Path: "/memory/memories/{id}", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary: "Permanently delete a memory",
	}, needs(domain.DeleteMemory), func(ctx context.Context, in *memoryID) (*none, error) {
		return nil, s.Memories.DeleteMemory(ctx, callerOf(ctx), in.ID)
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/memorytypes", Tags: tags, Summary: "The types of memories",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.Page[wire.MemoryType]], error) {
		words, err := s.Memories.MemoryTypes(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		// The three kinds of words are short lists, so each is answered as a single page.
		return answer(wire.Whole(words, wire.NewMemoryType)), nil
	})

	for _, call := range []struct {
		path, summary string
		read          func(context.Context, domain.Caller) ([]domain.MemoryWord, error)
	}{
		{"/memory/memorylabels", "The labels of memories", func(ctx context.Context, c domain.Caller) ([]domain.MemoryWord, error) {
			return s.Memories.MemoryLabels(ctx, c)
		}},
		{"/memory/memorysources", "The sources of memories", func(ctx context.Context, c domain.Caller) ([]domain.MemoryWord, error) {
			return s.Memories.MemorySources(ctx, c)
		}},
	} {
		register(a, s.log, huma.Operation{
			Method: http.MethodGet, Path: call.path, Tags: tags, Summary: call.summary,
		}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.Page[wire.MemoryWord]], error) {
			words, err := call.read(ctx, callerOf(ctx))
			if err != nil {
				return nil, err
			}
			return answer(wire.Whole(words, wire.NewMemoryWord)), nil
		})
	}
}
