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
		Right{Action: MakeConversation, Does: "create one", Lone: true},
		Right{Action: SeeConversation, Does: "read it and its access list"},
		// For other readers a request for all versions is no error: they get the current messages.
		Right{Action: SeeCutMessages, Does: "read the messages that rewinds have removed", Needs: owners().orNotThere()},
		Right{Action: UseConversation, Does: "duplicate it; archive it or mark it as a favourite for themselves"},
		Right{Action: SendPrompt, Does: "send a prompt", Needs: owner.or("You cannot send messages to a shared conversation")},
		Right{Action: StopTurn, Does: "stop a turn", Needs: owner.or(own[0].Refusal)},
		Right{Action: RewindConversation, Does: "rewind it", Needs: own},
		Right{Action: ChangeConversation, Does: "change its name, description, connectors and projects", Needs: own},
		Right{Action: ShareConversation, Does: "share it", Needs: own},
		Right{Action: DeleteConversation, Does: "delete it", Needs: own},
		// This is for a connector that belongs to the conversation. A connector of a table of an
		// answer is a copy, which needs only the right to read.
		Right{
			Action: AttachDataSource, Does: "create a connector that belongs to it",
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
	given := Rule{
		"its author while they can read the conversation, the conversation's owner and superusers",
		func(c Caller, s Relation) bool { return c.IsSuperuser || s.Permission.CanRead() },
	}
	part := readers().called("everybody who can read its conversation")
	rows := NounConversation.rights(reviewed, Right{Action: ReviewConversation, Does: "review its feedback, with its messages and tables"})
	rows = append(rows, NounMessage.rights(part,
		Right{Action: SeeMessage, Does: "read it"},
		Right{
			Action: SeeInternalMessages, Does: "read internal messages of the conversations that they can read", Lone: true,
			Needs: superusers().orNotThere(),
		},
		Right{Action: GiveFeedback, Does: "give feedback on it"},
	)...)
	rows = append(rows, NounDisplayObject.rights(part, Right{Action: SeeDisplayObject, Does: "open it"})...)
	return append(rows, NounFeedback.rights(given,
		Right{Action: SeeFeedback, Does: "see it"},
		Right{Action: CommentFeedback, Does: "comment on it"},
	)...)
}

