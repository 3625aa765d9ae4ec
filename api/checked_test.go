package api_test

import (
	"context"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// checked makes the recording services check requests by domain's rules, as the real services
// do, for attacks that send invalid input to every route.
func checked(c *api.Config) {
	c.Blueprints = checkedBlueprints{c.Blueprints}
	c.Analysts = checkedAnalysts{c.Analysts}
	c.DataSources = checkedDataSources{c.DataSources}
	c.Corrections = checkedCorrections{c.Corrections}
	c.Conversations = checkedConversations{c.Conversations}
	c.Feedback = checkedFeedback{c.Feedback}
	c.Memories = checkedMemories{c.Memories}
	c.ProjectLabels = checkedProjectLabels{c.ProjectLabels}
	c.Tasks = checkedTasks{c.Tasks}
}

type checkedConversations struct{ domain.ConversationService }

func (s checkedConversations) CreateConversation(
	ctx context.Context, caller domain.Caller, n domain.NewConversation,
) (*domain.Conversation, error) {
	if err := n.Complete(); err != nil {
		return nil, err
	}
	return s.ConversationService.CreateConversation(ctx, caller, n)
}

type checkedDataSources struct{ domain.DataSourceService }

func (s checkedDataSources) CreateDataSource(
	ctx context.Context, caller domain.Caller, n domain.NewDataSource,
) (*domain.DataSource, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	return s.DataSourceService.CreateDataSource(ctx, caller, n)
}

func (s checkedDataSources) UpdateDataSource(
	ctx context.Context, caller domain.Caller, id int64, u domain.DataSourceUpdate,
) (*domain.DataSource, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}
	return s.DataSourceService.UpdateDataSource(ctx, caller, id, u)
}

func (s checkedDataSources) SetDictionary(
	ctx context.Context, caller domain.Caller, source, table int64, details string,
) (*domain.DataSource, error) {
	if err := domain.ValidateDictionary(details); err != nil {
		return nil, err
	}
	return s.DataSourceService.SetDictionary(ctx, caller, source, table, details)
}

type checkedCorrections struct{ domain.CorrectionService }

func (s checkedCorrections) Correct(
	ctx context.Context, caller domain.Caller, source int64, n domain.NewCorrection,
) (*meaning.Correction, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	return s.CorrectionService.Correct(ctx, caller, source, n)
}

type checkedAnalysts struct{ domain.AnalystService }

func (s checkedAnalysts) CreateAnalyst(ctx context.Context, caller domain.Caller, u domain.AnalystUpdate) (*domain.Analyst, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}
	return s.AnalystService.CreateAnalyst(ctx, caller, u)
}

func (s checkedAnalysts) UpdateAnalyst(
	ctx context.Context, caller domain.Caller, id int64, u domain.AnalystUpdate,
) (*domain.Analyst, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}
	return s.AnalystService.UpdateAnalyst(ctx, caller, id, u)
}

type checkedFeedback struct{ domain.FeedbackService }

func (s checkedFeedback) GiveFeedback(ctx context.Context, caller domain.Caller, n domain.NewFeedback) (*domain.Feedback, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	return s.FeedbackService.GiveFeedback(ctx, caller, n)
}

func (s checkedFeedback) AddComment(ctx context.Context, caller domain.Caller, n domain.NewComment) (*domain.Comment, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	return s.FeedbackService.AddComment(ctx, caller, n)
}

type checkedBlueprints struct{ domain.BlueprintService }

func (s checkedBlueprints) CreateBlueprint(ctx context.Context, caller domain.Caller, d domain.BlueprintDraft) (*domain.Blueprint, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.BlueprintService.CreateBlueprint(ctx, caller, d)
}

func (s checkedBlueprints) UpdateBlueprint(
	ctx context.Context, caller domain.Caller, id int64, d domain.BlueprintDraft,
) (*domain.Blueprint, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.BlueprintService.UpdateBlueprint(ctx, caller, id, d)
}

func (s checkedBlueprints) StartBlueprint(
	ctx context.Context, caller domain.Caller, id int64, start domain.BlueprintStart,
) (*domain.BlueprintStarted, error) {
	b, err := s.Blueprint(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	if _, _, err := b.Start(start.Inputs); err != nil {
		return nil, err
	}
	return s.BlueprintService.StartBlueprint(ctx, caller, id, start)
}

func (s checkedBlueprints) CreateStep(ctx context.Context, caller domain.Caller, d domain.StepDraft) (*domain.BlueprintStep, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.BlueprintService.CreateStep(ctx, caller, d)
}

func (s checkedBlueprints) UpdateStep(
	ctx context.Context, caller domain.Caller, id int64, d domain.StepDraft,
) (*domain.BlueprintStep, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.BlueprintService.UpdateStep(ctx, caller, id, d)
}

type checkedMemories struct{ domain.MemoryService }

func (s checkedMemories) CreateMemory(ctx context.Context, caller domain.Caller, n domain.NewMemory) (*domain.Memory, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	return s.MemoryService.CreateMemory(ctx, caller, n)
}

func (s checkedMemories) UpdateMemory(ctx context.Context, caller domain.Caller, id int64, u domain.MemoryUpdate) (*domain.Memory, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}
	return s.MemoryService.UpdateMemory(ctx, caller, id, u)
}

type checkedProjectLabels struct{ domain.ProjectLabelService }

func (s checkedProjectLabels) CreateProjectLabel(
	ctx context.Context, caller domain.Caller, d domain.ProjectLabelDraft,
) (*domain.ProjectLabel, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.ProjectLabelService.CreateProjectLabel(ctx, caller, d)
}

func (s checkedProjectLabels) UpdateProjectLabel(
	ctx context.Context, caller domain.Caller, id int64, d domain.ProjectLabelDraft,
) (*domain.ProjectLabel, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.ProjectLabelService.UpdateProjectLabel(ctx, caller, id, d)
}

type checkedTasks struct{ domain.TaskService }

func (s checkedTasks) CreateTask(ctx context.Context, caller domain.Caller, in domain.TaskInput) (*domain.ScheduledTask, error) {
	var c domain.Checks
	in.Validate(&c)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return s.TaskService.CreateTask(ctx, caller, in)
}

func (s checkedTasks) UpdateTask(
	ctx context.Context, caller domain.Caller, id uuid.UUID, in domain.TaskInput,
) (*domain.ScheduledTask, error) {
	var c domain.Checks
	in.Validate(&c)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return s.TaskService.UpdateTask(ctx, caller, id, in)
}

func (s checkedTasks) ComingRuns(ctx context.Context, caller domain.Caller, in domain.ScheduleInput) ([]time.Time, error) {
	var c domain.Checks
	in.Schedule(&c, "")
	if err := c.Err(); err != nil {
		return nil, err
	}
	return s.TaskService.ComingRuns(ctx, caller, in)
}
