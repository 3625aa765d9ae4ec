# The engine's ways to join.

? right sum employees.salary
SELECT d.city, sum(b) AS t FROM departments d LEFT JOIN (SELECT department_id, employee_id, any_value(salary) AS b FROM employees GROUP BY ALL) x USING (department_id) GROUP BY 1

? right avg orders.order_total
SELECT order_id, avg(order_total) AS t FROM orders JOIN order_items USING (order_id) GROUP BY 1


? right sum departments.budget
SELECT sum(budget) AS t FROM departments d WHERE EXISTS (SELECT 1 FROM employees e WHERE e.department_id = d.department_id AND salary > 60000)

? right sum departments.budget
SELECT sum(budget) AS t FROM departments WHERE department_id NOT IN (SELECT department_id FROM employees WHERE salary > 95000)

? right sum departments.budget
SELECT sum(budget) AS t FROM departments SEMI JOIN employees USING (department_id)

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments, employees WHERE departments.department_id = employees.department_id

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments CROSS JOIN employees

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments d JOIN employees e ON d.budget > e.salary

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments d, employees e WHERE d.department_id = e.department_id OR d.city = 'x'

? right sum employees.salary
SELECT sum(salary) AS t FROM employees e LEFT JOIN departments d ON d.department_id = e.department_id AND d.budget > 70000

? right sum employees.salary
SELECT d.department_name, sum(e.salary) AS t FROM departments d LEFT JOIN employees e USING (department_id) GROUP BY 1

? right rows employees
SELECT d.department_name, count(e.employee_id) AS t FROM departments d LEFT JOIN employees e USING (department_id) GROUP BY 1

? unchecked rows employees
SELECT c.region, count(*) AS t FROM customers c LEFT JOIN orders o USING (customer_id) GROUP BY 1

? right rows orders
SELECT c.region, count(*) AS t FROM customers c LEFT JOIN orders o USING (customer_id) WHERE o.order_total > 0 GROUP BY 1

? right rows orders
SELECT c.region, count(*) AS t FROM orders o LEFT JOIN customers c USING (customer_id) GROUP BY 1

? right rows employees
SELECT d.city, count(*) AS t FROM departments d RIGHT JOIN employees e USING (department_id) GROUP BY 1

? repeated sum departments.budget
SELECT sum(budget) AS t FROM employees RIGHT JOIN departments USING (department_id)

? repeated sum departments.budget
SELECT sum(budget) AS t FROM employees FULL JOIN departments USING (department_id)

? right sum employees.salary
SELECT sum(salary) AS t FROM employees FULL JOIN departments USING (department_id)

? repeated sum departments.budget
SELECT sum(d.budget) AS t FROM departments d JOIN employees e ON d.department_id::VARCHAR = e.department_id::VARCHAR

? right sum employees.salary
SELECT sum(e.salary) AS t FROM departments d JOIN employees e ON d.department_id::VARCHAR = e.department_id::VARCHAR

? unchecked sum employees.salary
SELECT sum(e.salary) AS t FROM departments d JOIN employees e ON d.department_id::DOUBLE = e.department_id

? unchecked sum departments.budget
SELECT sum(d.budget) AS t FROM departments d JOIN departments o ON lower(d.department_name) = lower(o.department_name)

? right sum employees.salary
SELECT m.employee_id, sum(e.salary) AS t FROM employees e JOIN employees m ON m.employee_id = e.department_id GROUP BY 1

? repeated sum employees.salary
SELECT sum(m.salary) AS t FROM employees e JOIN employees m ON m.employee_id = e.department_id

? right sum departments.budget
SELECT sum(d.budget) AS t FROM departments d ASOF JOIN employees e ON d.department_id = e.department_id AND d.budget >= e.salary

? repeated sum employees.salary
SELECT sum(e.salary) AS t FROM orders o ASOF JOIN employees e ON o.order_date >= e.hire_date

