/**
 * A disk with limits, so that what a provisioned cloud volume does to an engine can be seen on any
 * machine: reads per second, bytes per second, and memory for the page cache.
 *
 * <p>{@link io.siltstone.bench.volume.LimitedVolume} is the entrance. Where the kernel may be told,
 * its control groups limit a child process (v1 and v2); else {@link
 * io.siltstone.bench.volume.RateLimitedDirectory} limits what the engine reads. What was used, and
 * why, is said in words for the report. {@link io.siltstone.bench.volume.ReadCounter} counts what
 * reaches the disk.
 *
 * <p>All that reads or writes the kernel's files goes through {@link
 * io.siltstone.bench.volume.Kernel}, so that tests can make a machine up.
 */
@NullMarked
package io.siltstone.bench.volume;

import org.jspecify.annotations.NullMarked;
