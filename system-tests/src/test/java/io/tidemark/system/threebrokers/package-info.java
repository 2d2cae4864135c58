/** Three whole brokers over real gRPC in one process, whose cables and disks the tests break. */
package io.tidemark.system.threebrokers;