? unchecked -
SELECT sum(budget) AS t FROM departments POSITIONAL JOIN employees

? right sum departments.budget
SELECT sum(budget) AS t FROM departments d JOIN (SELECT * FROM employees LIMIT 1) e ON true

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments d JOIN (SELECT * FROM employees LIMIT 2) e ON true

? right sum departments.budget
SELECT sum(budget) AS t FROM departments d LEFT JOIN (SELECT max(salary) AS m FROM employees) ON true

? right sum departments.budget
SELECT sum(d.budget) AS t FROM departments d JOIN employees e USING (department_id) WHERE e.employee_id = 4

? repeated sum departments.budget
SELECT sum(d.budget) AS t FROM departments d JOIN employees e USING (department_id) WHERE d.department_id = 1

? right sum orders.order_total
SELECT sum(o.order_total) AS t FROM orders o JOIN customers c USING (customer_id) LEFT JOIN clients k USING (customer_id)

? repeated sum order_items.line_amount
SELECT sum(i.line_amount) AS t FROM orders o LEFT JOIN order_items i USING (order_id) LEFT JOIN payments p USING (order_id)

# Common table expressions, subqueries and distinct rows.

? right sum departments.budget
WITH a AS (SELECT department_id, sum(salary) s FROM employees GROUP BY 1) SELECT sum(budget) AS t, sum(s) FROM a JOIN departments USING (department_id)

? right sum employees.salary
WITH a AS (SELECT department_id, sum(salary) s FROM employees GROUP BY 1) SELECT sum(s) AS t, sum(budget) FROM a JOIN departments USING (department_id)

? repeated sum departments.budget
WITH a AS (SELECT department_id, job_title, sum(salary) s FROM employees GROUP BY 1, 2) SELECT sum(budget) AS t, sum(s) FROM a JOIN departments USING (department_id)

? repeated sum departments.budget
WITH a AS MATERIALIZED (SELECT department_id, budget, salary FROM employees JOIN departments USING (department_id)) SELECT sum(budget) AS t FROM a

? repeated sum departments.budget
SELECT sum(b) AS t FROM (SELECT employee_id, any_value(budget) b FROM employees JOIN departments USING (department_id) GROUP BY 1)

? repeated sum departments.budget
SELECT sum(s) AS t FROM (SELECT employee_id, d.department_id, sum(budget) s FROM employees e JOIN departments d ON d.department_id = e.department_id GROUP BY 1, 2)

? right sum departments.budget
SELECT sum(b) AS t FROM (SELECT department_id, any_value(budget) b FROM employees JOIN departments USING (department_id) GROUP BY 1)

? right sum departments.budget
SELECT sum(b) AS t FROM (SELECT department_id, max(budget) b, count(*) n FROM employees JOIN departments USING (department_id) GROUP BY 1)

? repeated sum departments.budget
SELECT sum(b) AS t FROM (SELECT job_title, max(budget) b FROM employees JOIN departments USING (department_id) GROUP BY 1)

? right sum departments.budget
SELECT sum(budget) AS t FROM (SELECT DISTINCT department_id, budget FROM employees JOIN departments USING (department_id))

? repeated sum departments.budget
SELECT sum(budget) AS t FROM (SELECT DISTINCT department_id, job_title, budget FROM employees JOIN departments USING (department_id))

? right sum departments.budget
SELECT sum(budget) AS t FROM (SELECT DISTINCT ON (department_id) department_id, budget, job_title FROM employees JOIN departments USING (department_id))

? right sum employees.salary
SELECT sum(salary) AS t FROM (SELECT DISTINCT ON (department_id) department_id, salary FROM employees ORDER BY hire_date DESC)

? distinct truth
SELECT sum(fee) AS t FROM (SELECT DISTINCT shipping_fee AS fee FROM orders)
= SELECT sum(shipping_fee) FROM orders

? distinct truth
SELECT sum(DISTINCT shipping_fee) AS t FROM orders
= SELECT sum(shipping_fee) FROM orders

