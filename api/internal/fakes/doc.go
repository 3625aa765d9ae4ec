// Package fakes are the services behind the API, in memory, for its tests.
// They keep the rights that the real ones keep, so that a test can tell a
// refused call from one that never reached a service.
package fakes
