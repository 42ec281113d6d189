/**
 * Background threads, and small tools for code that many threads run. Uses no other package.
 *
 * <p>{@link io.siltstone.threads.IdlingPool} is the executor of databases and compaction services:
 * it accepts a task or rejects it, also if the operating system has no thread left. A {@link
 * io.siltstone.threads.RecallableTask} can be taken back from a pool before it runs, so that the
 * queue does not keep its objects alive. {@link io.siltstone.threads.Ticker} runs a periodic task.
 *
 * <p>{@link io.siltstone.threads.ThreadStripes} spreads counters over cache lines by the calling
 * thread, and {@link io.siltstone.threads.StripedPool} pools objects in this way. {@link
 * io.siltstone.threads.Closeables} closes several resources, {@link io.siltstone.threads.Failures}
 * combines their failures, and {@link io.siltstone.threads.Uninterruptibles} waits for other
 * threads in spite of interrupts.
 */
@NullMarked
package io.siltstone.threads;

import org.jspecify.annotations.NullMarked;
