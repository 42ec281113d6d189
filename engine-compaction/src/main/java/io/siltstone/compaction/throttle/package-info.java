/** Limits the bytes per second that all jobs together read. */
@NullMarked
package io.siltstone.compaction.throttle;

import org.jspecify.annotations.NullMarked;
