/** Benchmarks: JMH per hot path, whole-process runs beside peers. */
@NullMarked
package io.siltstone.bench;

import org.jspecify.annotations.NullMarked;