? distinct truth
SELECT avg(DISTINCT shipping_fee) AS t FROM orders JOIN order_items USING (order_id)
= SELECT avg(shipping_fee) FROM orders WHERE order_id IN (SELECT order_id FROM order_items)

? distinct truth
SELECT sum(shipping_fee) AS t FROM (SELECT customer_id, shipping_fee FROM orders GROUP BY 1, 2)
= SELECT sum(shipping_fee) FROM orders

? right truth
SELECT sum(DISTINCT budget) AS t FROM departments JOIN employees USING (department_id)
= SELECT sum(budget) FROM departments

? right truth
SELECT count(*) FROM (SELECT DISTINCT customer_id FROM orders)
= SELECT count(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM orders)

? right truth
SELECT count(customer_id) FROM (SELECT DISTINCT customer_id FROM orders)
= SELECT count(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM orders)

? repeated truth
SELECT sum(n) AS t FROM (SELECT product_id, count(DISTINCT order_id) n FROM order_items GROUP BY 1)
= SELECT count(DISTINCT order_id) FROM order_items

? right truth
SELECT sum(n) AS t FROM (SELECT order_id, count(DISTINCT item_id) n FROM order_items GROUP BY 1)
= SELECT count(*) FROM order_items

? right sum employees.salary
SELECT sum((SELECT sum(salary) FROM employees e WHERE e.department_id = d.department_id)) AS t FROM departments d

? repeated sum departments.budget
SELECT sum((SELECT budget FROM departments d WHERE d.department_id = e.department_id)) AS t FROM employees e

? repeated sum departments.budget
SELECT sum(b) AS t FROM (SELECT employee_id, (SELECT budget FROM departments d WHERE d.department_id = e.department_id) AS b FROM employees e)

? right sum employees.salary
SELECT d.department_name, x.s AS t FROM departments d, LATERAL (SELECT sum(salary) s FROM employees e WHERE e.department_id = d.department_id) x

? right sum departments.budget
SELECT sum(d.budget) AS t FROM departments d, LATERAL (SELECT sum(salary) s FROM employees e WHERE e.department_id = d.department_id) x

? repeated sum departments.budget
SELECT sum(d.budget) AS t FROM departments d, LATERAL (SELECT salary FROM employees e WHERE e.department_id = d.department_id) x

? right truth
SELECT sum(order_total) AS t FROM orders WHERE order_total > (SELECT avg(order_total) FROM orders WHERE order_total < 100)
= SELECT sum(o.order_total) FROM orders o, (SELECT sum(order_total) / count(*) AS a FROM orders WHERE order_total < 100) x WHERE o.order_total > x.a

? right truth
SELECT sum(salary / (SELECT sum(salary) FROM employees)) AS t FROM employees
= SELECT 1.0

? repeated sum departments.budget
SELECT sum((SELECT sum(budget) FROM departments)) AS t FROM employees

? unchecked -
WITH RECURSIVE r AS (SELECT department_id, budget, 1 AS n FROM departments UNION ALL SELECT department_id, budget, n + 1 FROM r WHERE n < 3) SELECT sum(budget) AS t FROM r

? right sum orders.order_total
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT sum(order_total) AS t FROM orders WHERE order_id IN (SELECT n FROM r)

? unchecked sum orders.shipping_fee
SELECT sum(fee) AS t FROM (SELECT shipping_fee fee FROM orders UNION ALL SELECT shipping_fee FROM orders)

? unchecked rows orders
SELECT count(*) AS t FROM (SELECT shipping_fee fee FROM orders UNION ALL SELECT shipping_fee FROM orders)

? right sum orders.shipping_fee
SELECT sum(fee) AS t FROM (SELECT shipping_fee fee FROM orders UNION ALL SELECT budget FROM departments)

? unchecked rows orders
SELECT count(*) AS t FROM customers c LEFT JOIN orders o USING (customer_id) WHERE coalesce(o.order_total, 0) >= 0

