/**
 * Limits the bytes per second that all jobs together read. A {@code RateLimiter} grants them in
 * small portions, evenly, and can be set to another rate while jobs wait for it.
 */
@NullMarked
package io.siltstone.compaction.throttle;

import org.jspecify.annotations.NullMarked;
