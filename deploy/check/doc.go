// Package check tests the files with which Parley is run somewhere: the image, docker-compose.yml, the manifests for
// Kubernetes, the alarms for Prometheus and the dashboard for Grafana. Each is read by the library of the program that
// reads it in earnest, strictly, and is then compared with what a node really has.
//
// The folder is a module of its own, so that these libraries are no dependencies of the product. `make lint/deploy` runs
// the tests, and promtool and haproxy on their files.
package check
