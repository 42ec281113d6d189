/**
 * Measurements in their own JVMs, with the heap they need and without the effects of earlier
 * measurements: {@link io.siltstone.bench.child.ChildJvm} starts a JVM, which runs a {@link
 * io.siltstone.bench.child.Measurement} with {@link io.siltstone.bench.child.NamedValues} as
 * parameters and result.
 */
@NullMarked
package io.siltstone.bench.child;

import org.jspecify.annotations.NullMarked;
