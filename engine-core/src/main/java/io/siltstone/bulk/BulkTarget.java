package io.siltstone.bulk;

import io.siltstone.io.Directory;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** The table that a load writes to: one of an open database, or a directory. */
public interface BulkTarget extends Closeable {

  /** Returns the directory of the table, in which temporary files are made. */
  Directory directory();

  /** Returns the format version of SSTables that are written. */
  FormatVersion version();

  /** Begins the load. The claim is closed by the caller, before this. */
  Claim begin() throws IOException;

  /**
   * Checks that the load may go on; called often.
   *
   * @throws IllegalStateException if the database is closed or the table was dropped
   */
  void requireOpen();

  /**
   * Makes the outputs of the claim live, all at once.
   *
   * @param written the outputs
   */
  void publish(Claim claim, List<Descriptor> written) throws IOException;

  /** Releases what the target has opened. A second call does nothing. */
  @Override
  void close() throws IOException;
}
