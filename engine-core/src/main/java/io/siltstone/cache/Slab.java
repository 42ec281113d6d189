package io.siltstone.cache;

import io.siltstone.offheap.OffHeapBuffer;
import java.nio.ByteBuffer;

/**
 * Memory for one chunk.
 *
 * @param memory the memory, which its owner closes
 * @param bytes view of all of it
 */
record Slab(OffHeapBuffer memory, ByteBuffer bytes) {}
