package io.siltstone.commitlog.segment;

import io.siltstone.files.WriteGuard;
import io.siltstone.offheap.MemoryBudget;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a commit log uses of its surroundings; it closes none of it.
 *
 * @param hostId identity of the database, by which its segments are told from those of others
 * @param memory where its buffer is taken from
 * @param threads makes the one thread that syncs, which should be a daemon named after the
 *     database; null for none: then the caller that waits, or begins a segment, does it, which is
 *     deterministic
 * @param clock gives new segments their ids, and the times at which their files are made
 * @param callbacks runs the stages of {@link CommitLog#synced}: what users have attached to them.
 *     What it rejects is offered to it again, the last time when the log is closed
 * @param events runs the listener; another one, so that no user's code keeps the log from being
 *     shortened
 * @param listener told of failures and of want of space
 * @param guard asked before a segment is made or deleted, and after each sync; what it throws ends
 *     the log
 */
public record CommitLogServices(
    UUID hostId,
    MemoryBudget memory,
    @Nullable ThreadFactory threads,
    InstantSource clock,
    Executor callbacks,
    Executor events,
    CommitLogListener listener,
    WriteGuard guard) {}
