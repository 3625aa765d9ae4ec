package demo

import (
	"fmt"
	"time"
)

const (
	channelOnline      = "Online"
	channelStore       = "Store"
	channelMarketplace = "Marketplace"

	segmentConsumer  = "Consumer"
	segmentClub      = "Club"
	segmentCorporate = "Corporate"
)

// The seasons of products: how their sales vary over the year.
func allYear(weight int) (weights [12]int) {
	for i := range weights {
		weights[i] = weight
	}

	return weights
}

func inSummer(weight int) [12]int {
	return [12]int{
		weight / 5, weight / 4, weight * 3 / 4, weight * 5 / 4, weight * 2, weight * 2, weight * 7 / 4, weight, weight / 2,
		weight / 4, weight / 4, weight / 3,
	}
}

func inWinter(weight int) [12]int {
	return [12]int{
		weight * 3 / 2, weight, weight * 3 / 4, weight / 3, weight / 5, weight / 6, weight / 6, weight / 3, weight,
		weight * 3 / 2, weight * 2, weight * 2,
	}
}

// catalogue lists the products.
func catalogue() []product {
	return []product{
		{"Footwear", "Ridgeline Hiking Boot", 17900, 52, allYear(60)},
		{"Footwear", "Trail Runner GT", 12900, 48, allYear(90)},
		{"Footwear", "Approach Shoe", 14500, 50, inSummer(40)},
		{"Footwear", "Winter Trekking Boot", 21900, 54, inWinter(35)},
		{"Jackets", "Stormline Shell", 24900, 46, allYear(50)},
		{"Jackets", "Down Parka", 32900, 49, inWinter(45)},
		{"Jackets", "Windbreaker Light", 8900, 44, inSummer(60)},
		{"Clothing", "Merino Base Layer", 6900, 42, inWinter(90)},
		{"Clothing", "Trekking Trousers", 9900, 43, allYear(85)},
		{"Clothing", "Sun Shirt", 5900, 40, inSummer(80)},
		{"Clothing", "Fleece Pullover", 7900, 41, inWinter(70)},
		{"Tents", "Trail Tent 2P", 27900, 57, inSummer(45)},
		{"Tents", "Base Camp Tent 4P", 45900, 59, inSummer(25)},
		{"Tents", "Ultralight Tarp", 11900, 52, inSummer(25)},
		{"Backpacks", "Daypack 22L", 7900, 45, allYear(80)},
		{"Backpacks", "Expedition Pack 65L", 22900, 51, inSummer(35)},
		{"Backpacks", "Commuter Pack 18L", 9500, 46, allYear(55)},
		{"Climbing", "Climbing Harness", 8500, 55, allYear(35)},
		{"Climbing", "Dynamic Rope 60m", 18900, 58, allYear(20)},
		{"Climbing", "Climbing Helmet", 6900, 53, allYear(30)},
		{"Kayaks", "Touring Kayak", 89900, 66, inSummer(8)},
		{"Kayaks", "Inflatable Kayak", 49900, 62, inSummer(12)},
		{"Accessories", "Insulated Bottle", 2900, 36, allYear(130)},
		{"Accessories", "Headlamp 400", 4900, 42, inWinter(75)},
		{"Accessories", "Trekking Poles", 8900, 47, inSummer(55)},
		{"Accessories", "Wool Socks 3-Pack", 3400, 34, inWinter(120)},
		{"Accessories", "Dry Bag 20L", 2400, 38, inSummer(60)},
	}
}

// pickProduct chooses the product of an order. Tents are out of stock for two months,
// because a supplier failed.
func pickProduct(d *dice, products []product, date time.Time) *product {
	weights := make([]int, len(products))
	for i := range products {
		weights[i] = products[i].weights[date.Month()-1]

		out := date.Year() == 2025 && (date.Month() == time.May || date.Month() == time.June)
		if products[i].category == "Tents" && out {
			weights[i] /= 12
		}
	}

	return &products[d.pick(weights...)]
}

// place is a place where customers live.
type place struct {
	region, country, city string
	weight                int
}

func places() []place {
	return []place{
		{"Central", "Germany", "Munich", 90},
		{"Central", "Germany", "Frankfurt", 60},
		{"North", "Germany", "Hamburg", 75},
		{"East", "Germany", "Leipzig", 45},
		{"Central", "Austria", "Vienna", 60},
		{"Central", "Austria", "Innsbruck", 45},
		{"Central", "Switzerland", "Zürich", 55},
		{"North", "Denmark", "Copenhagen", 50},
		{"North", "Sweden", "Stockholm", 60},
		{"North", "Norway", "Oslo", 50},
		{"West", "France", "Paris", 80},
		{"West", "France", "Lyon", 55},
		{"West", "Netherlands", "Amsterdam", 65},
		{"West", "Belgium", "Brussels", 40},
		{"South", "Italy", "Milan", 65},
		{"South", "Italy", "Turin", 35},
		{"South", "Spain", "Barcelona", 60},
		{"South", "Portugal", "Porto", 30},
		{"East", "Poland", "Kraków", 50},
		{"East", "Czechia", "Prague", 45},
	}
}

// makeCustomers makes the people and companies that buy. A few of them buy a lot.
func makeCustomers(d *dice) []customer {
	const many = 4200

	list := places()

	weights := make([]int, len(list))
	for i := range list {
		weights[i] = list[i].weight
	}

	customers := make([]customer, 0, many)

	for i := range many {
		where := list[d.pick(weights...)]
		customers = append(customers, customer{
			id:      fmt.Sprintf("C-%05d", 10001+i),
			segment: []string{segmentConsumer, segmentClub, segmentCorporate}[d.pick(880, 80, 40)],
			region:  where.region, country: where.country, city: where.city,
			share: 1 + d.tail(60),
		})
	}

	return customers
}

// pickCustomer chooses the customer of an order. New customers join over time: the later
// part of the list does not buy in the first year. Sales in the west fall in 2026.
func pickCustomer(d *dice, customers []customer, date time.Time) *customer {
	months := (date.Year()-2024)*12 + int(date.Month())
	known := min(len(customers), 1500+months*82)

	for {
		found := &customers[d.n(known)]
		if d.n(61) >= found.share+8 {
			continue
		}

		if date.Year() == 2026 && found.region == "West" && d.chance(280) {
			continue
		}

		return found
	}
}

// pickChannel chooses the channel of an order. The online shop grows at the expense of
// the stores, and the marketplace opens in 2025.
func pickChannel(d *dice, date time.Time, buyer *customer) string {
	months := (date.Year()-2024)*12 + int(date.Month()) - 1
	online, store, market := 440+months*7, 560-months*8, 0

	if date.Year() >= 2025 {
		market = 40 + months*2
	}

	if buyer.segment == segmentCorporate {
		store, market = store/4, 0
	}

	return []string{channelOnline, channelStore, channelMarketplace}[d.pick(online, store, market)]
}

// pickPayment chooses the payment method of an order.
func pickPayment(d *dice, channel string, buyer *customer) string {
	switch {
	case buyer.segment == segmentCorporate:
		return "Invoice"
	case channel == channelStore:
		return []string{"Card", "Cash"}[d.pick(780, 220)]
	default:
		return []string{"Card", "PayPal", "Invoice"}[d.pick(560, 330, 110)]
	}
}