// rightsOfBlueprints returns the rights on blueprints and their steps. Everybody may use a library
// blueprint, and superusers may archive it; only its owner changes it.
func rightsOfBlueprints() []Right {
	const notOwner = "Only the owner can change this blueprint."
	own := owners().or(notOwner)
	archive := ownersAnd("its owner, and superusers if it is a library blueprint", func(s Relation) bool { return s.IsLibrary })
	rows := NounBlueprint.rights(readers().called("its owner and those it is shared with, and everybody if it is a library blueprint"),
		Right{Action: MakeBlueprint, Does: "create one", Lone: true},
		Right{Action: SeeBlueprint, Does: "read it and its access list"},
		Right{Action: UseBlueprint, Does: "start it, copy it, mark it as a favourite"},
		Right{Action: ChangeBlueprint, Does: "change it", Needs: own},
		Right{Action: ShareBlueprint, Does: "share it", Needs: own},
		Right{
			Action: ArchiveBlueprint, Does: "archive and restore it",
			Needs: archive.or("Only the owner can archive this blueprint."),
		},
		Right{Action: DeleteBlueprint, Does: "delete it", Needs: own},
		Right{Action: AddQAInstructions, Does: "add QA instructions in the web", Lone: true, Needs: superusers().orNotThere()},
	)
	return append(rows, NounStep.rights(readers().called("everybody who can read its blueprint, or its owner if it has no blueprint yet"),
		Right{Action: MakeStep, Does: "create one", Lone: true},
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
	open := Rule{"who must be a superuser if it is for the whole organization", func(c Caller, s Relation) bool {
		return c.IsSuperuser || s.Scope != ScopeOrganisation
	}}
	seen := readers().called("its owner and those it is shared with, everybody if it is for the organization, " +
		"and the readers of its conversation if it belongs to one")
	rows := NounDataSource.rights(seen,
		Right{Action: MakeDataSource, Does: "create one", Lone: true},
		Right{
			Action: PublishDataSource, Does: "create one for the whole organization", Lone: true,
			Needs: superusers().or("Sharing a connector with the whole organization is for superusers."),
		},
		Right{
			Action: ConnectDataSource, Does: "create one for a remote database, and test the connection", Lone: true,
			Needs: keepers().or("You do not have permission to do this"),
		},
		Right{Action: SeeDataSource, Does: "see it and its access list"},
		Right{Action: UseDataSource, Does: "query it, download it, mark it as a favourite"},
		Right{
			Action: ChangeDataSource, Needs: write,
			Does: "change its name, description, projects and data dictionary; correct what its data mean; read its data again",
		},
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
	return append(rows, NounTable.rights(readers().called("everybody who can see its connector"),
		Right{Action: SeeTable, Does: "see it"},
		Right{
			Action: ChangeTable, Does: "change its data dictionary",
			Needs: writers().called("everybody who can change its connector").or(write[0].Refusal),
		},
	)...)
}

// rightsOfKnowledge returns the rights on agents and memories. Only superusers make one; others are
// answered as if the call did not exist (404).
func rightsOfKnowledge() []Right {
	const memories = "Memories are changed by superusers"
	seen := Rule{
		"its owner, those it is shared with, and superusers; everybody if it has no owner; only its owner and superusers if it is disabled",
		func(c Caller, s Relation) bool {
			return c.IsSuperuser || s.Permission == PermissionOwner || s.IsEnabled && s.Permission.CanRead()
		},
	}
	// The rule has no name, because the text of the right already says it.
	other := Rule{"", func(_ Caller, s Relation) bool { return !s.IsDefault }}
	rows := NounAnalyst.rights(seen,
		Right{Action: MakeAnalyst, Does: "create one", Lone: true, Needs: superusers().orNotThere()},
		Right{Action: SeeAnalyst, Does: "see it and its access list"},
		Right{Action: UseAnalyst, Does: "use it, mark it as a favourite"},
		Right{
			Action: ChangeAnalyst, Does: "change it and read its instructions",
			Needs: ownersAnd("its owner and superusers", always).or("Only the owner and superusers can change the agent"),
		},
		Right{Action: ShareAnalyst, Does: "share it", Needs: owners().or("Only the owner can share the agent")},
		Right{
			Action: DeleteAnalyst, Does: "delete it, unless it is the default agent",
			Needs: append(other.or("The default agent cannot be deleted"), owners().or("Only the owner can delete the agent")...),
		},
	)
	read := Rule{"everybody; only superusers if it is disabled", func(c Caller, s Relation) bool {
		return c.IsSuperuser || s.IsEnabled
	}}
	return append(rows, NounMemory.rights(read,
		Right{Action: MakeMemory, Does: "create one", Lone: true, Needs: superusers().orNotThere()},
		Right{Action: SeeMemory, Does: "read it"},
		Right{Action: ChangeMemory, Does: "change it", Needs: superusers().or(memories)},
		Right{Action: DeleteMemory, Does: "delete it", Needs: superusers().or(memories)},
	)...)
}

// rightsOfWork returns the rights on projects and scheduled tasks.
func rightsOfWork() []Right {
	keep := ownersAnd("its owner and superusers", always).or("Only the owner of the project can change it")
	rows := NounProjectLabel.rights(everybody(),
		Right{Action: MakeProjectLabel, Does: "create one", Lone: true},
		Right{Action: SeeProjectLabel, Does: "see it"},
		Right{Action: ChangeProjectLabel, Does: "change it", Needs: keep},
		Right{Action: DeleteProjectLabel, Does: "delete it", Needs: keep},
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
		Right{Action: PlanTasks, Does: "list them, and preview schedules", Lone: true},
		Right{Action: MakeTask, Does: "create one", Lone: true},
		Right{Action: SeeTask, Does: "see it and its history"},
		Right{Action: ChangeTask, Does: "change, enable and disable it", Needs: own},
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
		Right{Action: BeMember, Does: "read lists, labels and reports, with the data that they can see", Lone: true},
		Right{
			Action: SeeCluster, Does: "see the nodes of the server and their figures", Lone: true,
			Needs: operators().or("The nodes of the server are shown to those who operate it."),
		},
	)
	rows = append(rows, NounStream.rights(owners().called("the person to whom it belongs"), Right{Action: FollowStream, Does: "follow it"})...)
	keep := keepers().or("You do not have permission to do this")
	return append(rows, NounCredential.rights(nobody(),
		Right{Action: MakeCredential, Does: "add one", Lone: true, Needs: keep},
		Right{Action: ListCredentials, Does: "list the names of their own", Lone: true, Needs: keep},
		Right{Action: SeeCredential, Does: "read its content"},
	)...)
}
