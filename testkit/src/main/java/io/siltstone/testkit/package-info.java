/**
 * Test doubles for code that uses directories: they fail, lose power, and count. They are
 * published, so that users can test their own recovery.
 *
 * <p>{@link io.siltstone.testkit.SimulatedDisk} loses power, {@link io.siltstone.testkit.PowerCuts}
 * makes it do so at every operation; {@link io.siltstone.testkit.FaultyDirectory} fails as its
 * {@link io.siltstone.testkit.Fault}s say; {@link io.siltstone.testkit.CountingDirectory} counts;
 * {@link io.siltstone.testkit.LeakChecking} fails tests that leave something open. They can wrap
 * each other. Everything random depends on a seed.
 */
@NullMarked
package io.siltstone.testkit;

import org.jspecify.annotations.NullMarked;
