/**
 * What the compactions of a database have done, remembered over restarts: {@code CompactionHistory}
 * keeps a file of {@code PastCompaction}s. Uses the file seam and the events; safe for all threads.
 */
@NullMarked
package io.siltstone.history;

import org.jspecify.annotations.NullMarked;
