/**
 * Off-heap memory with an owner and a budget.
 *
 * <p>{@link io.siltstone.offheap.MemoryBudget} allocates {@link
 * io.siltstone.offheap.OffHeapBuffer}s, counts them by {@link io.siltstone.memory.MemoryKind} and
 * refuses to go beyond its limit. Each database has one budget, which is passed down to all that
 * allocate; there is no global one. May use {@code memory} and nothing else. Not exported to users.
 */
@NullMarked
package io.siltstone.offheap;

import org.jspecify.annotations.NullMarked;
