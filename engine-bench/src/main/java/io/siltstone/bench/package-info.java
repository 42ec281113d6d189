/**
 * Rows and tables that benchmarks share. Beside it: {@code workload} and {@code stress} put load on
 * a database, {@code experiment} reproduces what was published, with {@code volume}, {@code child}
 * and {@code peers}; {@code jmh} has the benchmarks of the hot paths, {@code report} makes charts.
 */
@NullMarked
package io.siltstone.bench;

import org.jspecify.annotations.NullMarked;
