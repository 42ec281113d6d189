/**
 * A disk with limits on reads per second, bytes per second, and memory for the page cache, so that
 * the effect of a provisioned cloud volume can be measured on any machine.
 *
 * <p>{@link io.siltstone.bench.volume.LimitedVolume} is the entry class. Where the user may,
 * control groups of the kernel (v1 and v2) limit a child process; otherwise {@link
 * io.siltstone.bench.volume.RateLimitedDirectory} limits the reads of the engine. Notes for the
 * report say what was used, and why. {@link io.siltstone.bench.volume.ReadCounter} counts the reads
 * that reach the disk.
 *
 * <p>All access to the kernel's files goes through {@link io.siltstone.bench.volume.Kernel}, so
 * that tests can simulate a machine.
 */
@NullMarked
package io.siltstone.bench.volume;

import org.jspecify.annotations.NullMarked;
