package io.siltstone.sstable.trie;

import io.siltstone.io.WritableFile;
import io.siltstone.sstable.data.BufferedOutput;
import java.io.IOException;

/**
 * A buffered output that knows the pages of its file, over whose boundaries no node of a trie may
 * reach. Confined to one thread; takes the file over.
 */
public final class PagedOutput extends BufferedOutput {
  /** The size of a page in bytes. */
  public static final int PAGE_BYTES = 4096;

  private static final byte[] ZEROS = new byte[PAGE_BYTES];

  /** Creates an output that appends to a file. */
  public PagedOutput(WritableFile file) {
    super(file);
  }

  /** Returns the number of bytes before the end of the page, a whole page at its beginning. */
  int leftInPage() {
    return PAGE_BYTES - (int) (position() & (PAGE_BYTES - 1));
  }

  /** Fills the rest of the page with zeros, unless the page has just begun. */
  void padPage() throws IOException {
    int left = leftInPage() & (PAGE_BYTES - 1);
    write(ZEROS, 0, left);
  }
}
