package io.siltstone.spark.table;

import io.siltstone.Compaction;
import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.ListedDirectory;
import io.siltstone.spark.files.ListedFile;
import io.siltstone.spark.files.ListedSSTable;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table as the driver sees it for one job: its definition, the files that all tasks read, and
 * what their statistics say. Immutable, safe for use by all threads; holds no file.
 */
public final class SourceTable {
  private static final Logger LOG = LoggerFactory.getLogger(SourceTable.class);

  private final Storage storage;
  private final TableSchema schema;
  private final String path;
  private final List<ListedSSTable> sstables;
  private final List<ListedFile> others;
  private final List<LiveTable> statistics;
  private final Partitioner partitioner;
  private final long skippedBytes;
  private final int skippedCount;

  private SourceTable(
      Storage storage,
      TableSchema schema,
      String path,
      LiveFiles files,
      List<ListedSSTable> sstables,
      List<SkippedSSTable> skipped,
      Facts facts) {
    this.storage = storage;
    this.schema = schema;
    this.path = path;
    this.sstables = List.copyOf(sstables);
    this.others = List.copyOf(files.others());
    this.statistics = facts.statistics;
    this.partitioner = facts.partitioner;
    this.skippedCount = skipped.size();
    this.skippedBytes = skipped.stream().mapToLong(each -> each.sstable().bytes()).sum();
  }

  /** The statistics of an open table's SSTables. */
  private record Facts(List<LiveTable> statistics, Partitioner partitioner) {}

  /**
   * Opens all SSTables of the table, and closes them again.
   *
   * @param skipsDamage whether SSTables that cannot be opened are left out, with a warning
   * @throws IOException if one cannot be opened otherwise; the message names the file
   */
  public static SourceTable of(
      Storage storage, TableSchema schema, List<TableDirectory> directories, boolean skipsDamage)
      throws IOException {
    LiveFiles files = LiveFiles.of(storage, schema, directories, skipsDamage);
    String path = directories.get(0).path();
    if (directories.size() > 1) {
      path += " and " + (directories.size() - 1) + " more";
    }
    List<ListedSSTable> sstables = new ArrayList<>(files.sstables());
    List<SkippedSSTable> skipped = new ArrayList<>(files.skipped());
    while (true) {
      ListedDirectory listed = directory(storage, path, sstables, files.others(), false);
      try (OfflineTable table = open(listed, schema)) {
        skipped.forEach(each -> LOG.warn("{}", each));
        Facts facts = new Facts(table.live().tables(), table.live().partitioner());
        return new SourceTable(storage, schema, path, files, sstables, skipped, facts);
      } catch (IOException e) {
        String reason = listed.locate(String.valueOf(e.getMessage()));
        Optional<ListedSSTable> blamed = blamed(sstables, reason);
        if (!skipsDamage || !isDamage(e) || blamed.isEmpty()) {
          throw new IOException(reason, e);
        }
        sstables.remove(blamed.get());
        skipped.add(new SkippedSSTable(blamed.get(), reason));
      }
    }
  }

  /**
   * Returns whether a failure says that a file is damaged or missing. Any other one, as of the
   * network, may pass, and must not hide rows.
   */
  public static boolean isDamage(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CorruptSSTableException
          || each instanceof CorruptFileException
          || each instanceof NoSuchFileException) {
        return true;
      }
    }
    return false;
  }

  /** Returns the SSTable of which a message says that it is damaged. */
  public static Optional<ListedSSTable> blamed(List<ListedSSTable> sstables, String message) {
    // The path of one SSTable may be the end of another's: the longest is the one that is meant.
    return sstables.stream()
        .filter(
            sstable -> {
              String data = sstable.path(Component.DATA);
              return message.contains(
                  data.substring(0, data.length() - Component.DATA.fileName().length()));
            })
        .max(Comparator.comparingInt(sstable -> sstable.path(Component.DATA).length()));
  }

  /**
   * Returns the directory of some SSTables.
   *
   * @param withFilters whether they have their bloom filters, which only point reads need
   */
  public static ListedDirectory directory(
      Storage storage,
      String path,
      List<ListedSSTable> sstables,
      List<ListedFile> others,
      boolean withFilters) {
    List<ListedFile> files = new ArrayList<>(others);
    for (ListedSSTable sstable : sstables) {
      files.addAll((withFilters ? sstable : sstable.withoutFilter()).files());
    }
    return new ListedDirectory(storage, path, files);
  }

  /** Opens a table for reading only; the caller closes it. */
  public static OfflineTable open(Directory directory, TableSchema schema) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().readOnly(true).compaction(Compaction.none()).build();
    return OfflineTable.open(directory, schema, null, options);
  }

  /** Opens the table as all tasks together read it; the caller closes it. */
  public OfflineTable open() throws IOException {
    return open(directory(storage, path, sstables, others, false), schema);
  }

  /** Returns a message with the real paths of the files that it names as {@link #open} does. */
  public String locate(String message) {
    return directory(storage, path, sstables, others, true).locate(message);
  }

  /** Returns how the files are opened. */
  public Storage storage() {
    return storage;
  }

  /** Returns the definition. */
  public TableSchema schema() {
    return schema;
  }

  /** Returns the directory, and how many others there are, for messages. */
  public String path() {
    return path;
  }

  /** Returns the SSTables. */
  public List<ListedSSTable> sstables() {
    return sstables;
  }

  /** Returns the files that delete rows beside the SSTables. */
  public List<ListedFile> others() {
    return others;
  }

  /** Returns what the statistics of the SSTables say. */
  public List<LiveTable> statistics() {
    return statistics;
  }

  /** Returns the partitioner, which decides the order of partitions. */
  public Partitioner partitioner() {
    return partitioner;
  }

  /** Returns the number of SSTables that were skipped. */
  public int skippedCount() {
    return skippedCount;
  }

  /** Returns the size of the files of the SSTables that were skipped, in bytes. */
  public long skippedBytes() {
    return skippedBytes;
  }

  /** Returns the SSTables that have keys with tokens between two, both inclusive. */
  public List<ListedSSTable> between(long firstToken, long lastToken) {
    Set<String> names =
        statistics.stream()
            .filter(
                each ->
                    each.lastKey().token() >= firstToken && each.firstKey().token() <= lastToken)
            .map(each -> each.descriptor().toString())
            .collect(Collectors.toSet());
    return sstables.stream().filter(sstable -> names.contains(sstable.name())).toList();
  }
}
