/**
 * Pools of threads that work behind those of the user.
 *
 * <p>{@link io.siltstone.threads.IdlingPool} is what databases and compaction services have their
 * tasks run by: it takes a task or rejects it, also where the operating system has no thread left.
 * A {@link io.siltstone.threads.RecallableTask} keeps nothing alive while it waits there for
 * nothing. A {@link io.siltstone.threads.Ticker} does again and again what comes with time. {@link
 * io.siltstone.threads.Failures} and {@link io.siltstone.threads.Uninterruptibles} are what is
 * needed where one thread waits for another.
 */
@NullMarked
package io.siltstone.threads;

import org.jspecify.annotations.NullMarked;
