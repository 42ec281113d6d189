package io.siltstone.sstable.trie;

import io.siltstone.io.WritableFile;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A file in memory that leaves out pages between writes, so that pointers are long without a file
 * of terabytes, and a view of its pages.
 */
final class JumpingFile implements WritableFile, TriePages {
  private final Random random;
  private final int jumpBits;
  private final TreeMap<Long, byte[]> pages = new TreeMap<>();
  private @Nullable ByteBuffer[] views = {};
  private long position;

  /**
   * @param jumpBits each jump leaves out less than two to this power pages, 0 for none
   */
  JumpingFile(Random random, int jumpBits) {
    this.random = random;
    this.jumpBits = jumpBits;
  }

  @Override
  public String path() {
    return "jumping";
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(ByteBuffer src) {
    while (src.hasRemaining()) {
      int at = (int) (position & (PagedOutput.PAGE_BYTES - 1));
      byte[] page = pages.computeIfAbsent(position - at, any -> new byte[PagedOutput.PAGE_BYTES]);
      int count = Math.min(src.remaining(), PagedOutput.PAGE_BYTES - at);
      src.get(page, at, count);
      position += count;
    }
    if (jumpBits > 0) {
      position += PagedOutput.PAGE_BYTES * random.nextLong(1L << random.nextInt(jumpBits));
    }
  }

  @Override
  public long length() {
    return position;
  }

  /** Allocates nothing if there are no jumps and the page has been looked at before. */
  @Override
  public ByteBuffer page(long start) throws IOException {
    if (jumpBits > 0) {
      return view(start);
    }
    int index = (int) (start / PagedOutput.PAGE_BYTES);
    if (index >= views.length) {
      views = Arrays.copyOf(views, 2 * index + 1);
    }
    ByteBuffer view = views[index];
    if (view == null) {
      view = view(start);
      views[index] = view;
    }
    return view;
  }

  private ByteBuffer view(long start) throws IOException {
    byte[] page = pages.get(start);
    if (page == null) {
      throw corrupt(start, "no such page");
    }
    return ByteBuffer.wrap(page, 0, (int) Math.min(PagedOutput.PAGE_BYTES, position - start));
  }

  /** Returns all pages, to be damaged. */
  Map<Long, byte[]> pages() {
    return pages;
  }

  @Override
  public CorruptSSTableException corrupt(long at, String reason) {
    return new CorruptSSTableException(path(), Component.PRIMARY_INDEX, at, reason);
  }

  @Override
  public void sync() {}

  @Override
  public void close() {}
}
