/**
 * Data and workloads for measurements.
 *
 * <p>A {@link io.siltstone.bench.workload.Profile} defines a table, how it is written and read, and
 * what a read must return. A {@link io.siltstone.bench.workload.WorkloadRunner} runs it in several
 * threads against an open database and returns a {@link
 * io.siltstone.bench.workload.WorkloadResult}. Values are pieces of {@link
 * io.siltstone.bench.workload.BookText} that are determined by key and version, so that every read
 * is checked.
 */
@NullMarked
package io.siltstone.bench.workload;

import org.jspecify.annotations.NullMarked;
