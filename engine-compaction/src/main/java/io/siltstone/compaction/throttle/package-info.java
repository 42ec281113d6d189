/**
 * The compaction throttle ({@code compaction_throughput}): limits the bytes per second that all
 * jobs together read. A {@code RateLimiter} grants them in small, even portions, and its rate can
 * be changed while jobs wait.
 */
@NullMarked
package io.siltstone.compaction.throttle;

import org.jspecify.annotations.NullMarked;
