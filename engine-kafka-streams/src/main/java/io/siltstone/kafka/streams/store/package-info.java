/**
 * The kinds of state stores: key-value, window, session and versioned.
 *
 * <p><b>Retention.</b> Windows and sessions expire by stream time, and so do the earlier versions
 * of a versioned store. The engine can raise a retention floor of a table, which hides rows by
 * their time and drops whole SSTables; it needs a time as the first clustering column. The tables
 * of stores have a key and a value only, because keys are found, scanned and merged with what is
 * staged as those of an ordered map, and the order of windows is that of keys or of times,
 * depending on the store. So the segment of time is the beginning of each key instead, reads begin
 * at the first segment that is live, and one deletion of a range of keys ends all segments that
 * have expired: it is written once in each segment's time, hides at once, and the next compaction
 * purges it with what it covers, as {@code gc_grace_seconds} is 0.
 */
@NullMarked
package io.siltstone.kafka.streams.store;

import org.jspecify.annotations.NullMarked;
