/**
 * Directories that fail, forget and count: what a test of code on the file seam needs. Published,
 * so that users can test their own recovery with it.
 *
 * <p>{@link io.siltstone.testkit.SimulatedDisk} loses power, {@link io.siltstone.testkit.PowerCuts}
 * makes it do so at every operation; {@link io.siltstone.testkit.FaultyDirectory} fails as its
 * {@link io.siltstone.testkit.Fault}s say; {@link io.siltstone.testkit.CountingDirectory} counts;
 * {@link io.siltstone.testkit.LeakChecking} fails tests that leave something open. They can be put
 * in front of one another. Everything random comes from a seed.
 */
@NullMarked
package io.siltstone.testkit;

import org.jspecify.annotations.NullMarked;
