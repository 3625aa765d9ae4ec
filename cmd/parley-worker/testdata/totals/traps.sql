# The 38 questions over joined tables: an obvious answer that is wrong, and one that is right.

? right sum orders.order_total
SELECT region, sum(order_total) AS t FROM orders JOIN customers USING (customer_id) GROUP BY 1

? repeated sum orders.order_total
SELECT region, sum(order_total) AS t FROM orders JOIN customers USING (customer_id) JOIN order_items USING (order_id) GROUP BY 1

? right rows orders
SELECT tier, count(*) AS t FROM orders JOIN customers USING (customer_id) GROUP BY 1

? repeated rows orders
SELECT tier, count(o.order_id) AS t FROM orders o JOIN customers USING (customer_id) JOIN order_items i ON i.order_id = o.order_id GROUP BY 1

? right avg orders.shipping_fee
SELECT region, avg(shipping_fee) AS t FROM orders JOIN customers USING (customer_id) GROUP BY 1

? repeated avg orders.shipping_fee
SELECT region, avg(shipping_fee) AS t FROM orders JOIN customers USING (customer_id) JOIN order_items USING (order_id) GROUP BY 1

? repeated sum orders.shipping_fee
SELECT product_name, sum(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1

? right sum orders.shipping_fee
SELECT product_name, sum(shipping_fee) AS t FROM (SELECT DISTINCT order_id, product_name, shipping_fee FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id)) GROUP BY 1

? repeated sum orders.order_total
SELECT product_group, sum(order_total) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1

? right sum order_items.line_amount
SELECT product_group, sum(line_amount) AS t FROM order_items JOIN products USING (product_id) GROUP BY 1

? right sum order_items.line_amount
SELECT product_name, sum(line_amount) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1

? repeated sum order_items.line_amount
SELECT product_name, sum(line_amount) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) JOIN payments USING (order_id) GROUP BY 1

? right sum order_items.quantity
SELECT region, sum(quantity) AS t FROM order_items JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1

? repeated sum order_items.quantity
SELECT region, sum(quantity) AS t FROM order_items JOIN orders USING (order_id) JOIN customers USING (customer_id) JOIN payments USING (order_id) GROUP BY 1

? repeated sum orders.order_total
SELECT region, sum(order_total) AS t, sum(paid_amount) FROM orders JOIN customers USING (customer_id) JOIN payments USING (order_id) GROUP BY 1

? right truth
WITH o AS (SELECT region, sum(order_total) a FROM orders JOIN customers USING (customer_id) GROUP BY 1), p AS (SELECT region, sum(paid_amount) b FROM payments JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1) SELECT region, a, b FROM o JOIN p USING (region)
= select region,(select sum(order_total) from orders o join customers c2 using(customer_id) where c2.region=c.region),(select sum(paid_amount) from payments p join orders o using(order_id) join customers c2 using(customer_id) where c2.region=c.region) from customers c group by 1

? right truth
SELECT region, (SELECT sum(order_total) FROM orders o JOIN customers c2 USING (customer_id) WHERE c2.region = c.region), (SELECT sum(paid_amount) FROM payments p JOIN orders o USING (order_id) JOIN customers c2 USING (customer_id) WHERE c2.region = c.region) FROM customers c GROUP BY 1
= WITH o AS (SELECT region, sum(order_total) a FROM orders JOIN customers USING (customer_id) GROUP BY 1), p AS (SELECT region, sum(paid_amount) b FROM payments JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1) SELECT region, a, b FROM o JOIN p USING (region)

? repeated avg orders.order_total
SELECT avg(order_total) AS t FROM orders JOIN payments USING (order_id) WHERE method = 'Card'

? right avg orders.order_total
SELECT avg(order_total) AS t FROM orders WHERE order_id IN (SELECT order_id FROM payments WHERE method = 'Card')

? repeated sum orders.order_total
SELECT sum(order_total) AS t FROM orders JOIN payments USING (order_id) WHERE method = 'Card'

? right sum orders.order_total
SELECT sum(order_total) AS t FROM orders o WHERE EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.order_id AND p.method = 'Card')

? right truth
SELECT method, count(DISTINCT order_id) FROM payments GROUP BY 1
= SELECT method, count(*) FROM (SELECT method, order_id FROM payments GROUP BY 1, 2) GROUP BY 1

? repeated rows orders
SELECT method, count(o.order_id) AS t FROM orders o JOIN payments p ON p.order_id = o.order_id GROUP BY 1

? right truth
SELECT count(DISTINCT customer_id) FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) WHERE product_name = 'Lamp'
= SELECT count(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE order_id IN (SELECT order_id FROM order_items WHERE product_id = 1))

