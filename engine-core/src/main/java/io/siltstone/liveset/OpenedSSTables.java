package io.siltstone.liveset;

import io.siltstone.cursor.RetentionFloor;
import io.siltstone.event.EngineListener;
import io.siltstone.files.TextFile;
import io.siltstone.files.UnchangedDirectory;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * The live SSTables of a directory, as they are opened.
 *
 * @param recovery what was found in the directory
 * @param tables the SSTables that could be opened, for a view, which holds them
 * @param quarantined the SSTables that could not be opened, if the options are lenient
 * @param positions from the file of flushed positions; none if it cannot be read
 * @param damagedPositions why it cannot be read, if the options are lenient
 * @param floor the retention floor; null if there is none, or its file cannot be read
 * @param damagedFloor why it cannot be read, if the options are lenient
 * @param keyRanges the deletions of ranges of keys; none if their file cannot be read
 * @param damagedKeyRanges why it cannot be read, if the options are lenient
 */
record OpenedSSTables(
    Recovery recovery,
    List<CountedSSTable> tables,
    List<EngineListener.CorruptionFound> quarantined,
    FlushedPositions positions,
    Optional<EngineListener.CorruptionFound> damagedPositions,
    @Nullable RetentionFloor floor,
    Optional<EngineListener.CorruptionFound> damagedFloor,
    KeyRangeFile keyRanges,
    Optional<EngineListener.CorruptionFound> damagedKeyRanges) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedSSTables.class);
  private static final Marker TOLD = MarkerFactory.getMarker(EngineListener.CorruptionFound.MARKER);

  // The maximum number of attempts while another process changes the directory.
  private static final int ATTEMPTS = 10;

  /**
   * Completes or undoes interrupted transactions, unless the options are read-only, and opens the
   * live SSTables; after a failure none stays open.
   *
   * @param schema that all SSTables must fit
   * @param unused closes SSTables after their last release
   * @param shared open SSTables of the directory, which are used again as long as their data files
   *     are the same; held by the caller. Null for none
   * @param unchanged see {@link LiveSet#open}
   */
  static OpenedSSTables open(
      Directory directory,
      TableSchema schema,
      LiveSetOptions options,
      ObsoleteSSTables unused,
      @Nullable View shared,
      @Nullable UnchangedDirectory unchanged)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        if (unchanged != null) {
          Recovery settled = Recovery.unchanged(directory, unchanged.listing());
          return open(settled, directory, schema, options, unused, null, unchanged);
        }
        Recovery recovery =
            options.isReadOnly()
                ? Recovery.read(directory, options.isLenient(), options.committed())
                : Recovery.readOwn(directory, options.isLenient(), options.committed());
        if (!options.isReadOnly()) {
          recovery.clean();
          FlushedPositionStore.removeTemporary(directory);
          RetentionFloorStore.removeTemporary(directory);
          KeyRangeDeletionStore.removeTemporary(directory);
          DictionaryFile.removeTemporary(directory);
        }
        return open(recovery, directory, schema, options, unused, shared, null);
      } catch (NoSuchFileException e) {
        if (!options.isReadOnly() || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * Opens the SSTables that were found.
   *
   * @throws NoSuchFileException if another process has deleted one meanwhile
   */
  private static OpenedSSTables open(
      Recovery recovery,
      Directory directory,
      TableSchema schema,
      LiveSetOptions options,
      ObsoleteSSTables unused,
      @Nullable View shared,
      @Nullable UnchangedDirectory unchanged)
      throws IOException {
    List<CountedSSTable> tables = new ArrayList<>();
    List<EngineListener.CorruptionFound> quarantined = new ArrayList<>();
    String keyRanges = options.isReadOnly() ? textOfKeyRanges(directory) : "";
    List<Attempt> attempts = new ArrayList<>();
    recovery.dataFiles().forEach(name -> attempts.add(new Attempt(name)));
    try {
      options
          .parallel()
          .forEach(
              attempts, each -> each.open(directory, schema, options, unused, shared, unchanged));
      for (Attempt attempt : attempts) {
        IOException failure = attempt.failure;
        if (failure == null) {
          tables.add(attempt.table());
          continue;
        }
        if (failure instanceof NoSuchFileException) {
          throw failure;
        }
        if (options.isReadOnly()) {
          requireLive(directory, attempt.name, options);
        }
        if (!options.isLenient()) {
          throw failure;
        }
        String path = directory.path() + "/" + attempt.name;
        LOG.warn(TOLD, "{} is quarantined: {}", path, failure.getMessage());
        quarantined.add(new EngineListener.CorruptionFound(null, path, failure));
      }
      // Both files are read after the SSTables. The one has the positions of those that were
      // removed meanwhile, the other the floor below which any of them may have been purged.
      Found<FlushedPositions> positions = read(options, () -> FlushedPositions.read(directory));
      Found<RetentionFloor> floor =
          read(options, () -> RetentionFloorStore.read(directory, schema));
      if (options.isReadOnly() && !textOfKeyRanges(directory).equals(keyRanges)) {
        // Another process has flushed or purged some: what was read may be of other SSTables.
        throw new NoSuchFileException(
            directory.path() + "/" + KeyRangeFile.FILE, null, "was replaced meanwhile");
      }
      Set<String> live = KeyRangeDeletionStore.prefixes(recovery.dataFiles());
      Found<KeyRangeFile> ranges = read(options, () -> KeyRangeFile.read(directory, live));
      KeyRangeFile deleted = Objects.requireNonNullElse(ranges.content, KeyRangeFile.NONE);
      return new OpenedSSTables(
          recovery,
          tables,
          quarantined,
          Objects.requireNonNullElse(positions.content, FlushedPositions.NONE),
          positions.damage,
          floor.content,
          floor.damage,
          options.isReadOnly() ? deleted : KeyRangeDeletionStore.settle(directory, deleted),
          ranges.damage);
    } catch (Throwable e) {
      List<SSTable> opened = new ArrayList<>();
      attempts.forEach(attempt -> attempt.addOpened(opened));
      Closeables.closeAllAfter(opened, e);
      throw e;
    }
  }

  /** Returns the text of the file, empty if there is none: it is compared only. */
  private static String textOfKeyRanges(Directory directory) throws IOException {
    return directory.exists(KeyRangeFile.FILE) ? TextFile.read(directory, KeyRangeFile.FILE) : "";
  }

  /** The opening of one SSTable, by any thread: what it has opened, or why it has failed. */
  private static final class Attempt {
    private final String name;
    // Opened here, rather than shared.
    private @Nullable SSTable opened;
    private @Nullable CountedSSTable counted;
    private @Nullable IOException failure;

    Attempt(String name) {
      this.name = name;
    }

    void open(
        Directory directory,
        TableSchema schema,
        LiveSetOptions options,
        ObsoleteSSTables unused,
        @Nullable View shared,
        @Nullable UnchangedDirectory unchanged) {
      try {
        Descriptor descriptor = Descriptor.parse(directory, name);
        Object identity = options.isReadOnly() ? identity(directory, name) : null;
        CountedSSTable present =
            shared == null || identity == null ? null : shared.find(descriptor, identity);
        if (present == null) {
          SSTable table = openFitting(directory, descriptor, schema, options, unchanged);
          opened = table;
          present = new CountedSSTable(table, identity, unused);
        } else {
          requireFitting(present.table, schema, options);
        }
        counted = present;
      } catch (IOException e) {
        failure = e;
      }
    }

    CountedSSTable table() {
      return Objects.requireNonNull(counted, name);
    }

    void addOpened(List<SSTable> to) {
      if (opened != null) {
        to.add(opened);
      }
    }
  }

  /** Returns the identity of a data file; null if it has none, or is missing. */
  private static @Nullable Object identity(Directory directory, String name) throws IOException {
    try {
      return directory.identity(name);
    } catch (NoSuchFileException e) {
      // Whether it was deleted meanwhile or is lost is decided when the SSTable is opened.
      return null;
    }
  }

  /** The content of a file, or why it cannot be read. */
  private record Found<T>(@Nullable T content, Optional<EngineListener.CorruptionFound> damage) {}

  private interface Content<T> {
    @Nullable T read() throws IOException;
  }

  private static <T> Found<T> read(LiveSetOptions options, Content<T> content) throws IOException {
    try {
      return new Found<>(content.read(), Optional.empty());
    } catch (CorruptFileException e) {
      if (!options.isLenient()) {
        throw e;
      }
      LOG.warn(TOLD, "what it tells is done without: {}", e.getMessage());
      return new Found<>(null, Optional.of(new EngineListener.CorruptionFound(null, e.path(), e)));
    }
  }

  private static SSTable openFitting(
      Directory directory,
      Descriptor descriptor,
      TableSchema schema,
      LiveSetOptions options,
      @Nullable UnchangedDirectory unchanged)
      throws IOException {
    SSTable table =
        unchanged == null
            ? open(directory, descriptor, options)
            : requireSamePartitioner(
                options
                    .opener()
                    .openUnchanged(
                        directory, descriptor, SSTableComponents.known(descriptor, unchanged)),
                options);
    try {
      requireFitting(table, schema, options);
      return table;
    } catch (Throwable e) {
      Closeables.closeAfter(table, e);
      throw e;
    }
  }

  private static void requireFitting(SSTable table, TableSchema schema, LiveSetOptions options)
      throws IOException {
    try {
      TableCheck.checkPresent(table, schema, options.isReadOnly());
    } catch (IllegalArgumentException e) {
      throw new IOException("the schema is of another table: " + e.getMessage(), e);
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
    return requireSamePartitioner(options.opener().open(directory, descriptor), options);
  }

  private static SSTable requireSamePartitioner(SSTable table, LiveSetOptions options)
      throws IOException {
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
