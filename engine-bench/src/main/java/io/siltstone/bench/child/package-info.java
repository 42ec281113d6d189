/**
 * What is measured runs in a JVM of its own, with the heap it needs and no memory of what ran
 * before: {@link io.siltstone.bench.child.ChildJvm} starts it, {@link
 * io.siltstone.bench.child.Measurement} is what it runs, {@link io.siltstone.bench.child.Values} go
 * in and come out.
 */
@NullMarked
package io.siltstone.bench.child;

import org.jspecify.annotations.NullMarked;
