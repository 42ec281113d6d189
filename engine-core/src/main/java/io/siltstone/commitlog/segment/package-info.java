/**
 * The commit log (write-ahead log): every write is recorded here before it is acknowledged, and is
 * replayed after a crash.
 *
 * <p>{@link io.siltstone.commitlog.segment.CommitLogReplay} reads the segments that an earlier run
 * left, and {@link io.siltstone.commitlog.segment.CommitLog} continues the log in new segments.
 * Both know tables by their ids and changes as bytes. {@code SegmentFormat} documents the files.
 *
 * <p>The threads that append write their records to the operating system themselves, in groups; one
 * thread of the log syncs, so that one sync serves all who wait for it. May use {@code commitlog},
 * {@code io}, {@code files}, {@code memory}, {@code threads}, {@code bytes} and {@code
 * sstable.metadata}. Not exported to users.
 */
@NullMarked
package io.siltstone.commitlog.segment;

import org.jspecify.annotations.NullMarked;
