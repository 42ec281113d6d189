package io.siltstone.bulk;

import io.siltstone.catalog.Identity;
import io.siltstone.catalog.TableLock;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.List;

/**
 * The directory of a table that no database has open, as the target of a load. It is locked until
 * the target is closed. A change that a crash has interrupted is completed or undone first, and
 * what killed loads have left is removed.
 */
public final class DirectoryTarget implements BulkTarget {
  private final Directory directory;
  private final FormatVersion version;
  private final SchemaOutput schema;
  private final LiveSet liveSet;
  private final Closeables closeables = new Closeables();

  /**
   * Opens and locks a directory.
   *
   * @param version of SSTables that are written
   * @throws IllegalArgumentException if the directory is that of another table
   * @throws IOException if the directory is a database, if somebody else has locked it, or if an
   *     SSTable in it is damaged or does not fit; names the file
   */
  public DirectoryTarget(
      Directory directory, TableSchema table, Partitioner partitioner, FormatVersion version)
      throws IOException {
    if (Identity.isIn(directory)) {
      throw new IOException(directory.path() + " is a database, not the directory of a table");
    }
    this.directory = directory;
    this.version = version;
    this.schema = new SchemaOutput(directory, table);
    closeables.add(TableLock.take(directory));
    try {
      schema.check();
      MemoryBudget budget = closeables.add(PooledMemory.unlimited());
      liveSet =
          closeables.add(
              LiveSet.open(
                  directory,
                  table,
                  LiveSetOptions.builder(
                          (of, descriptor) ->
                              SSTable.open(of, descriptor, SSTableOptions.DEFAULT, budget))
                      .partitioner(partitioner)
                      .version(version)
                      .build(),
                  budget));
    } catch (Throwable e) {
      closeables.closeAfter(e);
      throw e;
    }
  }

  @Override
  public Directory directory() {
    return directory;
  }

  @Override
  public FormatVersion version() {
    return version;
  }

  @Override
  public Claim begin() throws IOException {
    return liveSet.beginLoad();
  }

  @Override
  public void requireOpen() {
    // Only the load itself closes this target.
  }

  @Override
  public void publish(Claim claim, List<Descriptor> written) throws IOException {
    // Before the SSTables, which without their schema could not be distinguished from another
    // table's.
    boolean isNew = schema.writeIfMissing();
    try {
      claim.commit(0);
    } catch (InDoubtException e) {
      // The SSTables may be there.
      throw e;
    } catch (Throwable e) {
      if (isNew) {
        schema.deleteAfter(e);
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    closeables.close();
  }
}
