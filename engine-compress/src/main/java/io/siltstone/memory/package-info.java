/**
 * What users see of the engine's off-heap memory: the kinds of use that are counted apart, and the
 * exception that an exhausted budget is reported with.
 *
 * <p>May use no other package. The allocation itself is in {@code offheap}.
 */
@NullMarked
package io.siltstone.memory;

import org.jspecify.annotations.NullMarked;
