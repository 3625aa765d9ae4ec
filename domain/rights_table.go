package domain

// The table of who may do what (docs/rights.md). The texts of Does and of the rules are published
// in the description of the API and in docs/rights.md, and refusals are shown to people, so a
// change of one needs make generate.

// rightsOfConversations returns the rights on conversations. People with a share read and copy a
// conversation, and have their own marks and archive; only its owner changes it.
func rightsOfConversations() []Right {
	owner := owners().called("the conversation's owner")
	own := owners().or("Only the owner of a conversation can do this.")
	return NounConversation.rights(readers(),
		Right{Action: MakeConversation, Does: "make one", Lone: true},
		Right{Action: SeeConversation, Does: "read it, and who may"},
		Right{Action: UseConversation, Does: "copy it, mark it, archive it for themselves"},
		Right{Action: SendPrompt, Does: "send a prompt", Needs: owner.or("You cannot send messages to a shared conversation")},
		Right{Action: StopTurn, Does: "stop a turn", Needs: owner.or(own[0].Refusal)},
		Right{Action: RewindConversation, Does: "rewind it", Needs: own},
		Right{Action: ChangeConversation, Does: "change its words, data sources and projects", Needs: own},
		Right{Action: ShareConversation, Does: "share it", Needs: own},
		Right{Action: DeleteConversation, Does: "delete it", Needs: own},
		// This is for a connector that belongs to the conversation. A connector of a table of an
		// answer is a copy, which needs only the right to read.
		Right{
			Action: AttachDataSource, Does: "make a connector of it",
			Needs: owner.or("You do not have permission to access this conversation"),
		},
	)
}

// rightsOfMessages returns the rights on the parts of conversations. A superuser who reviews
// feedback sees its conversation without a share, and nothing more.
func rightsOfMessages() []Right {
	reviewed := Rule{"superusers, if it has feedback", func(c Caller, s Relation) bool {
		return c.IsSuperuser && s.HasFeedback
	}}
	given := Rule{"its author, while they may read the conversation; the conversation's owner; superusers", func(c Caller, s Relation) bool {
		return c.IsSuperuser || s.Permission.CanRead()
	}}
	part := readers().called("those who may read its conversation")
	rows := NounConversation.rights(reviewed, Right{Action: ReviewConversation, Does: "review its feedback, with its messages and tables"})
	rows = append(rows, NounMessage.rights(part,
		Right{Action: SeeMessage, Does: "read it"},
		Right{Action: GiveFeedback, Does: "give feedback on it"},
	)...)
	rows = append(rows, NounDisplayObject.rights(part, Right{Action: SeeDisplayObject, Does: "open it"})...)
	return append(rows, NounFeedback.rights(given,
		Right{Action: SeeFeedback, Does: "see it"},
		Right{Action: CommentFeedback, Does: "comment it"},
	)...)
}

// rightsOfBlueprints returns the rights on blueprints and their steps. Everybody may use a library
// blueprint, and superusers may archive it; only its owner changes it.
func rightsOfBlueprints() []Right {
	const notOwner = "Only the owner can change this blueprint."
	own := owners().or(notOwner)
	archive := ownersAnd("its owner; superusers for a library one", func(s Relation) bool { return s.IsLibrary })
	rows := NounBlueprint.rights(readers().called("its owner and those it is shared with; everybody for a library one"),
		Right{Action: MakeBlueprint, Does: "make one", Lone: true},
		Right{Action: SeeBlueprint, Does: "read it, and who may"},
		Right{Action: UseBlueprint, Does: "start it, copy it, mark it"},
		Right{Action: ChangeBlueprint, Does: "change it", Needs: own},
		Right{Action: ShareBlueprint, Does: "share it", Needs: own},
		Right{
			Action: ArchiveBlueprint, Does: "archive and restore it",
			Needs: archive.or("Only the owner can archive this blueprint."),
		},
		Right{Action: DeleteBlueprint, Does: "delete it", Needs: own},
	)
	// The standing to a step is the one to its blueprint. A step that waits for a blueprint has its
	// maker as its owner.
	return append(rows, NounStep.rights(readers().called("those who may read its blueprint; its maker while it has no blueprint"),
		Right{Action: MakeStep, Does: "make one", Lone: true},
		Right{Action: SeeStep, Does: "read it"},
		Right{
			Action: ChangeStep, Does: "change and delete it",
			Needs: owners().called("the owner of its blueprint").or(notOwner),
		},
	)...)
}

// rightsOfDataSources returns the rights on connectors and their tables. Connectors are the only
// objects that can be shared for writing: such a share is for words and dictionaries, and not for
// the file.
func rightsOfDataSources() []Right {
	own := owners().or("Only the owner of a connector can do this.")
	write := writers().or("You may use this connector, but not change it.")
	// Everybody in the organization may use such a connector, so its owner alone cannot take it
	// away.
	open := Rule{"only superusers for one of the whole organization", func(c Caller, s Relation) bool {
		return c.IsSuperuser || s.Scope != ScopeOrganisation
	}}
	seen := readers().called("its owner and those it is shared with; everybody for one of the organization; " +
		"its readers for one of a conversation")
	rows := NounDataSource.rights(seen,
		Right{Action: MakeDataSource, Does: "make one", Lone: true},
		Right{
			Action: PublishDataSource, Does: "make one for the whole organization", Lone: true,
			Needs: superusers().or("Sharing a connector with the whole organization is for superusers."),
		},
		Right{
			Action: ConnectDataSource, Does: "make one of a database elsewhere, and try it", Lone: true,
			Needs: keepers().or("You do not have permission to do this"),
		},
		Right{Action: SeeDataSource, Does: "see it, and who may"},
		Right{Action: UseDataSource, Does: "ask it, download it, mark it"},
		Right{Action: ChangeDataSource, Does: "change its words and its dictionary, synchronise it", Needs: write},
		Right{
			Action: ReplaceFile, Does: "replace its file",
			Needs: owners().or("Only the owner of a connector can replace its file."),
		},
		Right{Action: ShareDataSource, Does: "share it", Needs: own},
		Right{Action: ArchiveDataSource, Does: "archive and restore it", Needs: own},
		Right{
			Action: DeleteDataSource, Does: "delete it",
			Needs: append(owners().or("Only the owner of a connector can do this."),
				open.or("A connector of the whole organization can be deleted by a superuser only.")...),
		},
	)
	return append(rows, NounTable.rights(readers().called("those who may see its connector"),
		Right{Action: SeeTable, Does: "see it"},
		Right{
			Action: ChangeTable, Does: "change its dictionary",
			Needs: writers().called("those who may change its connector").or(write[0].Refusal),
		},
	)...)
}

