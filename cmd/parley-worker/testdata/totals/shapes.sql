# Shapes that models write, over films and their actors (many to many by roles), daily stock, sales with targets, and people
# with superiors. Each right statement stands beside a wrong neighbour.

# Common table expressions and bridge tables.

? right sum films.gross
WITH f AS (SELECT film_id, sum(fee) AS cost FROM roles GROUP BY 1) SELECT studio, sum(gross) AS t, sum(cost) FROM films LEFT JOIN f USING (film_id) GROUP BY 1

? repeated sum films.gross
SELECT studio, sum(gross) AS t, sum(fee) FROM films JOIN roles USING (film_id) GROUP BY 1

? right sum films.gross
WITH pairs AS (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) SELECT country, sum(gross) AS t FROM pairs JOIN films USING (film_id) GROUP BY 1

? repeated sum films.gross
WITH pairs AS (SELECT film_id, country FROM roles JOIN actors USING (actor_id)) SELECT country, sum(gross) AS t FROM pairs JOIN films USING (film_id) GROUP BY 1

? repeated sum films.gross
WITH pairs AS (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)), each AS (SELECT country, sum(gross) AS g FROM pairs JOIN films USING (film_id) GROUP BY 1) SELECT sum(g) AS t FROM each

? right sum roles.fee
SELECT country, sum(fee) AS t FROM roles JOIN actors USING (actor_id) GROUP BY 1

? repeated sum films.gross
SELECT actor_name, sum(gross) AS t FROM actors JOIN roles USING (actor_id) JOIN films USING (film_id) GROUP BY 1

? right sum films.gross
SELECT actor_name, sum(gross) AS t FROM actors JOIN (SELECT DISTINCT film_id, actor_id FROM roles) USING (actor_id) JOIN films USING (film_id) GROUP BY 1

? right truth
SELECT actor_id, count(DISTINCT film_id) AS n FROM roles GROUP BY 1
= SELECT actor_id, count(*) FROM (SELECT actor_id, film_id FROM roles GROUP BY ALL) GROUP BY 1

? repeated truth
SELECT sum(n) AS t FROM (SELECT actor_id, count(DISTINCT film_id) AS n FROM roles GROUP BY 1)
= SELECT count(DISTINCT film_id) FROM roles

? right truth
WITH top AS (SELECT actor_id FROM roles GROUP BY 1 ORDER BY sum(fee) DESC, 1 LIMIT 3) SELECT sum(fee) AS t FROM roles WHERE actor_id IN (SELECT actor_id FROM top)
= SELECT sum(s) FROM (SELECT sum(fee) AS s FROM roles GROUP BY actor_id ORDER BY sum(fee) DESC, actor_id LIMIT 3)

? right rows roles
SELECT studio, count(*) AS t FROM films JOIN roles USING (film_id) GROUP BY 1

? repeated rows films
SELECT studio, count(films.film_id) AS t FROM films JOIN roles ON roles.film_id = films.film_id GROUP BY 1

# Functions over windows.

? right truth
SELECT role_id, fee / sum(fee) OVER (PARTITION BY film_id) AS part FROM roles
= SELECT role_id, fee / (SELECT sum(fee) FROM roles o WHERE o.film_id = r.film_id) FROM roles r

? right truth
SELECT sold_on, sum(sum(amount)) OVER (ORDER BY sold_on) AS so_far FROM sales GROUP BY 1
= SELECT sold_on, (SELECT sum(amount) FROM sales o WHERE o.sold_on <= s.sold_on) FROM (SELECT DISTINCT sold_on FROM sales) s

? repeated sum targets.target
SELECT sale_id, sum(target) OVER (ORDER BY sale_id) AS t FROM sales JOIN reps USING (rep) JOIN targets USING (region)

? level per stock.on_hand bin
SELECT bin, day, sum(on_hand) OVER (PARTITION BY warehouse) AS t FROM stock

? right per stock.on_hand bin
SELECT bin, day, sum(on_hand) OVER (PARTITION BY day, warehouse) AS t FROM stock

? right per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM (SELECT * FROM stock QUALIFY row_number() OVER (PARTITION BY bin ORDER BY day DESC) = 1) GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM (SELECT * FROM stock QUALIFY row_number() OVER (PARTITION BY bin, date_trunc('week', day) ORDER BY day DESC) = 1) GROUP BY 1

? right truth
SELECT day, avg(sum(on_hand)) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS mean FROM stock GROUP BY 1
= SELECT day, (SELECT sum(on_hand) / count(DISTINCT day) FROM stock o WHERE o.day BETWEEN s.day - 6 AND s.day) FROM (SELECT DISTINCT day FROM stock) s

? right truth
SELECT rep, sum(amount) AS t FROM (SELECT * FROM sales QUALIFY rank() OVER (PARTITION BY rep ORDER BY amount DESC) <= 3) GROUP BY 1
= SELECT rep, sum(amount) FROM sales s WHERE (SELECT count(*) FROM sales o WHERE o.rep = s.rep AND o.amount > s.amount) < 3 GROUP BY 1

# Subqueries that depend on the outer row.

? right sum roles.fee
SELECT title, (SELECT sum(fee) FROM roles r WHERE r.film_id = f.film_id) AS t FROM films f

? right per stock.on_hand bin
SELECT sum(on_hand) AS t FROM stock s WHERE day = (SELECT max(day) FROM stock o WHERE o.bin = s.bin)

? level per stock.on_hand bin
SELECT sum(on_hand) AS t FROM stock s WHERE day > (SELECT min(day) FROM stock o WHERE o.bin = s.bin)

? repeated sum reps.quota
SELECT sum((SELECT quota FROM reps r WHERE r.rep = s.rep)) AS t FROM sales s

? right sum films.gross
SELECT studio, sum(gross) AS t FROM films f, LATERAL (SELECT sum(fee) AS c FROM roles r WHERE r.film_id = f.film_id) x GROUP BY 1

? right sum films.gross
SELECT studio, sum(gross) AS t FROM films f, LATERAL (SELECT actor_id FROM roles r WHERE r.film_id = f.film_id ORDER BY fee DESC, role_id LIMIT 1) x GROUP BY 1

