/**
 * Off-heap memory with an owner and a budget.
 *
 * <p>{@link io.siltstone.memory.MemoryBudget} hands out {@link io.siltstone.memory.OffHeapBuffer}s,
 * counts them by {@link io.siltstone.memory.MemoryKind} and refuses beyond its limit. Each database
 * has one, passed down to all who allocate; there is no global one.
 */
@NullMarked
package io.siltstone.memory;

import org.jspecify.annotations.NullMarked;