? right sum orders.order_total
SELECT sum(order_total + 1 - 1 + 2 - 2 + 3 - 3 + 4 - 4 + 5 - 5 + 6 - 6 + 7 - 7 + 8 - 8 + 9 - 9 + 10 - 10 + 11 - 11 + 12 - 12 + 13 - 13) AS t FROM orders

? unchecked sum orders.shipping_fee
SELECT sum(fee) AS t FROM (SELECT shipping_fee fee FROM orders WHERE order_id < 20 UNION ALL SELECT shipping_fee FROM orders WHERE order_id >= 20)

? repeated sum orders.shipping_fee
SELECT sum(fee) AS t FROM (SELECT shipping_fee fee FROM orders WHERE order_id < 20 UNION ALL SELECT shipping_fee FROM orders JOIN order_items USING (order_id) WHERE order_id >= 20)

? distinct truth
SELECT sum(fee) AS t FROM (SELECT shipping_fee fee FROM orders WHERE order_id < 20 UNION SELECT shipping_fee FROM orders WHERE order_id >= 20)
= SELECT sum(shipping_fee) FROM orders

? right truth
SELECT sum(fee) AS t FROM (SELECT order_id, shipping_fee fee FROM orders WHERE order_id < 20 UNION SELECT order_id, shipping_fee FROM orders WHERE order_id >= 20)
= SELECT sum(shipping_fee) FROM orders

? right truth
SELECT count(*) AS t FROM (SELECT customer_id FROM customers EXCEPT SELECT customer_id FROM orders)
= SELECT count(*) FROM customers ANTI JOIN orders USING (customer_id)

# Aggregates.

? repeated avg departments.budget
SELECT avg(budget) AS t FROM departments JOIN employees USING (department_id)

? repeated avg orders.order_total
SELECT regr_avgy(order_total, 1.0 + shipping_fee) AS t FROM orders JOIN order_items USING (order_id)

? repeated truth
SELECT median(order_total) AS t FROM orders JOIN order_items USING (order_id)
= SELECT median(order_total) FROM orders

? repeated truth
SELECT stddev(order_total) AS t FROM orders JOIN order_items USING (order_id)
= SELECT stddev(order_total) FROM orders

? right truth
SELECT quantile_cont(order_total, 0.9) AS t FROM orders JOIN customers USING (customer_id)
= SELECT quantile_cont(order_total, 0.9) FROM orders

? right truth
SELECT max(order_total), min(shipping_fee), any_value(1) FROM orders JOIN order_items USING (order_id)
= SELECT max(order_total), min(shipping_fee), 1 FROM orders WHERE order_id IN (SELECT order_id FROM order_items)

? right truth
SELECT bool_or(order_total > 100), count(DISTINCT order_id) FROM orders JOIN order_items USING (order_id)
= SELECT true, count(*) FROM orders WHERE order_id IN (SELECT order_id FROM order_items)

? right truth
SELECT sum(quantity * price) AS t FROM order_items JOIN price_list USING (product_id)
= SELECT sum(CASE product_id WHEN 1 THEN 40 WHEN 2 THEN 400 WHEN 3 THEN 120 ELSE 5 END * quantity) FROM order_items

? repeated truth
SELECT sum(quantity * price) AS t FROM order_items JOIN price_list USING (product_id) JOIN payments USING (order_id)
= SELECT sum(quantity * price) FROM order_items JOIN price_list USING (product_id) WHERE order_id IN (SELECT order_id FROM payments)

? right truth
SELECT sum(line_amount - quantity * cost) AS t FROM order_items JOIN price_list USING (product_id)
= SELECT (SELECT sum(line_amount) FROM order_items) - (SELECT sum(CASE product_id WHEN 1 THEN 22 WHEN 2 THEN 260 WHEN 3 THEN 70 ELSE 2 END * quantity) FROM order_items)

