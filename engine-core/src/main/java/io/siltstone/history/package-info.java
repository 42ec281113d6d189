/**
 * The compaction history of a database, which survives restarts: {@code CompactionHistory} keeps a
 * file of {@code PastCompaction}s. Safe for use by all threads.
 */
@NullMarked
package io.siltstone.history;

import org.jspecify.annotations.NullMarked;
