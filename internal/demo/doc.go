// Package demo is the demo data of a new installation: two organisations, their
// people and teams, and sample data sources. It is data only: the services that
// store such objects load it.
//
// The files are made by a seeded generator with integers only, so that they have the
// same bytes on every machine and with every release of Go. They are meant for analysis,
// so there is something to find:
//
//   - Retail orders grow by about a tenth a year, with a peak in November and
//     December; tents and kayaks sell in spring and summer. Footwear is returned
//     most often, and so are lines with high discounts. The online shop overtakes the
//     stores. Tents were out of stock in May and June 2025. Slow deliveries get
//     worse ratings.
//   - Service tickets belong to those orders: most are about late deliveries and
//     returns. Answers are slower in December and faster in 2026; satisfaction
//     depends on the time to a solution.
//   - Subscriptions: accounts with low usage churn, yearly contracts stay,
//     accounts won through partners stay longest, and after the price rise of July
//     2025 small accounts with monthly terms churn more.
package demo