? repeated sum films.gross
SELECT studio, sum(gross) AS t FROM films f, LATERAL (SELECT actor_id FROM roles r WHERE r.film_id = f.film_id ORDER BY fee DESC, role_id LIMIT 2) x GROUP BY 1

# Unions.

? right sum films.gross
SELECT sum(x) AS t FROM (SELECT gross AS x FROM films UNION ALL SELECT -fee FROM roles)

? right sum roles.fee
SELECT kind, sum(x) AS t FROM (SELECT 'earned' AS kind, gross AS x FROM films UNION ALL SELECT 'paid', fee FROM roles) GROUP BY 1

? repeated sum films.gross
SELECT studio, sum(x) AS t FROM (SELECT studio, gross AS x FROM films JOIN roles USING (film_id) UNION ALL SELECT city, rent FROM warehouses) GROUP BY 1

? right truth
WITH g AS (SELECT country, sum(gross) AS a FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) USING (film_id) GROUP BY 1), c AS (SELECT country, sum(fee) AS b FROM roles JOIN actors USING (actor_id) GROUP BY 1), stack AS (SELECT country, a, NULL AS b FROM g UNION ALL SELECT country, NULL, b FROM c) SELECT country, max(a) AS gross, max(b) AS cost FROM stack GROUP BY 1
= SELECT country, (SELECT sum(gross) FROM films WHERE film_id IN (SELECT film_id FROM roles JOIN actors o USING (actor_id) WHERE o.country = x.country)), (SELECT sum(fee) FROM roles JOIN actors o USING (actor_id) WHERE o.country = x.country) FROM (SELECT DISTINCT country FROM actors JOIN roles USING (actor_id)) x

? repeated sum films.gross
WITH g AS (SELECT country, sum(gross) AS a FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) USING (film_id) GROUP BY 1), stack AS (SELECT country, a, NULL AS b FROM g UNION ALL SELECT city, NULL, rent FROM warehouses) SELECT sum(a) AS t, sum(b) FROM stack

? right truth
WITH g AS (SELECT studio, country, sum(gross) AS a FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) USING (film_id) GROUP BY 1, 2), c AS (SELECT studio, country, sum(fee) AS b FROM roles JOIN films USING (film_id) JOIN actors USING (actor_id) GROUP BY 1, 2), stack AS (SELECT studio, country, a, NULL AS b FROM g UNION ALL SELECT studio, country, NULL, b FROM c), sides AS (SELECT studio, country, max(a) AS a, max(b) AS b FROM stack GROUP BY 1, 2) SELECT studio, country, a / sum(a) OVER (PARTITION BY country) AS part FROM sides WHERE b > 0
= SELECT studio, country, sum(gross) / (SELECT sum(gross) FROM films WHERE film_id IN (SELECT film_id FROM roles JOIN actors o USING (actor_id) WHERE o.country = p.country)) FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) p USING (film_id) GROUP BY 1, 2

? repeated sum films.gross
WITH g AS (SELECT studio, country, sum(gross) AS a FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) USING (film_id) GROUP BY 1, 2), c AS (SELECT studio, country, sum(fee) AS b FROM roles JOIN films USING (film_id) JOIN actors USING (actor_id) GROUP BY 1, 2), stack AS (SELECT studio, country, a, NULL AS b FROM g UNION ALL SELECT studio, country, NULL, b FROM c), sides AS (SELECT studio, country, max(a) AS a, max(b) AS b FROM stack GROUP BY 1, 2) SELECT studio, country, sum(a) OVER (PARTITION BY studio) AS t FROM sides WHERE b > 0

? unchecked per stock.on_hand bin
SELECT day, sum(x) AS t FROM (SELECT day, bin, on_hand AS x FROM stock WHERE warehouse = 'North' UNION ALL SELECT day, bin, on_hand FROM stock WHERE warehouse = 'South') GROUP BY 1

? level per stock.on_hand bin
SELECT sum(x) AS t FROM (SELECT day, bin AS name, on_hand AS x, NULL AS rent FROM stock UNION ALL SELECT NULL, city, NULL, rent FROM warehouses)

? right per stock.on_hand bin
SELECT day, sum(x) AS t FROM (SELECT day, bin AS name, on_hand AS x, NULL AS rent FROM stock UNION ALL SELECT NULL, city, NULL, rent FROM warehouses) GROUP BY 1

# FILTER, CASE and two years side by side.

? right sum sales.amount
SELECT rep, sum(amount) FILTER (WHERE year(sold_on) = 2026) AS t FROM sales GROUP BY 1

? right truth
SELECT rep, sum(amount) FILTER (WHERE year(sold_on) = 2026) - sum(amount) FILTER (WHERE year(sold_on) = 2025) AS change FROM sales GROUP BY 1
= SELECT rep, sum(CASE year(sold_on) WHEN 2026 THEN amount ELSE -amount END) FROM sales GROUP BY 1

? repeated sum reps.quota
SELECT region, sum(quota) FILTER (WHERE way = 'web') AS t FROM sales JOIN reps USING (rep) GROUP BY 1

? right truth
WITH m AS (SELECT date_trunc('month', sold_on) AS m, sum(amount) AS a FROM sales GROUP BY 1) SELECT x.m, x.a, x.a - y.a AS change FROM m x LEFT JOIN m y ON y.m = x.m - INTERVAL 1 YEAR
= SELECT m, (SELECT sum(amount) FROM sales WHERE date_trunc('month', sold_on) = m), (SELECT sum(amount) FROM sales WHERE date_trunc('month', sold_on) = m) - (SELECT sum(amount) FROM sales WHERE date_trunc('month', sold_on) = m - INTERVAL 1 YEAR) FROM (SELECT DISTINCT date_trunc('month', sold_on) AS m FROM sales)