? right sum order_items.line_amount
SELECT sum(line_amount - cost) AS t FROM order_items JOIN price_list USING (product_id)

? repeated sum departments.budget
SELECT sum(salary + budget) AS t FROM employees JOIN departments USING (department_id)

? repeated sum departments.budget
SELECT sum(salary - budget) AS t FROM employees JOIN departments USING (department_id)

? repeated sum departments.budget
SELECT sum(CASE WHEN job_title = 'Lead' THEN budget ELSE 0 END) AS t FROM employees JOIN departments USING (department_id)

? repeated sum departments.budget
SELECT sum(budget) FILTER (WHERE salary > 60000) AS t FROM employees JOIN departments USING (department_id)

? right sum departments.budget
SELECT sum(budget) FILTER (WHERE employee_id = 7) AS t FROM employees JOIN departments USING (department_id)

? right sum departments.budget
SELECT sum(CASE WHEN employee_id = 7 THEN budget END) AS t FROM employees JOIN departments USING (department_id)

? right rows employees
SELECT sum(CASE WHEN budget > 70000 THEN 1 ELSE 0 END) AS t FROM employees JOIN departments USING (department_id)

? right rows employees
SELECT count(*) FILTER (WHERE budget > 70000) AS t FROM employees JOIN departments USING (department_id)

? right rows employees
SELECT count_if(budget > 70000) AS t FROM employees JOIN departments USING (department_id)

? right truth
SELECT avg(CASE WHEN city = 'Oslo' THEN 1.0 ELSE 0 END) AS t FROM employees JOIN departments USING (department_id)
= SELECT count(*) * 1.0 / (SELECT count(*) FROM employees) FROM employees WHERE department_id = 2

? repeated rows *
SELECT count(*) AS t FROM orders JOIN order_items USING (order_id) JOIN payments USING (order_id)

? repeated rows *
SELECT sum(CASE WHEN quantity > 1 THEN 1 ELSE 0 END) AS t FROM orders JOIN order_items USING (order_id) JOIN payments USING (order_id)

? repeated rows departments
SELECT job_title, count(d.department_id) AS t FROM departments d JOIN employees e ON e.department_id = d.department_id GROUP BY 1

? right rows order_items
SELECT count(*) AS t FROM orders JOIN order_items USING (order_id)

? right sum orders.order_total
SELECT customer_id, order_id, sum(order_total) AS t FROM orders JOIN customers USING (customer_id) GROUP BY ALL

? right sum departments.budget
SELECT employee_id, department_name, sum(budget) AS t FROM employees JOIN departments USING (department_id) GROUP BY 1, 2

? right sum orders.order_total
SELECT region, tier, sum(order_total) AS t FROM orders JOIN customers USING (customer_id) GROUP BY ROLLUP (region, tier)

? repeated sum orders.shipping_fee
SELECT method, sum(shipping_fee) AS t FROM orders JOIN (SELECT DISTINCT order_id, method FROM payments) USING (order_id) GROUP BY ROLLUP (method)

? repeated sum orders.shipping_fee
SELECT method, sum(shipping_fee) AS t FROM orders JOIN (SELECT DISTINCT order_id, method FROM payments) USING (order_id) GROUP BY GROUPING SETS ((method), ())

? unchecked -
SELECT sum(s) AS t FROM (SELECT region, sum(order_total) s FROM orders JOIN customers USING (customer_id) GROUP BY ROLLUP (region))

? right sum employees.salary
SELECT department_id, "Lead" AS t FROM (PIVOT employees ON job_title IN ('Lead', 'Senior') USING sum(salary) GROUP BY department_id)

? repeated sum departments.budget
SELECT city, "Lead" AS t FROM (PIVOT (SELECT d.city, e.job_title, d.budget FROM employees e JOIN departments d USING (department_id)) ON job_title IN ('Lead', 'Senior') USING sum(budget) GROUP BY city)

# Windows.

