package io.siltstone.commitlog.segment;

import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;

/** Receives the replayed changes of one table in one encoding. */
@FunctionalInterface
public interface TableReplay {
  /**
   * Called for each change, in the order of appending. The parts of one record have the same
   * position and follow each other.
   *
   * @param position within the record: results of {@link CommitLog#position} are lower before it
   *     was appended, and greater afterwards
   * @param bytes array with the change, which is overwritten after the call
   * @param offset start of the change
   * @param length of the change, in bytes
   */
  void replay(RecordType type, CommitLogPosition position, byte[] bytes, int offset, int length)
      throws IOException;
}
