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
 * The live SSTables of a directory as it is opened.
 *
 * @param tables that could be opened; whoever has them closes them
 * @param setAside that could not, where leniency was asked for
 * @param positions that the directory tells of SSTables which have gone; none if it cannot be read
 *     from it any more
 * @param damagedPositions why not, where leniency was asked for
 */
record OpenedSSTables(
    List<SSTable> tables,
    List<EngineListener.CorruptionFound> setAside,
    FlushedPositions positions,
    Optional<EngineListener.CorruptionFound> damagedPositions) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedSSTables.class);
  private static final Marker TOLD = MarkerFactory.getMarker(EngineListener.CorruptionFound.MARKER);

  /**
   * Opens the tables of these data files; none stays open after a failure.
   *
   * @param schema that all have to fit
   * @throws NoSuchFileException if one has gone meanwhile, by the hand of another process
   */
  static OpenedSSTables open(
      Directory directory, List<String> dataFiles, TableSchema schema, LiveSetOptions options)
      throws IOException {
    List<SSTable> tables = new ArrayList<>();
    List<EngineListener.CorruptionFound> setAside = new ArrayList<>();
    try {
      for (String name : dataFiles) {
        try {
          tables.add(openFitting(directory, Descriptor.parse(directory, name), schema, options));
        } catch (NoSuchFileException e) {
          throw e;
        } catch (IOException e) {
          if (options.isReadOnly()) {
            requireLive(directory, name);
          }
          if (!options.isLenient()) {
            throw e;
          }
          String path = directory.path() + "/" + name;
          LOG.warn(TOLD, "{} is set aside: {}", path, e.getMessage());
          setAside.add(new EngineListener.CorruptionFound(null, path, e));
        }
      }
      // After the SSTables: what is not told by these, as they have gone, is told by the file.
      try {
        return new OpenedSSTables(
            tables, setAside, FlushedPositions.read(directory), Optional.empty());
      } catch (CorruptFileException e) {
        if (!options.isLenient()) {
          throw e;
        }
        LOG.warn(TOLD, "what it tells is done without: {}", e.getMessage());
        return new OpenedSSTables(
            tables,
            setAside,
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
   * Tells what is damaged from what another process deletes at this moment, file by file.
   *
   * @throws NoSuchFileException if it does
   */
  private static void requireLive(Directory directory, String name) throws IOException {
    // Files of an obsolete SSTable go before the log that says so.
    boolean isLive = Recovery.read(directory, true).dataFiles().contains(name);
    String prefix = SSTableComponents.prefixOf(name);
    if (!isLive || SSTableComponents.of(prefix, directory.files()).isEmpty()) {
      throw new NoSuchFileException(directory.path() + "/" + name);
    }
  }

  /**
   * Opens one table.
   *
   * @throws IOException if it is of another partitioner than the options say, too
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
