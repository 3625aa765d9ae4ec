// Package openai is a provider for every vendor with the API of OpenAI's chat completions: one address,
// one key, one model. The pipeline decides whether and when a call is made again, so the SDK's own
// retries are off.
package openai
