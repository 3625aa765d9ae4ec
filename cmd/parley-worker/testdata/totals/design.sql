# The traps of the first measurement, and the ways out of them.

? repeated sum departments.budget
SELECT d.department_name, sum(d.budget) AS t, sum(e.salary) FROM employees e JOIN departments d USING (department_id) GROUP BY 1
? right sum employees.salary
SELECT d.department_name, sum(e.salary) AS t FROM employees e JOIN departments d USING (department_id) GROUP BY 1
? repeated sum departments.budget
SELECT department_name, count(*) AS n, sum(budget) AS x, sum(budget) AS t FROM departments JOIN employees USING (department_id) GROUP BY department_name
? repeated sum departments.budget
SELECT job_title, sum(budget) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1
? repeated sum orders.shipping_fee
SELECT date_trunc('month', order_date) AS m, sum(shipping_fee) AS t, sum(line_amount) FROM orders JOIN order_items USING (order_id) GROUP BY 1
? repeated sum orders.shipping_fee
SELECT product_name, sum(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1
? repeated sum orders.shipping_fee
SELECT method, sum(shipping_fee) AS t FROM orders JOIN payments USING (order_id) GROUP BY 1
? repeated sum orders.shipping_fee
SELECT sum(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) WHERE product_name = 'Lamp'
? repeated avg orders.shipping_fee
SELECT product_group, avg(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 1
? right rows employees
SELECT department_name, count(*) AS t FROM employees JOIN departments USING (department_id) GROUP BY 1

? right truth
WITH b AS (SELECT department_name, sum(budget) AS budget FROM departments GROUP BY 1), s AS (SELECT department_name, sum(salary) AS salary FROM employees JOIN departments USING (department_id) GROUP BY 1) SELECT department_name, budget, salary FROM b JOIN s USING (department_name)
= SELECT department_name, budget, (SELECT sum(salary) FROM employees e WHERE e.department_id = d.department_id) FROM departments d

? right sum departments.budget
WITH s AS (SELECT department_id, sum(salary) AS salary FROM employees GROUP BY 1) SELECT sum(budget) AS t, sum(salary) FROM departments JOIN s USING (department_id)

? right truth
WITH f AS (SELECT month(order_date) AS m, sum(shipping_fee) AS fee FROM orders GROUP BY 1), l AS (SELECT month(order_date) AS m, sum(line_amount) AS amount FROM order_items JOIN orders USING (order_id) GROUP BY 1) SELECT sum(fee), sum(amount) FROM f FULL JOIN l USING (m)
= SELECT (SELECT sum(shipping_fee) FROM orders), (SELECT sum(line_amount) FROM order_items)

? repeated sum departments.budget
SELECT sum(d.budget) AS t FROM departments d, employees e WHERE d.department_id = e.department_id

? right sum employees.salary
SELECT sum(e.salary) AS t FROM departments d, employees e WHERE d.department_id = e.department_id

? repeated rows *
SELECT count(*) AS t FROM order_items i, payments p WHERE i.order_id = p.order_id

? right sum departments.budget
SELECT sum(budget) AS t FROM departments d WHERE EXISTS (SELECT 1 FROM employees e WHERE e.department_id = d.department_id)

? right sum departments.budget
SELECT sum(budget) AS t FROM departments d WHERE NOT EXISTS (SELECT 1 FROM employees e WHERE e.department_id = d.department_id AND e.salary > 95000)

? right sum orders.shipping_fee
SELECT sum(shipping_fee) AS t FROM orders WHERE order_id IN (SELECT order_id FROM order_items WHERE product_id = 1)

? right sum orders.shipping_fee
SELECT method, sum(shipping_fee) AS t FROM orders JOIN (SELECT DISTINCT order_id, method FROM payments) USING (order_id) GROUP BY 1

? repeated sum orders.shipping_fee
SELECT sum(shipping_fee) AS t FROM orders JOIN (SELECT DISTINCT order_id, method FROM payments) USING (order_id)

? right sum employees.salary
SELECT d.department_name, x.s AS t FROM departments d, LATERAL (SELECT sum(salary) AS s FROM employees e WHERE e.department_id = d.department_id) x

? repeated sum departments.budget
SELECT sum(d.budget) AS t FROM departments d, LATERAL (SELECT e.salary FROM employees e WHERE e.department_id = d.department_id) x

? right sum employees.salary
SELECT department_name, (SELECT sum(salary) FROM employees e WHERE e.department_id = d.department_id) AS t FROM departments d

? repeated sum departments.budget
SELECT job_title, sum(b) AS t FROM (SELECT job_title, (SELECT budget FROM departments d WHERE d.department_id = e.department_id) AS b FROM employees e) GROUP BY 1

? right sum employees.salary
SELECT employee_id, sum(salary) OVER (PARTITION BY city) AS t FROM employees JOIN departments USING (department_id)

? repeated sum departments.budget
SELECT employee_id, sum(budget) OVER (PARTITION BY city) AS t FROM employees JOIN departments USING (department_id)

? repeated truth
SELECT median(order_total) FROM orders JOIN order_items USING (order_id)
= SELECT median(order_total) FROM orders

? right truth
SELECT city, median(salary) FROM departments JOIN employees USING (department_id) GROUP BY 1
= SELECT city, quantile_cont(salary, 0.5) FROM employees NATURAL JOIN departments GROUP BY ALL

? right truth
SELECT sum(quantity * price) FROM order_items JOIN price_list USING (product_id)
= SELECT sum(quantity * (SELECT price FROM price_list p WHERE p.product_id = i.product_id)) FROM order_items i

? repeated truth
SELECT sum(quantity * price) FROM order_items JOIN price_list USING (product_id) JOIN payments USING (order_id)
= SELECT sum(quantity * price) FROM order_items JOIN price_list USING (product_id) WHERE order_id IN (SELECT order_id FROM payments)

? right truth
SELECT department_name, max(budget), count(DISTINCT employee_id) FROM departments JOIN employees USING (department_id) GROUP BY 1
= SELECT department_name, budget, (SELECT count(*) FROM employees e WHERE e.department_id = d.department_id) FROM departments d
