/**
 * Rows and tables that benchmarks share. {@code workload} and {@code stress} put load on a
 * database; {@code experiment} reproduces published experiments, with {@code volume}, {@code child}
 * and {@code peers}; {@code jmh} has benchmarks of the hot paths; {@code report} makes reports with
 * charts.
 */
@NullMarked
package io.siltstone.bench;

import org.jspecify.annotations.NullMarked;