? right truth
WITH m AS (SELECT year(sold_on) AS y, month(sold_on) AS n, sum(amount) AS a FROM sales GROUP BY 1, 2) SELECT y, n, a / lag(a) OVER (PARTITION BY n ORDER BY y) AS growth FROM m
= SELECT y, n, (SELECT sum(amount) FROM sales WHERE year(sold_on) = y AND month(sold_on) = n) / (SELECT sum(amount) FROM sales WHERE year(sold_on) = y - 1 AND month(sold_on) = n) FROM (SELECT DISTINCT year(sold_on) AS y, month(sold_on) AS n FROM sales)

? right truth
SELECT sum(CASE WHEN day = DATE '2026-10-06' THEN on_hand END) - sum(CASE WHEN day = DATE '2026-09-25' THEN on_hand END) AS change FROM stock
= SELECT (SELECT sum(on_hand) FROM stock WHERE day = '2026-10-06') - (SELECT sum(on_hand) FROM stock WHERE day = '2026-09-25')

? level per stock.on_hand bin
SELECT sum(CASE WHEN day >= DATE '2026-10-01' THEN on_hand ELSE 0 END) AS t FROM stock

# DISTINCT ON, ratios of totals, and a level over the number of its periods.

? right per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM (SELECT DISTINCT ON (bin) * FROM stock ORDER BY bin, day DESC) GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM (SELECT DISTINCT ON (bin, day) * FROM stock ORDER BY ALL) GROUP BY 1

? right truth
SELECT warehouse, sum(on_hand) / count(DISTINCT day) AS mean FROM stock GROUP BY 1
= SELECT warehouse, avg(s) FROM (SELECT warehouse, day, sum(on_hand) AS s FROM stock GROUP BY 1, 2) GROUP BY 1

? right truth
SELECT warehouse, round(sum(on_hand) * 1.0 / nullif(count(DISTINCT day), 0), 1) AS mean FROM stock GROUP BY 1
= SELECT warehouse, round(avg(s), 1) FROM (SELECT warehouse, day, sum(on_hand) AS s FROM stock GROUP BY 1, 2) GROUP BY 1

? right truth
WITH d AS (SELECT day, sum(on_hand) AS s FROM stock GROUP BY 1) SELECT sum(s) / count(*) AS mean FROM d
= SELECT avg(s) FROM (SELECT day, sum(on_hand) AS s FROM stock GROUP BY 1)

? level truth
SELECT sum(on_hand) / count(DISTINCT warehouse) AS mean FROM stock
= SELECT avg(s) FROM (SELECT warehouse, sum(on_hand) AS s FROM stock WHERE day = '2026-10-06' GROUP BY 1)

? level per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t, sum(on_hand) / count(DISTINCT day) AS mean FROM stock GROUP BY 1

? level truth
SELECT sum(on_hand) / count(DISTINCT day) AS mean FROM stock WHERE warehouse = 'North' HAVING sum(on_hand) > 900
= SELECT avg(s) FROM (SELECT sum(on_hand) AS s FROM stock WHERE warehouse = 'North' GROUP BY day) HAVING avg(s) > 900

? level truth
SELECT sum(on_hand) / count(DISTINCT day) FILTER (WHERE day >= '2026-10-01') AS mean FROM stock
= SELECT avg(s) FROM (SELECT day, sum(on_hand) AS s FROM stock WHERE day >= '2026-10-01' GROUP BY 1)

? right truth
WITH c AS (SELECT film_id, sum(fee) AS cost FROM roles GROUP BY 1) SELECT studio, sum(gross) / sum(cost) AS ratio FROM films JOIN c USING (film_id) GROUP BY 1
= SELECT studio, (SELECT sum(gross) FROM films o WHERE o.studio = f.studio AND film_id IN (SELECT film_id FROM roles)) / (SELECT sum(fee) FROM roles JOIN films o USING (film_id) WHERE o.studio = f.studio) FROM films f GROUP BY 1

? repeated truth
SELECT studio, sum(gross) / sum(fee) AS ratio FROM films JOIN roles USING (film_id) GROUP BY 1
= SELECT studio, (SELECT sum(gross) FROM films o WHERE o.studio = f.studio AND film_id IN (SELECT film_id FROM roles)) / (SELECT sum(fee) FROM roles JOIN films o USING (film_id) WHERE o.studio = f.studio) FROM films f GROUP BY 1

# Self joins and semi joins.

? right sum reps.quota
SELECT s.rep, sum(e.quota) AS t FROM reps s JOIN reps e ON e.superior = s.rep GROUP BY 1

? repeated sum reps.quota
SELECT s.rep, sum(s.quota) AS t, count(e.rep) FROM reps s LEFT JOIN reps e ON e.superior = s.rep GROUP BY 1

? repeated sum sales.amount
SELECT a.rep, sum(a.amount) AS t FROM sales a JOIN sales b ON a.rep = b.rep AND b.sold_on > a.sold_on GROUP BY 1

? right sum films.gross
SELECT sum(gross) AS t FROM films WHERE film_id IN (SELECT film_id FROM roles WHERE part = 'lead')

? right sum films.gross
SELECT studio, sum(gross) AS t FROM films f WHERE NOT EXISTS (SELECT 1 FROM roles r JOIN actors a USING (actor_id) WHERE r.film_id = f.film_id AND a.country = 'JP') GROUP BY 1

? repeated sum films.gross
SELECT sum(gross) AS t FROM films JOIN roles USING (film_id) WHERE part = 'support'

# Subtotals and pivots.

? right sum sales.amount
SELECT region, way, sum(amount) AS t FROM sales JOIN reps USING (rep) GROUP BY ROLLUP (region, way)

? repeated sum films.gross
SELECT studio, country, sum(gross) AS t FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) USING (film_id) GROUP BY CUBE (studio, country)

? right per stock.on_hand bin
SELECT day, warehouse, sum(on_hand) AS t FROM stock GROUP BY GROUPING SETS ((day, warehouse), (day))

? level per stock.on_hand bin
SELECT day, sum(on_hand) AS t FROM stock GROUP BY GROUPING SETS ((day), ())

? right sum sales.amount
SELECT region, web AS t FROM (PIVOT (SELECT region, way, amount FROM sales JOIN reps USING (rep)) ON way IN ('web', 'shop') USING sum(amount) GROUP BY region)