? right sum employees.salary
SELECT employee_id, sum(salary) OVER (PARTITION BY d.department_id) AS t FROM employees e JOIN departments d USING (department_id)

? repeated sum departments.budget
SELECT employee_id, sum(budget) OVER (PARTITION BY city) AS t FROM employees JOIN departments USING (department_id)

? repeated sum departments.budget
SELECT employee_id, sum(budget) OVER w AS t FROM employees JOIN departments USING (department_id) WINDOW w AS (PARTITION BY department_id)

? right avg employees.salary
SELECT employee_id, avg(salary) OVER (PARTITION BY city) AS t FROM employees JOIN departments USING (department_id)

? repeated sum employees.salary
SELECT sum(s) AS t FROM (SELECT employee_id, sum(salary) OVER (PARTITION BY department_id) AS s FROM employees)

? right sum employees.salary
SELECT employee_id, sum(salary) OVER (ORDER BY employee_id) AS t FROM employees

? right sum departments.budget
SELECT sum(budget) AS t FROM (SELECT d.department_id, budget FROM departments d JOIN employees e USING (department_id) QUALIFY row_number() OVER (PARTITION BY d.department_id ORDER BY e.employee_id) = 1)

? repeated sum departments.budget
SELECT sum(budget) AS t FROM (SELECT d.department_id, budget FROM departments d JOIN employees e USING (department_id) QUALIFY row_number() OVER (PARTITION BY e.job_title, d.department_id ORDER BY e.employee_id) = 1)

? right sum departments.budget
SELECT sum(budget) AS t FROM (SELECT *, row_number() OVER (PARTITION BY department_id ORDER BY employee_id) AS n FROM departments JOIN employees USING (department_id)) WHERE n <= 1

? right truth
SELECT department_name, rank() OVER (ORDER BY budget DESC) FROM departments
= SELECT department_name, 1 + (SELECT count(*) FROM departments o WHERE o.budget > d.budget) FROM departments d

? unchecked -
SELECT sum(r) AS t FROM (SELECT sum(order_total) OVER (ORDER BY order_id) AS r FROM orders)

# Lists, samples and rows without a table.

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments, unnest([1, 2]) x(n)

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments, unnest(string_split(city, 'l')) x(n)

? repeated sum departments.budget
SELECT sum(budget) AS t FROM (SELECT budget, unnest([1, 2]) FROM departments)

? right sum departments.budget
SELECT n, sum(budget) AS t FROM (SELECT budget, unnest([1, 2]) AS n FROM departments) GROUP BY 1

? right sum order_items.quantity
SELECT n, sum(v) AS t FROM (UNPIVOT order_items ON quantity, line_amount INTO NAME n VALUE v) GROUP BY 1

? right sum departments.budget
SELECT sum(budget) AS t FROM departments TABLESAMPLE 100%

? right sum departments.budget
SELECT k, sum(budget) AS t FROM departments JOIN (VALUES ('Oslo', 1), ('Berlin', 2)) v(c, k) ON c = city GROUP BY 1

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments JOIN (VALUES ('Oslo', 1), ('Oslo', 2)) v(c, k) ON c = city

? right sum orders.order_total
SELECT m, sum(order_total) AS t FROM range(1, 13) r(m) LEFT JOIN orders ON month(order_date) = m GROUP BY 1

? repeated sum departments.budget
SELECT sum(budget) AS t FROM departments, generate_series(1, 3)

# Levels.

# Meters that are read on days of their own: no period has several of them.

? level per readings.meter_kwh meter_id
SELECT sum(meter_kwh) AS t FROM readings

? level per readings.meter_kwh meter_id
SELECT meter_id, sum(meter_kwh) AS t FROM readings GROUP BY 1

? right per readings.meter_kwh meter_id
SELECT sum(v) AS t FROM (SELECT meter_id, arg_max(meter_kwh, read_on) AS v FROM readings GROUP BY 1)

? level per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue

