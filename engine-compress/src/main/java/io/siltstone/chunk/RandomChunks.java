package io.siltstone.chunk;

import io.siltstone.io.ReadableFile;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OffHeapBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads one chunk by one read, and nothing else. The file stays its owner's. */
final class RandomChunks extends BufferedChunks {
  private final ReadableFile file;
  private final OffHeapBuffer memory;
  private final ByteBuffer buffer;

  RandomChunks(
      ReadableFile file, ChunkLayout layout, MemoryBudget budget, ChunkedFile.CheckDecision check) {
    super(file.path(), layout, check);
    this.file = file;
    this.memory = budget.allocate(MemoryKind.CHUNK_BUFFER, layout.maxStoredLength());
    this.buffer = memory.bytes();
  }

  @Override
  ByteBuffer fetch(long start, int length) throws IOException {
    buffer.clear().limit(length);
    int read = file.read(start, buffer);
    if (read != length) {
      throw ended(start, length, read);
    }
    return buffer.flip();
  }

  @Override
  public void close() {
    memory.close();
  }
}
