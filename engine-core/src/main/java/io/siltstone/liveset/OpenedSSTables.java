package io.siltstone.liveset;

import io.siltstone.event.EngineListener;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * The live SSTables of a directory, as they are opened.
 *
 * @param tables the SSTables that could be opened, which the caller closes
 * @param quarantined the SSTables that could not be opened, if the options are lenient
 * @param positions from the file of flushed positions; none if it cannot be read
 * @param damagedPositions why it cannot be read, if the options are lenient
 */
record OpenedSSTables(
    List<SSTable> tables,
    List<EngineListener.CorruptionFound> quarantined,
    FlushedPositions positions,
    Optional<EngineListener.CorruptionFound> damagedPositions) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedSSTables.class);
  private static final Marker TOLD = MarkerFactory.getMarker(EngineListener.CorruptionFound.MARKER);

  /**
   * Opens the SSTables of some data files; after a failure none stays open.
   *
   * @param schema that all SSTables must fit
   * @throws NoSuchFileException if another process has deleted one meanwhile
   */
  static OpenedSSTables open(
      Directory directory, List<String> dataFiles, TableSchema schema, LiveSetOptions options)
      throws IOException {
    List<SSTable> tables = new ArrayList<>();
    List<EngineListener.CorruptionFound> quarantined = new ArrayList<>();
    try {
      for (String name : dataFiles) {
        try {
          tables.add(openFitting(directory, Descriptor.parse(directory, name), schema, options));
        } catch (NoSuchFileException e) {
          throw e;
        } catch (IOException e) {
          if (options.isReadOnly()) {
            requireLive(directory, name, options);
          }
          if (!options.isLenient()) {
            throw e;
          }
          String path = directory.path() + "/" + name;
          LOG.warn(TOLD, "{} is quarantined: {}", path, e.getMessage());
          quarantined.add(new EngineListener.CorruptionFound(null, path, e));
        }
      }
      // Read after the SSTables: the file contains the positions of those that were removed
      // meanwhile.
      try {
        return new OpenedSSTables(
            tables, quarantined, FlushedPositions.read(directory), Optional.empty());
      } catch (CorruptFileException e) {
        if (!options.isLenient()) {
          throw e;
        }
        LOG.warn(TOLD, "what it tells is done without: {}", e.getMessage());
        return new OpenedSSTables(
            tables,
            quarantined,
            FlushedPositions.NONE,
            Optional.of(new EngineListener.CorruptionFound(null, e.path(), e)));
      }
    } catch (Throwable e) {
      Closeables.closeAllAfter(tables, e);
      throw e;
    }
  }

  private static SSTable openFitting(
      Directory directory, Descriptor descriptor, TableSchema schema, LiveSetOptions options)
      throws IOException {
    SSTable table = open(directory, descriptor, options);
    try {
      TableCheck.checkPresent(table, schema, options.isReadOnly());
      return table;
    } catch (IllegalArgumentException e) {
      try (table) {
        throw new IOException("the schema is of another table: " + e.getMessage(), e);
      }
    }
  }

  /**
   * Distinguishes damage from SSTables that another process is deleting at this moment, file by
   * file.
   *
   * @throws NoSuchFileException if the SSTable is being deleted
   */
  private static void requireLive(Directory directory, String name, LiveSetOptions options)
      throws IOException {
    // The files of an obsolete SSTable are deleted before the log that says so.
    boolean isLive = Recovery.read(directory, true, options.committed()).dataFiles().contains(name);
    String prefix = SSTableComponents.prefixOf(name);
    if (!isLive || SSTableComponents.of(prefix, directory.files()).isEmpty()) {
      throw new NoSuchFileException(directory.path() + "/" + name);
    }
  }

  /**
   * Opens one SSTable.
   *
   * @throws IOException if it cannot be opened, or has another partitioner than the options
   */
  static SSTable open(Directory directory, Descriptor descriptor, LiveSetOptions options)
      throws IOException {
    SSTable table = options.opener().open(directory, descriptor);
    if (table.partitioner() != options.partitioner()) {
      table.close();
      throw new IOException(
          table
              + " is of "
              + table.partitioner().className()
              + ", the table of "
              + options.partitioner().className());
    }
    return table;
  }
}
