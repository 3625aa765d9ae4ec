// Package openai is a provider for every vendor that speaks OpenAI's chat
// completions: one address, one key, one model. Whether and when a call is made
// again is the pipeline's to say, so the SDK's own retries are off.
package openai