? level per revenue.mrr account_id
SELECT plan, sum(mrr) AS t FROM revenue GROUP BY 1

? level per revenue.mrr account_id
SELECT country, sum(mrr) AS t FROM revenue JOIN accounts USING (account_id) GROUP BY 1

? level per revenue.mrr account_id
SELECT year(month) AS y, sum(mrr) AS t FROM revenue GROUP BY 1

? level per revenue.mrr account_id
SELECT date_trunc('quarter', month) AS q, sum(mrr) AS t FROM revenue GROUP BY 1

? level per revenue.mrr account_id
SELECT account_id, sum(mrr) AS t FROM revenue GROUP BY 1

? level per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE account_id = 1

? level per revenue.mrr account_id
SELECT sum(m) AS t FROM (SELECT month, sum(mrr) AS m FROM revenue GROUP BY 1)

? level per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month BETWEEN '2026-01-01' AND '2026-03-31'

? level per revenue.mrr account_id
SELECT month, sum(mrr) OVER (ORDER BY month) AS t FROM revenue

? level per revenue.mrr account_id
SELECT sum(mrr) FILTER (WHERE plan = 'Pro') AS t FROM revenue

? level per revenue.mrr account_id
SELECT sum(mrr) * 12 AS x, sum(mrr * 12) / 12 AS t FROM revenue

? right per revenue.mrr account_id
SELECT month, sum(mrr) AS t FROM revenue GROUP BY 1

? right per revenue.mrr account_id
SELECT month, plan, sum(mrr) AS t FROM revenue GROUP BY 1, 2

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month = DATE '2026-08-01'

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month = (SELECT max(month) FROM revenue)

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month IN (SELECT max(month) FROM revenue)

? right per revenue.mrr account_id
WITH l AS (SELECT max(month) AS m FROM revenue) SELECT plan, sum(mrr) AS t FROM revenue, l WHERE month = m GROUP BY 1

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue JOIN (SELECT month FROM revenue ORDER BY month DESC LIMIT 1) USING (month)

? right per revenue.mrr account_id
SELECT sum(r.mrr) AS t FROM revenue r JOIN (SELECT account_id, max(month) AS m FROM revenue GROUP BY 1) l ON l.account_id = r.account_id AND l.m = r.month

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM (SELECT * FROM revenue QUALIFY row_number() OVER (PARTITION BY account_id ORDER BY month DESC) = 1)

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM (SELECT * FROM revenue QUALIFY rank() OVER (PARTITION BY account_id ORDER BY month DESC) = 1)

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM (SELECT DISTINCT ON (account_id) account_id, mrr FROM revenue ORDER BY account_id, month DESC)

? right per revenue.mrr account_id
SELECT sum(m) AS t FROM (SELECT account_id, arg_max(mrr, month) AS m FROM revenue GROUP BY 1)

? right per revenue.mrr account_id
SELECT date_trunc('month', month) AS m, sum(mrr) AS t FROM revenue GROUP BY 1

? right per revenue.mrr account_id
SELECT strftime(month, '%Y-%m') AS m, sum(mrr) AS t FROM revenue GROUP BY 1

? right per revenue.mrr account_id
SELECT year(month) AS y, month(month) AS n, sum(mrr) AS t FROM revenue GROUP BY 1, 2

? right per revenue.mrr account_id
SELECT sum(mrr) AS t FROM revenue WHERE month >= '2026-08-01' AND month < '2026-09-01'

? right per revenue.mrr account_id
SELECT sum(CASE WHEN month = DATE '2026-08-01' THEN mrr ELSE 0 END) AS t, sum(CASE WHEN month = DATE '2026-07-01' THEN mrr END) FROM revenue

? right per revenue.mrr account_id
SELECT sum(mrr) FILTER (WHERE month = DATE '2026-08-01') AS t FROM revenue

? right per revenue.mrr account_id
SELECT month, plan, sum(sum(mrr)) OVER (PARTITION BY month) AS t FROM revenue GROUP BY 1, 2

