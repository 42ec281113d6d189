package io.siltstone.chunk;

import java.util.concurrent.Executor;

/**
 * Threads that help another one with its work. Tasks that wait for the disk have threads of their
 * own: one of them would keep a thread that computes from doing so.
 *
 * @param work runs tasks that compute, and read and write files through the page cache
 * @param sync runs tasks that wait until the disk has what was written
 */
public record Helpers(Executor work, Executor sync) {}
