/** Tests that the benchmarks run. */
@NullMarked
package io.siltstone.bench.jmh;

import org.jspecify.annotations.NullMarked;
