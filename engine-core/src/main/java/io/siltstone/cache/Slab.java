package io.siltstone.cache;

import io.siltstone.offheap.OffHeapBuffer;
import java.nio.ByteBuffer;

/**
 * Memory for one chunk.
 *
 * @param memory that its owner closes
 * @param bytes all of it
 */
record Slab(OffHeapBuffer memory, ByteBuffer bytes) {}
