// Package netnstest gives processes of a test network namespaces of their own, joined by bridges, so that packets between them can
// really be lost: nothing is refused, nothing is acknowledged, and no connection ends. That is what partitiontest cannot do, whose
// proxies acknowledge what they take.
//
// There are three networks, so that one of them can fail by itself: People, over which the test reaches the processes; Data, over
// which they reach what the test has for them (Postgres, Redis); and Nodes, over which they reach each other. A process has an
// interface in each of them, and the test in the first two.
//
// It needs Linux, the rights to make namespaces, and the programs ip and nsenter. Where one of them is missing, New skips the test
// and says which.
package netnstest