? repeated rows customers
SELECT count(c.customer_id) AS t FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN order_items USING (order_id) JOIN products USING (product_id) WHERE product_name = 'Lamp'

? right sum orders.order_total
SELECT customer_name, sum(order_total) AS t FROM orders JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 2 DESC

? repeated sum orders.order_total
SELECT customer_name, sum(order_total) AS t FROM orders JOIN order_items USING (order_id) JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 2 DESC

? right truth
SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)
= SELECT count(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id)

? right truth
SELECT count(*) FROM customers ANTI JOIN orders USING (customer_id)
= SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)

? repeated sum orders.shipping_fee
SELECT month(order_date) AS m, sum(shipping_fee) AS t, sum(line_amount) FROM orders JOIN order_items USING (order_id) GROUP BY 1

? right truth
SELECT * FROM (SELECT month(order_date) AS m, sum(shipping_fee) FROM orders GROUP BY 1) JOIN (SELECT month(order_date) AS m, sum(line_amount) FROM orders JOIN order_items USING (order_id) GROUP BY 1) USING (m)
= SELECT m, (SELECT sum(shipping_fee) FROM orders WHERE month(order_date) = m), (SELECT sum(line_amount) FROM order_items WHERE order_id IN (SELECT order_id FROM orders WHERE month(order_date) = m)) FROM (SELECT DISTINCT month(order_date) AS m FROM orders)

? repeated avg orders.order_total
SELECT quantity AS n, avg(order_total) AS t FROM orders JOIN order_items USING (order_id) GROUP BY 1

? right avg orders.order_total
SELECT n, avg(order_total) AS t FROM (SELECT order_id, count(*) n FROM order_items GROUP BY 1) JOIN orders USING (order_id) GROUP BY 1

? repeated sum orders.order_total
SELECT method, sum(order_total) AS t FROM orders JOIN payments USING (order_id) GROUP BY 1

? right sum orders.order_total
SELECT method, sum(order_total) AS t FROM orders JOIN (SELECT DISTINCT order_id, method FROM payments) USING (order_id) GROUP BY 1

? repeated sum orders.shipping_fee
SELECT method, sum(shipping_fee) AS t FROM orders o, payments p WHERE o.order_id = p.order_id GROUP BY 1

? right sum orders.shipping_fee
WITH pairs AS (SELECT order_id, method FROM payments GROUP BY ALL) SELECT method, sum(shipping_fee) AS t FROM orders NATURAL JOIN pairs GROUP BY 1

? right sum orders.shipping_fee
SELECT month(order_date) AS m, sum(shipping_fee) AS t FROM orders GROUP BY 1

? repeated sum orders.shipping_fee
SELECT month(order_date) AS m, sum(shipping_fee) AS t FROM orders LEFT JOIN order_items USING (order_id) GROUP BY 1

? repeated sum departments.budget
SELECT job_title, sum(budget) AS t FROM employees LEFT JOIN departments USING (department_id) GROUP BY 1

? right sum departments.budget
SELECT job_title, sum(budget) AS t FROM (SELECT DISTINCT department_id, job_title FROM employees) JOIN departments USING (department_id) GROUP BY 1

? right sum departments.budget
SELECT city, sum(budget) AS t FROM departments GROUP BY 1

? repeated sum departments.budget
SELECT city, sum(budget) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1

? repeated sum departments.budget
SELECT department_name, sum(budget) AS t, sum(salary) FROM departments JOIN employees USING (department_id) GROUP BY 1

? right sum employees.salary
SELECT department_name, budget, sum(salary) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1, 2

? repeated sum departments.budget
SELECT d.department_name, sum(d.budget) AS t, avg(e.salary) FROM departments d LEFT JOIN employees e ON e.department_id = d.department_id GROUP BY d.department_name

? right sum employees.salary
SELECT d.department_name, any_value(d.budget), sum(e.salary) AS t FROM departments d LEFT JOIN employees e ON e.department_id = d.department_id GROUP BY d.department_name

? right avg employees.salary
SELECT city, avg(salary) AS t FROM departments JOIN employees USING (department_id) GROUP BY 1

? repeated avg employees.salary
SELECT city, avg(e.salary) AS t FROM departments d JOIN employees e USING (department_id) JOIN employees o ON o.department_id = e.department_id AND o.employee_id % 3 = e.employee_id % 2 GROUP BY 1

? repeated sum departments.budget
SELECT department_name, count(*), sum(budget) AS x, sum(budget) AS t FROM employees JOIN departments USING (department_id) GROUP BY 1

