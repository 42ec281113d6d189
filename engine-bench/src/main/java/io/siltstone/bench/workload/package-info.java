/**
 * Data and load for measurements: what rows look like, which of them are asked for, how fast, and
 * what came of it.
 *
 * <p>A {@link io.siltstone.bench.workload.Profile} says what a table looks like, how it is written
 * and read, and what a read must find. A {@link io.siltstone.bench.workload.WorkloadRunner} runs it
 * from several threads against an open database and gives a {@link
 * io.siltstone.bench.workload.WorkloadResult}. Values are {@link
 * io.siltstone.bench.workload.BookText}, each following from its key and version, so that every
 * read is checked.
 */
@NullMarked
package io.siltstone.bench.workload;

import org.jspecify.annotations.NullMarked;