? level per stock.on_hand bin
SELECT sku, "North" AS t FROM (PIVOT (SELECT sku, warehouse, on_hand FROM stock) ON warehouse IN ('North', 'South') USING sum(on_hand) GROUP BY sku)

# Rows for each day or month, and means of rows that are repeated equally often.

? right sum sales.amount
SELECT m, coalesce(sum(amount), 0) AS t FROM generate_series(TIMESTAMP '2025-01-01', TIMESTAMP '2026-08-01', INTERVAL 1 MONTH) g(m) LEFT JOIN sales ON date_trunc('month', sold_on) = m GROUP BY 1

? repeated sum reps.quota
SELECT region, sum(quota) AS t FROM reps, range(1, 13) r(m) GROUP BY 1

? right avg reps.quota
SELECT region, avg(quota) AS t FROM reps, range(1, 13) r(m) GROUP BY 1

? right avg reps.quota
SELECT avg(quota) AS t FROM reps CROSS JOIN (VALUES ('a'), ('b')) v(x)

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN (VALUES ('East'), ('West'), ('West')) v(x) ON x = region

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps, range(1, 13) r(m) WHERE m * 3 < quota

? right avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets USING (region)

? right avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets USING (region) WHERE month >= '2026-01-01'

? right truth
SELECT region, median(quota) AS m FROM reps JOIN targets USING (region) GROUP BY 1
= SELECT region, median(quota) FROM reps GROUP BY 1

? right avg sales.amount
SELECT region, avg(amount) AS t FROM sales JOIN reps USING (rep) JOIN targets USING (region) GROUP BY 1

? right avg sales.amount
SELECT superior, region, avg(amount) AS t FROM reps JOIN sales USING (rep) JOIN targets USING (region) GROUP BY 1, 2

? right avg roles.fee
SELECT r.film_id, avg(r.fee) AS t FROM roles r JOIN roles o ON o.film_id = r.film_id GROUP BY 1

? repeated avg roles.fee
SELECT r.part, avg(r.fee) AS t FROM roles r JOIN roles o ON o.film_id = r.film_id GROUP BY 1

? repeated avg roles.fee
SELECT r.film_id, r.fee > o.fee AS more, avg(r.fee) AS t FROM roles r JOIN roles o ON o.film_id = r.film_id GROUP BY 1, 2

? repeated avg reps.quota
SELECT target > 60 AS high, avg(quota) AS t FROM reps JOIN targets USING (region) GROUP BY 1

? right avg reps.quota
SELECT year(month) AS y, avg(quota) AS t FROM reps JOIN targets USING (region) GROUP BY 1

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets USING (region), (SELECT mode(target) AS top FROM targets WHERE region = 'East') WHERE target = top

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets USING (region) JOIN (SELECT mode(target) AS top FROM targets) ON target = top

? right avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets USING (region) JOIN (SELECT max(month) AS last FROM targets) ON month = last

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets USING (region) WHERE target > 60

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps LEFT JOIN targets ON targets.region = reps.region AND reps.superior IS NOT NULL

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets USING (region) JOIN sales USING (rep)

? repeated avg warehouses.rent
SELECT avg(rent) AS t FROM warehouses JOIN stock USING (warehouse)

? repeated truth
SELECT stddev(quota) AS s FROM reps JOIN targets USING (region)
= SELECT stddev(quota) FROM reps

# Full joins, and windows over them.

? right truth
WITH a AS (SELECT region, CAST(date_trunc('month', sold_on) AS DATE) AS month, sum(amount) AS s FROM sales JOIN reps USING (rep) GROUP BY 1, 2) SELECT coalesce(a.region, g.region) AS r, sum(s) AS sold, sum(target) AS planned FROM a FULL JOIN targets g ON g.region = a.region AND g.month = a.month GROUP BY 1
= SELECT region, (SELECT sum(amount) FROM sales JOIN reps o USING (rep) WHERE o.region = r.region), (SELECT sum(target) FROM targets o WHERE o.region = r.region) FROM reps r GROUP BY 1

? right truth
WITH a AS (SELECT region, CAST(date_trunc('month', sold_on) AS DATE) AS month, sum(amount) AS s FROM sales JOIN reps USING (rep) GROUP BY 1, 2) SELECT coalesce(a.region, g.region) AS r, coalesce(a.month, g.month) AS m, sum(coalesce(target, 0)) OVER (PARTITION BY coalesce(a.region, g.region) ORDER BY coalesce(a.month, g.month)) AS so_far FROM a FULL JOIN targets g ON g.region = a.region AND g.month = a.month
= SELECT region, month, (SELECT sum(target) FROM targets o WHERE o.region = g.region AND o.month <= g.month) FROM targets g

? right truth
WITH a AS (SELECT region, CAST(date_trunc('month', sold_on) AS DATE) AS month, sum(amount) AS s FROM sales JOIN reps USING (rep) GROUP BY 1, 2), f AS (SELECT coalesce(a.region, g.region) AS r, coalesce(a.month, g.month) AS m, coalesce(s, 0) AS s, target FROM a FULL JOIN targets g ON g.region = a.region AND g.month = a.month) SELECT r, m, s / sum(s) OVER (PARTITION BY r) AS part, sum(target) OVER (PARTITION BY r) AS planned FROM f
= SELECT region, month, coalesce((SELECT sum(amount) FROM sales JOIN reps o USING (rep) WHERE o.region = g.region AND date_trunc('month', sold_on) = g.month), 0) / (SELECT sum(amount) FROM sales JOIN reps o USING (rep) WHERE o.region = g.region), (SELECT sum(target) FROM targets o WHERE o.region = g.region) FROM targets g

? repeated sum targets.target
SELECT coalesce(r.region, g.region) AS n, sum(target) AS t FROM reps r FULL JOIN targets g ON g.region = r.region GROUP BY 1

? repeated sum targets.target
SELECT r.rep, g.month, sum(target) OVER (PARTITION BY coalesce(r.region, g.region)) AS t FROM reps r FULL JOIN targets g ON g.region = r.region

