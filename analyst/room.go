package analyst

// room is how many tokens each part of a model's context may have.
type room struct {
	schema, history, earlier, result, memory, guide int
}

// roomOf is the room that the configuration gives.
func roomOf(c *Config) room {
	return room{
		schema: c.SchemaTokens, history: c.HistoryTokens, earlier: c.EarlierTokens,
		result: c.ResultTokens, memory: c.MemoryTokens, guide: c.GuideTokens,
	}
}
