package io.siltstone.sstable.trie;

import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Pages that are read from a file. A few of those that were read last are kept, so that the page of
 * the root, with which each look-up begins, is not read again and again.
 *
 * <p>Confined to one thread; does not own the file.
 */
public final class FilePages implements TriePages {
  /** A power of two. */
  private static final int KEPT = 4;

  private static final long NOT_READ = -1;

  private final ReadableFile file;
  private final Component component;
  private final long length;
  private final ByteBuffer[] pages = new ByteBuffer[KEPT];
  private final long[] starts = new long[KEPT];

  /**
   * @param file of which each byte can be read alone
   * @param component of the SSTable, for messages
   * @param length of the part of the file that nodes may be in
   */
  public FilePages(ReadableFile file, Component component, long length) {
    this.file = file;
    this.component = component;
    this.length = length;
    for (int i = 0; i < KEPT; i++) {
      pages[i] = ByteBuffer.allocate(PagedOutput.PAGE_BYTES);
      starts[i] = NOT_READ;
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public ByteBuffer page(long start) throws IOException {
    int slot = (int) (start / PagedOutput.PAGE_BYTES) & (KEPT - 1);
    ByteBuffer page = pages[slot];
    if (starts[slot] != start) {
      starts[slot] = NOT_READ;
      page.clear().limit((int) Math.min(PagedOutput.PAGE_BYTES, length - start));
      file.readFully(start, page);
      page.flip();
      starts[slot] = start;
    }
    return page;
  }

  @Override
  public CorruptSSTableException corrupt(long position, String reason) {
    return new CorruptSSTableException(file.path(), component, position, reason);
  }
}