# The last period of a level.

? right per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM stock WHERE (bin, day) IN (SELECT bin, max(day) FROM stock GROUP BY 1) GROUP BY 1

? right per stock.on_hand bin
SELECT date_trunc('month', day) AS m, sum(on_hand) AS t FROM stock WHERE day IN (SELECT max(day) FROM stock GROUP BY date_trunc('month', day)) GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM stock WHERE day IN (SELECT max(day) FROM stock GROUP BY date_trunc('month', day)) GROUP BY 1

? level per stock.on_hand bin
SELECT year(day) AS y, sum(on_hand) AS t FROM stock WHERE day IN (SELECT max(day) FROM stock GROUP BY date_trunc('month', day)) GROUP BY 1

? level per stock.on_hand bin
SELECT date_trunc('month', day) AS m, sum(on_hand) AS t FROM stock WHERE day NOT IN (SELECT max(day) FROM stock GROUP BY date_trunc('month', day)) GROUP BY 1

? right per stock.on_hand bin
SELECT warehouse, sum(h) AS t FROM (SELECT warehouse, bin, arg_max(on_hand, day) AS h FROM stock GROUP BY 1, 2) GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(h) AS t FROM (SELECT warehouse, bin, date_trunc('week', day) AS w, arg_max(on_hand, day) AS h FROM stock GROUP BY 1, 2, 3) GROUP BY 1

? right per revenue.mrr account_id
SELECT CAST(date_trunc('month', month) AS DATE) AS m, sum(mrr) AS t FROM revenue GROUP BY 1

? right per stock.on_hand bin
SELECT w, sum(h) AS t FROM (SELECT warehouse, bin, date_trunc('week', day) AS w, arg_max(on_hand, day) AS h FROM stock GROUP BY 1, 2, 3) GROUP BY 1

? right truth
SELECT warehouse, avg(h) AS mean FROM (SELECT warehouse, bin, year(day) AS y, month(day) AS m, arg_max(on_hand, day) AS h FROM stock GROUP BY ALL) GROUP BY 1
= SELECT warehouse, avg(on_hand) FROM stock WHERE day IN ('2026-09-30', '2026-10-06') GROUP BY 1

? level per revenue.mrr account_id
SELECT CAST(date_trunc('year', month) AS DATE) AS y, sum(mrr) AS t FROM revenue GROUP BY 1

? right truth
SELECT CAST(date_trunc('month', CAST(month AS TIMESTAMP)) AS DATE) AS m, sum(mrr) AS level FROM revenue GROUP BY 1
= SELECT month, sum(mrr) FROM revenue GROUP BY 1

# Sales beside their targets.

? repeated sum targets.target
SELECT region, sum(target) AS t FROM sales JOIN reps USING (rep) JOIN targets USING (region) WHERE date_trunc('month', sold_on) = month GROUP BY 1

? right sum sales.amount
SELECT r.region, sum(amount) AS t FROM sales JOIN reps r USING (rep) JOIN targets g ON g.region = r.region AND g.month = date_trunc('month', sold_on) GROUP BY 1

? right truth
SELECT avg(s) AS mean FROM (SELECT rep, sum(amount) AS s FROM sales GROUP BY 1)
= SELECT sum(amount) / count(DISTINCT rep) FROM sales

# Neighbours of the shapes above that are wrong in another way.

? repeated sum films.gross
WITH g AS (SELECT studio, country, sum(gross) AS a FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) USING (film_id) GROUP BY 1, 2), stack AS (SELECT studio, country, a, NULL AS b FROM g UNION ALL SELECT NULL, city, NULL, rent FROM warehouses) SELECT studio, sum(a) AS t FROM stack GROUP BY 1

? right sum films.gross
WITH g AS (SELECT studio, country, sum(gross) AS a FROM films JOIN (SELECT DISTINCT film_id, country FROM roles JOIN actors USING (actor_id)) USING (film_id) GROUP BY 1, 2), stack AS (SELECT studio, country, a, NULL AS b FROM g UNION ALL SELECT NULL, city, NULL, rent FROM warehouses) SELECT country, sum(a) AS t FROM stack GROUP BY 1

? repeated truth
SELECT sum(on_hand) / count(DISTINCT day) AS mean FROM stock, range(2)
= SELECT avg(s) FROM (SELECT sum(on_hand) AS s FROM stock GROUP BY day)

? level truth
SELECT sum(on_hand) / count(DISTINCT date_trunc('week', day)) AS mean FROM stock
= SELECT avg(s) FROM (SELECT sum(on_hand) AS s FROM stock GROUP BY day)

? mixed truth
SELECT sum(amount) / count(*) AS mean FROM invoices
= SELECT avg(amount * rate) FROM invoices JOIN fx USING (currency)

? right truth
SELECT sum(price) / count(price) AS mean FROM price_list
= SELECT avg(price) FROM price_list

? rate truth
SELECT sum(price) / count(DISTINCT product_group) AS mean FROM price_list JOIN products USING (product_id)
= SELECT avg(price) FROM price_list

? level per stock.on_hand bin
SELECT sum(on_hand) AS t FROM stock WHERE (bin, day) IN (SELECT bin, day FROM stock WHERE received > 3)

? level per stock.on_hand bin
SELECT sum(on_hand) AS t FROM stock s WHERE EXISTS (SELECT 1 FROM stock o WHERE o.bin = s.bin AND o.day > s.day)

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN (SELECT * FROM targets ORDER BY target LIMIT 21) USING (region)

? repeated avg reps.quota
SELECT avg(quota) AS t FROM reps JOIN targets g USING (region) WHERE EXISTS (SELECT 1 FROM sales s JOIN reps o USING (rep) WHERE o.region = g.region AND date_trunc('month', sold_on) = g.month AND s.amount > 50)

