package io.siltstone.commitlog.segment;

import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;

/** Takes the replayed changes of one table in one encoding. */
@FunctionalInterface
public interface TableReplay {
  /**
   * A change, in the order of appending. The parts of one record have the same position and come
   * one behind the other.
   *
   * @param position within the record: what {@link CommitLog#position} said before it was appended
   *     is less, what it said afterwards is greater
   * @param bytes has the change, and is overwritten afterwards
   * @param offset where the change begins
   * @param length of the change, in bytes
   */
  void replay(RecordType type, CommitLogPosition position, byte[] bytes, int offset, int length)
      throws IOException;
}