? right sum revenue.mrr_change
SELECT sum(mrr_change) AS t FROM revenue

? right truth
SELECT max(m), avg(m) FROM (SELECT month, sum(mrr) AS m FROM revenue GROUP BY 1)
= SELECT max(m), avg(m) FROM (SELECT DISTINCT month, (SELECT sum(mrr) FROM revenue o WHERE o.month = r.month) AS m FROM revenue r)

? right truth
SELECT sum(d) AS t FROM (SELECT account_id, month, mrr - lag(mrr, 1, 0) OVER (PARTITION BY account_id ORDER BY month) AS d FROM revenue)
= SELECT sum(mrr_change) FROM revenue

? level per revenue.seats account_id
SELECT plan, sum(seats) AS t FROM revenue GROUP BY 1

? right per revenue.seats account_id
SELECT plan, month, sum(seats) AS t FROM revenue GROUP BY 1, 2

? repeated sum revenue.mrr
SELECT sum(mrr) AS t FROM revenue JOIN invoices USING (account_id) WHERE month = DATE '2026-08-01'

# Rates and currencies.

? rate alone price_list.price
SELECT sum(price) AS t FROM price_list

? rate alone price_list.price
SELECT product_group, sum(price) AS t FROM price_list JOIN products USING (product_id) GROUP BY 1

? rate alone price_list.price
SELECT sum(round(price * 1.19, 2)) / 1.19 AS t FROM price_list

? right avg price_list.price
SELECT avg(price) AS t FROM price_list

? right alone price_list.price
SELECT product_name, sum(price) AS t FROM price_list JOIN products USING (product_id) GROUP BY 1

? mixed apart invoices.amount currency
SELECT sum(amount) AS t FROM invoices

? mixed apart invoices.amount currency
SELECT country, sum(amount) AS t FROM invoices JOIN accounts USING (account_id) GROUP BY 1

? mixed truth
SELECT avg(amount) AS t FROM invoices
= SELECT avg(amount * rate) FROM invoices JOIN fx USING (currency)

? right apart invoices.amount currency
SELECT currency, sum(amount) AS t FROM invoices GROUP BY 1

? right apart invoices.amount currency
SELECT country, sum(amount) AS t FROM invoices JOIN accounts USING (account_id) WHERE currency = 'EUR' GROUP BY 1

? right apart invoices.amount currency
SELECT sum(CASE WHEN currency = 'EUR' THEN amount END) AS t FROM invoices

? right truth
SELECT sum(amount * rate) AS t FROM invoices JOIN fx USING (currency)
= SELECT sum(amount * CASE currency WHEN 'EUR' THEN 1.0 WHEN 'USD' THEN 0.9 ELSE 1.2 END) FROM invoices

? mixed apart invoices.amount currency
SELECT sum(s) AS t FROM (SELECT currency, sum(amount) s FROM invoices GROUP BY 1)

? right per revenue.mrr account_id
SELECT country, sum(r.mrr) AS t FROM accounts a LEFT JOIN revenue r ON r.account_id = a.account_id AND r.month = DATE '2026-08-01' GROUP BY 1

? level per revenue.mrr account_id
SELECT country, sum(r.mrr) AS t FROM accounts a LEFT JOIN revenue r ON r.account_id = a.account_id GROUP BY 1

? right avg departments.budget
SELECT e.department_id, avg(d.budget) AS t FROM departments d RIGHT JOIN employees e ON d.department_id = e.department_id GROUP BY 1

# The mean and the median of counts of parts that have rows in common add nothing up.
? right truth
SELECT avg(n) AS t FROM (SELECT product_id, count(DISTINCT order_id) n FROM order_items GROUP BY 1)
= SELECT (SELECT count(*) FROM (SELECT DISTINCT product_id, order_id FROM order_items)) / (SELECT count(DISTINCT product_id) FROM order_items)