? level truth
SELECT account_id, sum(mrr) / count(DISTINCT month) AS mean FROM revenue WHERE account_id = 2 OR account_id = 1 AND month > '2026-07-01' GROUP BY 1 ORDER BY sum(mrr) DESC LIMIT 1
= SELECT account_id, avg(mrr) AS mean FROM revenue WHERE account_id = 2 OR account_id = 1 AND month > '2026-07-01' GROUP BY 1 ORDER BY mean DESC LIMIT 1

? right truth
SELECT account_id, sum(mrr) / count(DISTINCT month) AS mean FROM revenue GROUP BY 1 ORDER BY mean DESC LIMIT 3
= SELECT account_id, avg(mrr) AS mean FROM revenue GROUP BY 1 ORDER BY mean DESC LIMIT 3

# Full joins of three tables.

? right truth
WITH a AS (SELECT month(sold_on) AS m, sum(amount) AS x FROM sales GROUP BY 1), b AS (SELECT month(month) AS m, sum(target) AS y FROM targets GROUP BY 1), c AS (SELECT month(order_date) AS m, sum(order_total) AS z FROM orders GROUP BY 1) SELECT sum(x) AS sold, sum(y) AS planned, sum(z) AS ordered FROM a FULL JOIN b USING (m) FULL JOIN c USING (m)
= SELECT (SELECT sum(amount) FROM sales), (SELECT sum(target) FROM targets), (SELECT sum(order_total) FROM orders)

? right truth
WITH a AS (SELECT month(sold_on) AS m, sum(amount) AS x FROM sales GROUP BY 1), b AS (SELECT month(month) AS m, sum(target) AS y FROM targets GROUP BY 1), c AS (SELECT month(order_date) AS m, sum(order_total) AS z FROM orders GROUP BY 1) SELECT m, sum(z) OVER (ORDER BY m) AS so_far FROM a FULL JOIN b USING (m) FULL JOIN c USING (m)
= SELECT m, (SELECT sum(order_total) FROM orders WHERE month(order_date) <= m) FROM range(1, 13) r(m)

? right truth
WITH a AS (SELECT month(sold_on) AS m, sum(amount) AS x FROM sales GROUP BY 1), b AS (SELECT month(month) AS m, sum(target) AS y FROM targets GROUP BY 1), c AS (SELECT month(order_date) AS m, sum(order_total) AS z FROM orders GROUP BY 1) SELECT coalesce(a.m, b.m, c.m) AS m, x / sum(x) OVER () AS part, sum(z) OVER () AS ordered FROM a FULL JOIN b ON a.m = b.m FULL JOIN c ON c.m = coalesce(a.m, b.m)
= SELECT m, (SELECT sum(amount) FROM sales WHERE month(sold_on) = m) / (SELECT sum(amount) FROM sales), (SELECT sum(order_total) FROM orders) FROM range(1, 13) r(m)

? repeated sum sales.amount
WITH a AS (SELECT month(sold_on) AS m, sum(amount) AS x FROM sales GROUP BY 1), b AS (SELECT month(month) AS m, sum(target) AS y FROM targets GROUP BY 1), c AS (SELECT month(order_date) AS m, customer_id, sum(order_total) AS z FROM orders GROUP BY 1, 2) SELECT sum(x) AS t, sum(z) FROM a FULL JOIN b USING (m) FULL JOIN c USING (m)

? repeated sum orders.order_total
WITH a AS (SELECT month(sold_on) AS m, sum(amount) AS x FROM sales GROUP BY 1), b AS (SELECT month(month) AS m, region, sum(target) AS y FROM targets GROUP BY 1, 2), c AS (SELECT month(order_date) AS m, sum(order_total) AS z FROM orders GROUP BY 1) SELECT sum(y), sum(z) AS t FROM a FULL JOIN b USING (m) FULL JOIN c USING (m)

# Counts that leave out other rows than the total.

? level truth
SELECT sum(mrr) / count(CASE WHEN month = DATE '2026-08-01' THEN mrr END) AS mean FROM revenue
= SELECT avg(mrr) FROM revenue

? rate truth
SELECT sum(price) / count(nullif(price, 40)) AS mean FROM price_list
= SELECT avg(price) FROM price_list

? right truth
SELECT sum(mrr) / count(account_id) AS mean FROM revenue
= SELECT avg(mrr) FROM revenue

# Rows that the statement lists, as a union of constants.

? level per revenue.mrr account_id
WITH p AS (SELECT 'now' AS label, DATE '2026-08-01' AS m UNION ALL SELECT 'before', DATE '2026-07-01') SELECT sum(mrr) AS t FROM revenue JOIN p ON month = m

? right per revenue.mrr account_id
WITH p AS (SELECT 'now' AS label, DATE '2026-08-01' AS m UNION ALL SELECT 'before', DATE '2026-07-01') SELECT label, sum(mrr) AS t FROM revenue JOIN p ON month = m GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM stock WHERE day IN (SELECT DATE '2026-09-25' UNION ALL SELECT DATE '2026-09-26') GROUP BY 1

? right per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM stock WHERE day IN (SELECT DATE '2026-09-25') GROUP BY 1

? repeated sum departments.budget
SELECT city, sum(budget) AS t FROM departments JOIN (SELECT 1 AS department_id UNION ALL SELECT 1) x USING (department_id) GROUP BY 1

? repeated sum departments.budget
SELECT city, sum(budget) AS t FROM departments JOIN (SELECT 1 AS department_id UNION ALL SELECT 2 UNION ALL SELECT 1.0) x USING (department_id) GROUP BY 1

? right sum departments.budget
SELECT city, sum(budget) AS t FROM departments JOIN (SELECT 1 AS department_id UNION ALL SELECT 2 UNION ALL SELECT 3) x USING (department_id) GROUP BY 1

? right sum departments.budget
SELECT city, sum(budget) AS t FROM departments JOIN (SELECT 1 AS department_id UNION SELECT 2 UNION SELECT 1) x USING (department_id) GROUP BY 1

? repeated sum films.gross
WITH weights AS (SELECT 'base' AS scenario, 1 AS factor UNION ALL SELECT 'high', 2) SELECT studio, sum(gross) AS t FROM films, weights GROUP BY 1

