/**
 * The port between engine and compaction: what the engine calls ({@code Compactor}, created by a
 * {@code CompactorFactory}), and what a compactor calls ({@code CompactionHost}, {@code Claim},
 * {@code OverlapView}).
 *
 * <p>The engine knows no strategy and starts no compaction thread; a compactor knows no memtable,
 * no commit log and no transaction log. Three rules hold on both sides:
 *
 * <ul>
 *   <li>Neither calls the other with a lock held, so each may call the other from within a call.
 *       The exceptions are {@link io.siltstone.spi.Compactor#check}, called under the locks of the
 *       table's writers, and {@link io.siltstone.spi.CompactionHost#isAutoCompactionEnabled}, which
 *       may be called under a lock of the compactor: they return at once and make no calls.
 *   <li>A compactor is notified of changes after they are visible, and may miss some: after a crash
 *       it is notified of none. It reads {@link io.siltstone.spi.CompactionHost#live} before it
 *       decides, and at all tables when it starts.
 *   <li>A {@link io.siltstone.spi.Claim} outlives neither the table it is of nor the process: not
 *       committed, it has had no effect.
 * </ul>
 */
@NullMarked
package io.siltstone.spi;

import org.jspecify.annotations.NullMarked;
