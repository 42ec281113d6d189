package io.siltstone.sstable.data;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ExpectedEnd;
import java.io.IOException;

/**
 * Reads small parts at first, and larger ones while reading continues: a point read copies little
 * more than its row, and a long slice makes few reads. Confined to one thread.
 */
final class GrowingParts implements ByteSource {
  private static final int MOST_BYTES = 64 * 1024;

  private final ChunkSource chunks;
  private final int first;
  private int unit;
  private long expected = -1;

  /** Takes over the source. */
  GrowingParts(ChunkSource chunks, int first) {
    this.chunks = chunks;
    this.first = first;
    this.unit = first;
  }

  @Override
  public String path() {
    return chunks.path();
  }

  @Override
  public long length() {
    return chunks.length();
  }

  @Override
  public int read(long position, byte[] dst, int offset, int length) throws IOException {
    unit = position == expected ? Math.min(2 * unit, MOST_BYTES) : first;
    int count = chunks.read(position, dst, offset, Math.min(unit, length));
    expected = position + count;
    return count;
  }

  @Override
  public int unit() {
    return unit;
  }

  @Override
  public int pieceLength() {
    return chunks.chunkLength();
  }

  @Override
  public void expectEnd(ExpectedEnd end, boolean isCertain) {
    chunks.expectEnd(end, isCertain);
  }

  @Override
  public void releaseBuffers() {
    chunks.releaseBuffers();
  }

  @Override
  public void close() throws IOException {
    chunks.close();
  }
}
