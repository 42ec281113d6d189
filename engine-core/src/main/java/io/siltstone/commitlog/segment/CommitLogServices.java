package io.siltstone.commitlog.segment;

import io.siltstone.files.WriteGuard;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.threads.Worker;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The services that a commit log uses; it closes none of them.
 *
 * @param hostId identity of the database, which distinguishes its segments from those of others
 * @param memory budget of the log's buffer
 * @param syncing creates the worker that syncs; null for none: then the calls that wait, or begin a
 *     segment, do the syncs, which is deterministic
 * @param clock gives the ids of new segments, and the creation times of their files
 * @param callbacks runs the stages of {@link CommitLog#synced} to which users have attached code. A
 *     rejected callback is submitted again, for the last time when the log is closed
 * @param events runs the listener; it is separate so that user code cannot delay the deletion of
 *     segments
 * @param listener receives failures and the lack of space
 * @param guard checked before a segment is created or deleted, and after each sync; its exceptions
 *     end the log
 */
public record CommitLogServices(
    UUID hostId,
    MemoryBudget memory,
    Worker.@Nullable Factory syncing,
    InstantSource clock,
    Executor callbacks,
    Executor events,
    CommitLogListener listener,
    WriteGuard guard) {}
