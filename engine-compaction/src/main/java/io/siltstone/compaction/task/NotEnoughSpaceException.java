package io.siltstone.compaction.task;

import io.siltstone.io.Directory;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.List;

/** The disk has less room than a task may need; nothing has been written. */
public final class NotEnoughSpaceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long neededBytes;
  private final long availableBytes;

  NotEnoughSpaceException(String directory, long neededBytes, long availableBytes) {
    super(
        directory
            + ": the outputs may need "
            + neededBytes
            + " bytes, "
            + availableBytes
            + " are available");
    this.neededBytes = neededBytes;
    this.availableBytes = availableBytes;
  }

  /**
   * That there is room for outputs as large as the inputs.
   *
   * @throws NotEnoughSpaceException if not
   */
  static void check(List<SSTable> inputs) throws IOException {
    if (inputs.isEmpty()) {
      return;
    }
    Directory directory = inputs.get(0).directory();
    long needed = inputs.stream().mapToLong(SSTable::onDiskLength).sum();
    long available = directory.usableSpace();
    if (available < needed) {
      throw new NotEnoughSpaceException(directory.path(), needed, available);
    }
  }

  /** That the outputs may need. */
  public long neededBytes() {
    return neededBytes;
  }

  /** That the file system has. */
  public long availableBytes() {
    return availableBytes;
  }
}
