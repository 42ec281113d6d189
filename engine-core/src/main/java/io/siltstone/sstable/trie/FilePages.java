package io.siltstone.sstable.trie;

import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pages that are read from a file. The few that were used last are kept, so that the page of the
 * root, with which each look-up begins, is not read again and again.
 *
 * <p>Confined to one thread; does not own the file.
 */
public final class FilePages implements TriePages {
  private static final int KEPT = 4;
  private static final long NOT_READ = -1;

  private final ReadableFile file;
  private final Component component;
  private final long length;
  private final FileReads reads;
  private final @Nullable ByteBuffer[] pages = new ByteBuffer[KEPT];
  private final long[] starts = new long[KEPT];
  private final long[] lastUses = new long[KEPT];
  private long uses;

  /**
   * @param file of which each byte can be read alone
   * @param component of the SSTable, for messages
   * @param length of the part of the file that nodes may be in
   * @param reads counts the reads of the file
   */
  public FilePages(ReadableFile file, Component component, long length, FileReads reads) {
    this.file = file;
    this.component = component;
    this.length = length;
    this.reads = reads;
    Arrays.fill(starts, NOT_READ);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public ByteBuffer page(long start) throws IOException {
    int oldest = 0;
    for (int i = 0; i < KEPT; i++) {
      ByteBuffer kept = pages[i];
      if (starts[i] == start && kept != null) {
        lastUses[i] = ++uses;
        return kept;
      }
      if (lastUses[i] < lastUses[oldest]) {
        oldest = i;
      }
    }
    return read(start, oldest);
  }

  private ByteBuffer read(long start, int slot) throws IOException {
    ByteBuffer page = pages[slot];
    if (page == null) {
      page = ByteBuffer.allocate(PagedOutput.PAGE_BYTES);
      pages[slot] = page;
    }
    starts[slot] = NOT_READ;
    page.clear().limit((int) Math.min(PagedOutput.PAGE_BYTES, length - start));
    file.readFully(start, page);
    page.flip();
    reads.add(page.limit());
    starts[slot] = start;
    lastUses[slot] = ++uses;
    return page;
  }

  @Override
  public CorruptSSTableException corrupt(long position, String reason) {
    return new CorruptSSTableException(file.path(), component, position, reason);
  }
}
