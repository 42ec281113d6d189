package io.siltstone.chunk;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Threads that help another one with its work. Tasks that wait for the disk have threads of their
 * own: one of them would keep a thread that computes from doing so.
 *
 * @param work runs tasks that compute, and read and write files through the page cache; null if the
 *     helped thread does these itself
 * @param sync runs tasks that wait until the disk has what was written; null likewise
 */
public record PipelineExecutors(@Nullable Executor work, @Nullable Executor sync) {
  /** Nobody helps. */
  public static final PipelineExecutors NONE = new PipelineExecutors(null, null);
}
