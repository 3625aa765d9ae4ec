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
