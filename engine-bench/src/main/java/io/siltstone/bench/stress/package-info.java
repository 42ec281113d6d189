/**
 * Stress: one profile against a database of its own, from opening it to a report of what came of
 * it. {@link io.siltstone.bench.stress.Stress} runs; {@link io.siltstone.bench.stress.StressResult}
 * is turned into a page by {@link io.siltstone.bench.stress.StressReport} and into JSON by {@link
 * io.siltstone.bench.stress.StressJson}.
 */
@NullMarked
package io.siltstone.bench.stress;

import org.jspecify.annotations.NullMarked;
