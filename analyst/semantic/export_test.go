package semantic

// CachedMax is for tests of the limit.
const CachedMax = cachedMax
