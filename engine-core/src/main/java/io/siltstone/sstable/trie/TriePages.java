package io.siltstone.sstable.trie;

import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The pages of a file with tries, which a reader looks at in place. Confined to one thread. */
public interface TriePages {

  /** Returns the length of the part of the file that nodes may be in. */
  long length();

  /**
   * Returns a page.
   *
   * @param start its position in the file, a multiple of {@link PagedOutput#PAGE_BYTES} below
   *     {@link #length()}
   * @return its bytes from index 0 to the limit, which is lower for the last page; valid until the
   *     next call
   */
  ByteBuffer page(long start) throws IOException;

  /** Returns the exception for damage at a position. */
  CorruptSSTableException corrupt(long position, String reason);
}
