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
 * Runs the parts of a task: the caller's thread does one after the other, and whatever threads its
 * helpers have help it. A part that has not begun needs no thread of theirs, so nothing waits for
 * helpers whose threads are all busy.
 */
final class SubcompactionRunner {
  private final List<Subcompaction> parts;
  private final SharedProgress shared;
  private final List<CompletableFuture<List<SSTableWriter>>> results = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();

  SubcompactionRunner(List<Subcompaction> parts, SharedProgress shared) {
    this.parts = parts;
    this.shared = shared;
    parts.forEach(part -> results.add(new CompletableFuture<>()));
  }

  /** Runs all; returns their outputs in the order of the parts. */
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
        for (int i = 1; i < parts.size(); i++) {
          work.execute(help);
        }
      } catch (RejectedExecutionException e) {
        // Then this thread does what nobody else does.
      }
    }
    work();
    // All of them have been begun; those of other threads may still run.
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
      throwIt(failure);
    }
    return writers;
  }

  /** The cause, rather than that others gave up for it. */
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

  private static void throwIt(Throwable failure) throws IOException {
    Failures.rethrow(failure);
    throw new IOException(failure);
  }

  private void work() {
    for (int i = next.getAndIncrement(); i < parts.size(); i = next.getAndIncrement()) {
      CompletableFuture<List<SSTableWriter>> result = results.get(i);
      try {
        shared.check();
        result.complete(parts.get(i).run());
      } catch (Throwable e) {
        shared.giveUp();
        result.completeExceptionally(e);
      }
    }
  }
}
