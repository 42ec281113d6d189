/**
 * Stress runs: one workload profile against its own database, from opening it to a report of the
 * result. {@link io.siltstone.bench.stress.Stress} runs; {@link
 * io.siltstone.bench.stress.StressReport} formats the {@link
 * io.siltstone.bench.stress.StressResult} as a page and {@link
 * io.siltstone.bench.stress.StressJson} as JSON.
 */
@NullMarked
package io.siltstone.bench.stress;

import org.jspecify.annotations.NullMarked;
