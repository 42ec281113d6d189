package io.siltstone.keyvalue;

import io.siltstone.cursor.Read;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.table.ValueChange;
import java.util.List;
import java.util.Objects;

/**
 * The parameters of a point read of one entry. Reusable, so that a read does not allocate them.
 * Confined to one thread.
 */
final class EntryLookup {
  private static final byte[] NO_KEY = {};

  private final PartitionKey key = new PartitionKey();
  private final Read.OfPartition read;

  /**
   * @param encoding of a table without clustering columns
   */
  EntryLookup(RowEncoding encoding) {
    read = new Read.OfPartition(key, List.of(Slice.all(encoding)), false);
  }

  /**
   * Returns a read of the key, which is not copied; valid until the next call.
   *
   * @throws IllegalArgumentException if no entry can have that key
   */
  Read.OfPartition of(byte[] bytes, int offset, int length) {
    ValueChange.requireKeyLength(length);
    Objects.checkFromIndexSize(offset, length, bytes.length);
    key.wrap(bytes, offset, length, Partitioner.BYTE_ORDERED.token(bytes, offset, length));
    return read;
  }

  /** Releases the caller's array. */
  void clear() {
    key.wrap(NO_KEY, 0, 0, 0);
  }
}
