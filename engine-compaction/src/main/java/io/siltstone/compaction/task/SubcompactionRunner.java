package io.siltstone.compaction.task;

import io.siltstone.sstable.SSTableWriter;
import io.siltstone.threads.Failures;
import io.siltstone.threads.RecallableTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs the subcompactions of a task: the calling thread runs one after the other, and threads of an
 * executor, if it has any free, help. Those that no thread has begun are run by the calling thread,
 * so a busy executor blocks nothing.
 */
final class SubcompactionRunner {
  private final List<Subcompaction> subcompactions;
  private final SharedProgress shared;
  private final List<CompletableFuture<List<SSTableWriter>>> results = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();

  SubcompactionRunner(List<Subcompaction> subcompactions, SharedProgress shared) {
    this.subcompactions = subcompactions;
    this.shared = shared;
    subcompactions.forEach(subcompaction -> results.add(new CompletableFuture<>()));
  }

  /** Runs all subcompactions, and returns their outputs in the order of the ranges. */
  List<SSTableWriter> run(@Nullable Executor work) throws IOException {
    RecallableTask help = new RecallableTask(this::work);
    try {
      return run(work, help);
    } finally {
      help.recall();
    }
  }

  private List<SSTableWriter> run(@Nullable Executor work, Runnable help) throws IOException {
    if (work != null) {
      try {
        for (int i = 1; i < subcompactions.size(); i++) {
          work.execute(help);
        }
      } catch (RejectedExecutionException e) {
        // Then the calling thread runs all that no other thread has begun.
      }
    }
    work();
    // All have been begun; those on other threads may still run.
    @Nullable Throwable failure = null;
    List<SSTableWriter> writers = new ArrayList<>();
    for (CompletableFuture<List<SSTableWriter>> result : results) {
      try {
        writers.addAll(result.join());
      } catch (CancellationException e) {
        failure = first(failure, e);
      } catch (CompletionException e) {
        failure = first(failure, e.getCause() == null ? e : e.getCause());
      }
    }
    if (failure != null) {
      rethrow(failure);
    }
    return writers;
  }

  /** Prefers the cause to the cancellations that it has led to. */
  private static Throwable first(@Nullable Throwable failure, Throwable next) {
    if (failure == null) {
      return next;
    }
    boolean isCause =
        failure instanceof CancellationException && !(next instanceof CancellationException);
    Throwable first = isCause ? next : failure;
    first.addSuppressed(isCause ? failure : next);
    return first;
  }

  private static void rethrow(Throwable failure) throws IOException {
    Failures.rethrow(failure);
    throw new IOException(failure);
  }

  private void work() {
    for (int i = next.getAndIncrement(); i < subcompactions.size(); i = next.getAndIncrement()) {
      CompletableFuture<List<SSTableWriter>> result = results.get(i);
      try {
        shared.check();
        result.complete(subcompactions.get(i).run());
      } catch (Throwable e) {
        shared.giveUp();
        result.completeExceptionally(e);
      }
    }
  }
}