// rightsOfKnowledge returns the rights on agents and memories. Only superusers make one; others are
// answered as if the call did not exist (404).
func rightsOfKnowledge() []Right {
	const memories = "Memories are changed by superusers"
	seen := Rule{
		"its owner, those it is shared with and superusers; everybody for one without an owner; its owner and superusers for one switched off",
		func(c Caller, s Relation) bool {
			return c.IsSuperuser || s.Permission == PermissionOwner || s.IsEnabled && s.Permission.CanRead()
		},
	}
	// The rule has no name, because the text of the right already says it.
	other := Rule{"", func(_ Caller, s Relation) bool { return !s.IsDefault }}
	rows := NounAnalyst.rights(seen,
		Right{Action: MakeAnalyst, Does: "make one", Lone: true, Needs: superusers().orNotThere()},
		Right{Action: SeeAnalyst, Does: "see it, and who may"},
		Right{Action: UseAnalyst, Does: "ask it, mark it"},
		Right{
			Action: ChangeAnalyst, Does: "change it and read its instructions",
			Needs: ownersAnd("its owner and superusers", always).or("Only the owner and superusers can change the agent"),
		},
		Right{Action: ShareAnalyst, Does: "share it", Needs: owners().or("Only the owner can share the agent")},
		Right{
			Action: DeleteAnalyst, Does: "delete it (nobody deletes the default one)",
			Needs: append(other.or("The default agent cannot be deleted"), owners().or("Only the owner can delete the agent")...),
		},
	)
	read := Rule{"everybody; superusers for one that is switched off", func(c Caller, s Relation) bool {
		return c.IsSuperuser || s.IsEnabled
	}}
	return append(rows, NounMemory.rights(read,
		Right{Action: MakeMemory, Does: "make one", Lone: true, Needs: superusers().orNotThere()},
		Right{Action: SeeMemory, Does: "read it"},
		Right{Action: ChangeMemory, Does: "change it", Needs: superusers().or(memories)},
		Right{Action: DeleteMemory, Does: "delete it", Needs: superusers().or(memories)},
	)...)
}

// rightsOfWork returns the rights on projects and scheduled tasks.
func rightsOfWork() []Right {
	makers := ownersAnd("its maker, and superusers", always).or("Only who made the project can change it")
	rows := NounProjectLabel.rights(everybody(),
		Right{Action: MakeProjectLabel, Does: "make one", Lone: true},
		Right{Action: SeeProjectLabel, Does: "see it"},
		Right{Action: ChangeProjectLabel, Does: "change it", Needs: makers},
		Right{Action: DeleteProjectLabel, Does: "delete it", Needs: makers},
	)
	own := owners().or("Only the owner of scheduled work may change it.")
	// The flag is asked before the right to see a task, so people without it learn nothing about
	// tasks.
	flag := Rule{"with the flag scheduledTaskView", func(c Caller, _ Relation) bool {
		return c.Flags.ScheduledTaskView
	}}.or("Scheduled work is not switched on for you.")
	others := Rule{"superusers who are not its owner", func(c Caller, s Relation) bool {
		return c.IsSuperuser && s.Permission != PermissionOwner
	}}
	return append(rows, behind(flag[0], NounTask.rights(ownersAnd("its owner and superusers", always),
		Right{Action: PlanTasks, Does: "list them, and try schedules", Lone: true},
		Right{Action: MakeTask, Does: "make one", Lone: true},
		Right{Action: SeeTask, Does: "see it and its history"},
		Right{Action: ChangeTask, Does: "change it, switch it on and off", Needs: own},
		Right{
			Action: ArchiveTask, Does: "archive and restore it",
			Needs: others.or("Scheduled work is archived by a superuser who is not its owner. Its owner may delete it."),
		},
		Right{Action: DeleteTask, Does: "delete it", Needs: own},
	))...)
}

// rightsOfOrganisations returns the rights of every member, the right to a person's own stream, and
// those on secrets, which nobody may read again.
func rightsOfOrganisations() []Right {
	rows := NounOrganisation.rights(everybody(),
		Right{Action: BeMember, Does: "read lists, words and reports, each of what they may see", Lone: true},
	)
	rows = append(rows, NounStream.rights(owners().called("the person whose it is"), Right{Action: FollowStream, Does: "follow it"})...)
	keep := keepers().or("You do not have permission to do this")
	return append(rows, NounCredential.rights(nobody(),
		Right{Action: MakeCredential, Does: "add one", Lone: true, Needs: keep},
		Right{Action: ListCredentials, Does: "list the names of their own", Lone: true, Needs: keep},
		Right{Action: SeeCredential, Does: "read it again"},
	)...)
}
