package io.siltstone.chunk;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Executors that take over work of a calling thread. Tasks that wait for the disk have an executor
 * of their own, because they would occupy threads that could compute.
 *
 * @param work runs tasks that compute, and that read and write files through the page cache; null
 *     if the calling thread does these itself
 * @param sync runs tasks that wait until the disk has the written bytes; null if the calling thread
 *     does these itself
 */
public record PipelineExecutors(@Nullable Executor work, @Nullable Executor sync) {
  /** No executors: the calling thread does all work. */
  public static final PipelineExecutors NONE = new PipelineExecutors(null, null);
}