? right rows employees
SELECT department_name, count(*) AS t, max(budget) FROM employees JOIN departments USING (department_id) GROUP BY 1

? repeated sum clients.credit_limit
SELECT month(order_date) AS m, sum(credit_limit) AS t FROM clients JOIN orders USING (customer_id) GROUP BY 1

? right sum clients.credit_limit
SELECT m, sum(credit_limit) AS t FROM (SELECT DISTINCT customer_id, month(order_date) AS m FROM orders) JOIN clients USING (customer_id) GROUP BY 1

? right avg clients.credit_limit
SELECT region, avg(credit_limit) AS t FROM clients GROUP BY 1

? repeated avg clients.credit_limit
SELECT region, avg(credit_limit) AS t FROM clients LEFT JOIN orders USING (customer_id) GROUP BY 1

? repeated avg clients.credit_limit
SELECT avg(credit_limit) AS t FROM clients JOIN orders USING (customer_id) WHERE year(order_date) = 2025

? right avg clients.credit_limit
SELECT avg(credit_limit) AS t FROM clients WHERE customer_id IN (SELECT customer_id FROM orders WHERE year(order_date) = 2025)

? repeated sum orders.shipping_fee
SELECT sum(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) WHERE product_name = 'Lamp'

? right sum orders.shipping_fee
SELECT sum(shipping_fee) AS t FROM orders SEMI JOIN (SELECT order_id FROM order_items JOIN products USING (product_id) WHERE product_name = 'Lamp') USING (order_id)

? repeated sum orders.shipping_fee
SELECT region, product_group, sum(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) JOIN clients USING (customer_id) GROUP BY 1, 2

? right sum orders.shipping_fee
WITH g AS (SELECT DISTINCT order_id, product_group FROM order_items JOIN products USING (product_id)) SELECT region, product_group, sum(shipping_fee) AS t FROM orders JOIN clients USING (customer_id) JOIN g USING (order_id) GROUP BY 1, 2

? right sum orders.shipping_fee
SELECT sum(shipping_fee) AS t FROM orders

? repeated sum orders.shipping_fee
SELECT sum(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id)

? repeated avg orders.shipping_fee
SELECT product_group, avg(shipping_fee) AS t FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 1

? right avg orders.shipping_fee
SELECT product_group, avg(shipping_fee) AS t FROM orders JOIN (SELECT DISTINCT order_id, product_group FROM order_items JOIN products USING (product_id)) USING (order_id) GROUP BY 1

? repeated avg payments.paid_amount
SELECT product_group, avg(paid_amount) AS t FROM payments p JOIN order_items i ON i.order_id = p.order_id JOIN products USING (product_id) GROUP BY 1

? right avg payments.paid_amount
SELECT region, avg(paid_amount) AS t FROM payments JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1

? repeated rows *
SELECT product_name, count(*) AS t FROM payments JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1 ORDER BY 2 DESC

? right truth
SELECT product_name, count(DISTINCT payment_id) FROM payments JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1
= SELECT product_name, (SELECT count(*) FROM payments p WHERE EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = p.order_id AND i.product_id = q.product_id)) FROM products q

? repeated rows payments
SELECT region, count(payment_id) AS t FROM payments JOIN order_items USING (order_id) JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1

? right rows payments
SELECT region, count(payment_id) AS t FROM payments JOIN orders USING (order_id) JOIN customers USING (customer_id) GROUP BY 1

? repeated avg payments.paid_amount
SELECT product_name, avg(paid_amount) AS t FROM order_items JOIN payments USING (order_id) JOIN products USING (product_id) GROUP BY 1

? right avg payments.paid_amount
SELECT product_name, avg(paid_amount) AS t FROM (SELECT DISTINCT order_id, product_name FROM order_items JOIN products USING (product_id)) JOIN payments USING (order_id) GROUP BY 1

? repeated avg order_items.quantity
SELECT avg(quantity) AS t FROM order_items JOIN payments USING (order_id)

? right avg order_items.quantity
SELECT avg(quantity) AS t FROM order_items WHERE order_id IN (SELECT order_id FROM payments)

? repeated sum payments.paid_amount
SELECT product_group, sum(paid_amount) AS t FROM payments JOIN order_items USING (order_id) JOIN products USING (product_id) GROUP BY 1

? right sum payments.paid_amount
SELECT product_group, sum(paid_amount) AS t FROM (SELECT order_id, sum(paid_amount) paid_amount FROM payments GROUP BY 1) JOIN (SELECT DISTINCT order_id, product_group FROM order_items JOIN products USING (product_id)) USING (order_id) GROUP BY 1
