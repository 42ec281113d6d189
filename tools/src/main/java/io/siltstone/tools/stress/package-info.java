/**
 * Runs a workload profile against a database on this machine ({@code siltstone stress}), with a
 * table of figures while it runs and a report at its end. {@link io.siltstone.bench.stress.Stress}
 * does the work.
 */
@NullMarked
package io.siltstone.tools.stress;

import org.jspecify.annotations.NullMarked;