? right sum films.gross
WITH weights AS (SELECT 'base' AS scenario, 1 AS factor UNION ALL SELECT 'high', 2) SELECT scenario, studio, sum(gross) AS t FROM films, weights GROUP BY 1, 2

? mixed apart invoices.amount currency
SELECT sum(amount) AS t FROM invoices JOIN (SELECT 'EUR' AS currency UNION ALL SELECT 'USD') x USING (currency)

? right apart invoices.amount currency
SELECT currency, sum(amount) AS t FROM invoices JOIN (SELECT 'EUR' AS currency UNION ALL SELECT 'USD') x USING (currency) GROUP BY 1

? right apart invoices.amount currency
SELECT sum(amount) AS t FROM invoices JOIN (SELECT 'EUR' AS currency) x USING (currency)

# Levels, rates and currencies within expressions.

? level per revenue.mrr account_id
SELECT sum(CASE WHEN churned THEN -mrr ELSE mrr END) AS t FROM revenue

? right per revenue.mrr account_id
SELECT sum(CASE WHEN churned THEN -mrr ELSE mrr END) AS t FROM revenue WHERE month = DATE '2026-08-01'

? right truth
SELECT sum(CASE WHEN month = DATE '2026-08-01' THEN mrr WHEN month = DATE '2026-07-01' THEN -mrr END) AS t FROM revenue
= SELECT (SELECT sum(mrr) FROM revenue WHERE month = DATE '2026-08-01') - (SELECT sum(mrr) FROM revenue WHERE month = DATE '2026-07-01')

? unchecked truth
SELECT sum(CASE WHEN month = DATE '2026-08-01' THEN mrr ELSE -mrr END) AS t FROM revenue WHERE month >= DATE '2026-07-01'
= SELECT (SELECT sum(mrr) FROM revenue WHERE month = DATE '2026-08-01') - (SELECT sum(mrr) FROM revenue WHERE month = DATE '2026-07-01')

? level per stock.on_hand bin
SELECT warehouse, sum(h) AS t FROM (SELECT warehouse, CASE WHEN sku = 'lamp' THEN on_hand ELSE received END AS h FROM stock) GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(h) AS t FROM (SELECT warehouse, CASE WHEN sku = 'lamp' THEN received ELSE on_hand END AS h FROM stock) GROUP BY 1

? right sum stock.received
SELECT warehouse, sum(CASE WHEN on_hand > 20 THEN received ELSE 0 END) AS t FROM stock GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(greatest(on_hand, 0)) AS t FROM stock GROUP BY 1

? right per stock.on_hand bin
SELECT day, sum(greatest(on_hand, 0)) AS t FROM stock GROUP BY 1

? level per revenue.seats account_id
SELECT plan, sum(coalesce(abs(seats), 0)) AS t FROM revenue GROUP BY 1

? level per revenue.seats account_id
SELECT plan, sum(s) AS t FROM (SELECT plan, seats - account_id AS s FROM revenue) GROUP BY 1

? level per revenue.mrr account_id
SELECT sum(CAST(replace(CAST(mrr AS VARCHAR), ',', '') AS DOUBLE)) AS t FROM revenue

? unchecked truth
SELECT sum(mrr % 1000) AS t FROM revenue
= SELECT sum(mrr % 1000) FROM revenue WHERE month = DATE '2026-08-01'

? unchecked truth
SELECT sum(mrr / seats) AS t FROM revenue
= SELECT sum(mrr) / sum(seats) FROM revenue

? rate truth
SELECT sum(CASE WHEN product_id > 1 THEN price ELSE product_id END) AS t FROM price_list
= SELECT avg(price) FROM price_list

? rate truth
SELECT sum(least(price, 100)) AS t FROM price_list
= SELECT avg(least(price, 100)) FROM price_list

? unchecked truth
SELECT sum(ln(price)) AS t FROM price_list
= SELECT ln(avg(price)) FROM price_list

? right truth
SELECT exp(avg(ln(price))) AS t FROM price_list
= SELECT geomean(price) FROM price_list

? right sum order_items.line_amount
SELECT sum(line_amount - CASE WHEN quantity > 1 THEN cost ELSE 0 END) AS t FROM order_items JOIN price_list USING (product_id)

? mixed apart invoices.amount currency
SELECT account_id, sum(greatest(amount, 0)) AS t FROM invoices GROUP BY 1

? mixed apart invoices.amount currency
SELECT sum(CASE WHEN currency <> 'USD' THEN amount ELSE 0 END) AS t FROM invoices

? right apart invoices.amount currency
SELECT sum(greatest(amount, 0)) AS t FROM invoices WHERE currency = 'USD'

? unchecked truth
SELECT sum(CASE currency WHEN 'USD' THEN amount * 0.9 WHEN 'GBP' THEN amount * 1.2 ELSE amount END) AS t FROM invoices
= SELECT sum(amount * r) FROM invoices JOIN (VALUES ('USD', 0.9), ('GBP', 1.2), ('EUR', 1.0)) v(c, r) ON c = currency

? unchecked truth
SELECT sum(sqrt(amount)) AS t FROM invoices
= SELECT sum(sqrt(amount)) FROM invoices WHERE currency = 'USD'

# A mean, or the value of any row, times the number of rows.

? repeated sum departments.budget
SELECT department_id, any_value(budget) * count(*) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1

? repeated sum departments.budget
SELECT count(*) * avg(budget) AS t FROM departments JOIN employees USING (department_id)

? repeated sum departments.budget
SELECT department_id, round(max(budget) * count(employee_id)) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1

? right sum employees.salary
SELECT department_id, avg(salary) * count(*) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1

? right truth
SELECT department_id, any_value(budget) / count(*) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1
= SELECT department_id, budget / (SELECT count(*) FROM employees e WHERE e.department_id = d.department_id) FROM departments d WHERE department_id IN (SELECT department_id FROM employees)

? level per stock.on_hand bin
SELECT warehouse, avg(on_hand) * count(*) AS t FROM stock GROUP BY 1

? rate truth
SELECT avg(price) * count(*) AS t FROM price_list
= SELECT avg(price) FROM price_list

