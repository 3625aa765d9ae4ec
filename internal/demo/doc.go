// Package demo is the world of a machine that nobody has set up: two
// organisations, the people and teams in them, and data worth asking about. It
// is data only: the services that keep such objects load it.
//
// The files come out of a seeded generator in whole numbers, so that they are
// the same bytes on every machine and in every release of Go. They are meant to
// be asked, so there is something to find:
//
//   - Retail orders grow by about a tenth a year, with a peak in November and
//     December; tents and kayaks sell in spring and summer. Footwear comes back
//     most, and deep discounts come back more. The online shop overtakes the
//     stores. Tents were out of stock in May and June 2025. Slow deliveries cost
//     stars.
//   - Service tickets belong to those orders: late ones and returns make most of
//     them. Answers slow down in December and got quicker in 2026; satisfaction
//     follows the time to a solution.
//   - Subscriptions: little use comes before leaving, yearly contracts stay,
//     accounts won through partners stay longest, and the price rise of July
//     2025 cost small accounts on monthly terms.
package demo
