package io.siltstone.sstable;

import io.siltstone.chunk.ExpectedEnd;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.KeySource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads keys from the data of an SSTable, through a cursor that is opened when it is needed. */
final class DataKeys implements KeySource {
  private final SSTable table;
  private final Opener opener;
  private final boolean isOwner;
  private @Nullable DataCursor data;

  /** Opens a cursor over the data. */
  @FunctionalInterface
  interface Opener {
    /** Opens it, or throws and leaves nothing open. */
    DataCursor open() throws IOException;
  }

  private DataKeys(SSTable table, Opener opener, boolean isOwner) {
    this.table = table;
    this.opener = opener;
    this.isOwner = isOwner;
  }

  /** Returns a source that opens a cursor, and closes it. */
  static DataKeys by(SSTable table, Opener opener) {
    return new DataKeys(table, opener, true);
  }

  /** Returns a source that moves a cursor, and does not close it. */
  static DataKeys over(SSTable table, DataCursor data) {
    return new DataKeys(table, () -> data, false);
  }

  @Override
  public @Nullable PartitionKey keyAt(long dataPosition) throws IOException {
    if (dataPosition >= table.dataLength()) {
      return null;
    }
    DataCursor open = data;
    if (open == null) {
      open = opener.open();
      data = open;
    }
    open.expectEnd(ExpectedEnd.UNKNOWN, false);
    open.seek(dataPosition, table.dataLength());
    try {
      return open.nextPartition() ? open.key() : null;
    } catch (CorruptSSTableException e) {
      if (e.isOfChecksum()) {
        throw e;
      }
      return null;
    }
  }

  /**
   * Returns the key at a position that the index has.
   *
   * @throws CorruptSSTableException if no partition begins there
   */
  PartitionKey require(long dataPosition) throws IOException {
    PartitionKey key = keyAt(dataPosition);
    if (key == null) {
      throw table.indexCorrupt(
          CorruptFileException.WHOLE_FILE,
          "no partition begins at " + dataPosition + " of the data");
    }
    return key;
  }

  @Override
  public void close() throws IOException {
    DataCursor open = data;
    if (isOwner && open != null) {
      open.close();
    }
  }
}