? unchecked -
WITH b AS (SELECT department_id, any_value(budget) AS budget FROM departments JOIN employees USING (department_id) GROUP BY 1), n AS (SELECT department_id, count(*) AS n FROM employees GROUP BY 1) SELECT department_id, budget * n AS t FROM b JOIN n USING (department_id)

? right truth
SELECT (SELECT avg(salary) FROM employees) * (SELECT count(*) FROM departments) AS t
= SELECT avg(salary) * (SELECT count(*) FROM departments) FROM employees

? unchecked -
SELECT department_id, budget * (SELECT count(*) FROM employees e WHERE e.department_id = d.department_id) AS t FROM departments d

? unchecked -
SELECT sum(budget * (SELECT count(*) FROM employees e WHERE e.department_id = d.department_id)) AS t FROM departments d

? unchecked -
WITH n AS (SELECT department_id, count(*) AS n FROM employees GROUP BY 1) SELECT sum(budget * n) AS t FROM departments JOIN n USING (department_id)

? unchecked -
SELECT department_id, any_value(budget) * (SELECT count(*) FROM employees e WHERE e.department_id = d.department_id) AS t FROM departments d JOIN employees USING (department_id) GROUP BY 1

? right truth
SELECT employee_id, salary * (SELECT count(*) FROM departments) AS t FROM employees
= SELECT employee_id, salary * n FROM employees, (SELECT count(*) AS n FROM departments)

# Figures of lists that an aggregate has collected.

? repeated sum departments.budget
SELECT list_sum(list(budget)) AS t FROM departments JOIN employees USING (department_id)

? right sum employees.salary
SELECT city, list_sum(list(salary)) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1

? distinct truth
SELECT list_sum(list(DISTINCT shipping_fee)) AS t FROM orders
= SELECT sum(shipping_fee) FROM orders

? level per stock.on_hand bin
SELECT warehouse, list_aggregate(array_agg(on_hand), 'sum') AS t FROM stock GROUP BY 1

? right per stock.on_hand bin
SELECT day, list_aggregate(array_agg(on_hand), 'sum') AS t FROM stock GROUP BY 1

? right avg revenue.mrr
SELECT plan, list_avg(list(mrr)) AS t FROM revenue GROUP BY 1

? right truth
SELECT list_max(list(gross)) AS t FROM films JOIN roles USING (film_id)
= SELECT max(gross) FROM films WHERE film_id IN (SELECT film_id FROM roles)

? unchecked avg films.gross
SELECT list_avg(list(gross)) AS t FROM films JOIN roles USING (film_id)

? unchecked sum films.gross
SELECT list_reduce(list(gross), lambda a, b: a + b) AS t FROM films JOIN roles USING (film_id)

? rate truth
SELECT list_sum(list_transform(list(price), lambda a: a + 1)) AS t FROM price_list
= SELECT avg(price) FROM price_list

? mixed apart invoices.amount currency
SELECT account_id, list_sum(list(amount)) AS t FROM invoices GROUP BY 1

? unchecked sum films.gross
SELECT sum(x) AS t FROM (SELECT unnest(list(gross)) AS x FROM films JOIN roles USING (film_id))

? right sum roles.fee
SELECT sum(x) AS t FROM (SELECT unnest(list(fee)) AS x FROM films JOIN roles USING (film_id))

? unchecked per stock.on_hand bin
SELECT sum(x) AS t FROM (SELECT day, unnest(list(on_hand)) AS x FROM stock GROUP BY 1)

? unchecked truth
SELECT len(list(gross)) AS t FROM films JOIN roles USING (film_id)
= SELECT count(*) FROM films

? repeated truth
SELECT sum(n) AS t FROM (SELECT product_id, approx_count_distinct(order_id) n FROM order_items GROUP BY 1)
= SELECT count(DISTINCT order_id) FROM order_items

# Conditions that leave the last period.

? right per revenue.mrr account_id
SELECT plan, sum(mrr) AS t FROM revenue WHERE month >= DATE '2026-08-01' GROUP BY 1

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month > DATE '2026-07-01'

? level per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month >= DATE '2026-07-01'

? right per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM stock WHERE day >= (SELECT max(day) FROM stock) GROUP BY 1

? right per stock.on_hand bin
WITH last AS (SELECT max(day) AS d FROM stock) SELECT warehouse, sum(on_hand) AS t FROM stock, last WHERE day >= d GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM stock WHERE day >= (SELECT max(day) FROM stock WHERE day < DATE '2026-10-01') GROUP BY 1

? level per stock.on_hand bin
SELECT warehouse, sum(on_hand) AS t FROM stock WHERE day >= (SELECT min(day) FROM stock) GROUP BY 1

? right per revenue.seats account_id
SELECT sum(seats) AS t FROM revenue WHERE month > (SELECT max(month) FROM revenue) - INTERVAL 1 MONTH

? level per revenue.seats account_id
SELECT sum(seats) AS t FROM revenue WHERE month >= (SELECT max(month) FROM revenue) - INTERVAL 1 MONTH

? level per revenue.seats account_id
SELECT sum(seats) AS t FROM revenue WHERE month > (SELECT max(month) FROM revenue) - INTERVAL 2 MONTH

? right per stock.on_hand bin
SELECT sku, sum(on_hand) AS t FROM stock WHERE day > (SELECT max(day) FROM stock) - INTERVAL 1 DAY GROUP BY 1

? right per stock.on_hand bin
SELECT sku, sum(on_hand) AS t FROM stock WHERE day > (SELECT max(day) FROM stock) - 1 GROUP BY 1

? level per stock.on_hand bin
SELECT sku, sum(on_hand) AS t FROM stock WHERE day > (SELECT max(day) FROM stock) - INTERVAL 7 DAY GROUP BY 1

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE CAST(month AS VARCHAR) LIKE '2026-08%'

? level per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE CAST(month AS VARCHAR) LIKE '2026%'

? level per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE CAST(month AS VARCHAR) LIKE '2026-0%'

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month BETWEEN DATE '2026-08-01' AND DATE '2026-08-31'
