/**
 * The public types of the engine's off-heap memory: the kinds of use that are counted separately,
 * and the exception of an exhausted budget.
 *
 * <p>May use no other package. The allocation itself is in {@code offheap}.
 */
@NullMarked
package io.siltstone.memory;

import org.jspecify.annotations.NullMarked;
