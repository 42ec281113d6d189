/**
 * The commit log: what is written is here before it is acknowledged, and is replayed after a crash.
 *
 * <p>{@link io.siltstone.commitlog.CommitLogReplay} reads what an earlier run left, {@link
 * io.siltstone.commitlog.CommitLog} continues it in new segments. It knows tables by their ids and
 * changes as bytes; {@code SegmentFormat} documents the files. All I/O after opening is done by one
 * thread, so that a sync serves all who wait for one.
 *
 * <p>Of users' concern are {@link io.siltstone.commitlog.CommitLogOptions} and {@link
 * io.siltstone.commitlog.SyncMode}; the rest is internal to the engine.
 */
@NullMarked
package io.siltstone.commitlog;

import org.jspecify.annotations.NullMarked;
