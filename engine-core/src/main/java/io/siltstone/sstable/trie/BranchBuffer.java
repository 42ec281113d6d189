package io.siltstone.sstable.trie;

import java.util.Arrays;

/**
 * A buffer of branches of a trie that are complete and have not been written: the bytes that they
 * will have in the file. A branch whose pointers all lead to its own nodes has the same bytes
 * wherever it is written.
 *
 * <p>A branch is put together on top of those before it: the branches of its children, and after
 * them its node. When the children of a node have been written, all that was added since the node
 * began is dropped. Confined to one thread.
 */
final class BranchBuffer {
  private byte[] bytes = new byte[1024];
  private int length;

  /** Returns the array, of which {@link #length()} bytes are branches. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Makes room for bytes after the branches, in an array that may be another one. */
  void ensure(int room) {
    if (room > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + room));
    }
  }

  /** Takes bytes that were put after the branches for a part of them. */
  void advance(int count) {
    length += count;
  }

  /** Drops the bytes from an index on. */
  void truncate(int newLength) {
    length = newLength;
  }
}
