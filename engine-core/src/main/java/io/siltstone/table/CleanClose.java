package io.siltstone.table;

import io.siltstone.catalog.TableHome;
import io.siltstone.catalog.UnchangedTables;
import io.siltstone.commitlog.segment.LogFiles;
import io.siltstone.files.DirectoryListing;
import io.siltstone.files.Sha256;
import io.siltstone.files.TextFile;
import io.siltstone.files.UnchangedDirectory;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.liveset.Recovery;
import io.siltstone.liveset.View;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.threads.ParallelSteps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of a clean close: what the database was like when all changes in its commit log were
 * in SSTables. As long as it is still like that, the log has nothing to be replayed.
 *
 * <pre>
 *   clock 1764270000000000                     the last automatic timestamp, in microseconds
 *   segment commitlog-1764260000000.log 4711   each file of the log, with its length
 *   tables 5f3a...                             SHA-256 of tables, SSTables and flushed positions
 *   count 17                                   number of tables
 *   directory 0f5e... 9b1c...                  id of a table, hash of the files in its directory
 *   data oa-1-big 1048576 16384 ...            an SSTable of that table, facts about its data
 *   crc32 1a2b3c4d                             of the lines before
 * </pre>
 *
 * The record describes a state, so it need be neither durable nor removed: the first change that is
 * logged begins another segment of the log, every flush and compaction makes other SSTables, and a
 * record that is old, torn or missing leads to a replay. So does whatever was put into the
 * directory, or taken out of it, while the database was closed.
 *
 * <p>A process that logs nothing may nevertheless change tables, for example alter one, and die
 * before a name is durable. Hence the names in the directories that have changed are synced by the
 * next opening.
 *
 * <p>A table whose files have the names, lengths and times that they had at the close needs none of
 * the checks and repairs of an opening: nothing was interrupted there, and all components of its
 * SSTables were found to fit each other. A table without such a line, or with other files, is
 * opened with all of them. So is a table with a file that is not older than the record, as its time
 * would not show that it was written once more. There is no line for a table with damage that was
 * quarantined.
 *
 * <p>The facts about the data of an SSTable, such as its length, are what is read from its files at
 * another opening. They count only with the hash of the table's directory, hence not if any file
 * was replaced, and the read that first opens the data compares them.
 *
 * <p>A table in which nothing was changed since it was found unchanged at the opening gets the same
 * line as before, without a look at its files: in the directory of a table, files are only added,
 * renamed and removed, which the directory's own time shows. If a file was written nevertheless,
 * the next opening finds it changed.
 *
 * <p>Safe for all threads.
 */
public final class CleanClose implements UnchangedTables {
  private static final Logger LOG = LoggerFactory.getLogger(CleanClose.class);

  /** The name of the file, in the directory of the database. */
  public static final String FILE = "clean_close";

  private static final String CLOCK = "clock ";
  private static final String SEGMENT = "segment ";
  private static final String TABLES = "tables ";
  private static final String COUNT = "count ";
  private static final String DIRECTORY = "directory ";
  private static final String DATA = "data ";
  private static final String CHECKSUM = "crc32 ";

  private final long clockMicros;
  private final List<String> segments;
  private final String tables;
  // -1 if the record does not say it.
  private final int count;
  private final long writtenAtMillis;
  private final Map<String, Noted> directories;
  // The directories that the opening has found unchanged, by the id of their table.
  private final Map<UUID, Found> found = new ConcurrentHashMap<>();

  /**
   * The part of the record about the directory of a table.
   *
   * @param fingerprint of its files
   * @param dataFacts {@link SSTable#dataFacts} by the descriptor of the SSTable
   */
  private record Noted(String fingerprint, Map<String, String> dataFacts) {}

  /**
   * The directory of a table that was found unchanged.
   *
   * @param fingerprint of its files
   * @param namesChangedMillis when its names had changed last, before the record was written
   */
  private record Found(String fingerprint, long namesChangedMillis) {}

  private CleanClose(
      long clockMicros,
      List<String> segments,
      String tables,
      int count,
      long writtenAtMillis,
      Map<String, Noted> directories) {
    this.clockMicros = clockMicros;
    this.segments = segments;
    this.tables = tables;
    this.count = count;
    this.writtenAtMillis = writtenAtMillis;
    this.directories = directories;
  }

  /** Returns the last automatic timestamp, in microseconds. */
  public long clockMicros() {
    return clockMicros;
  }

  /**
   * Reads the record if the log is as it was at a clean close: then no process has logged anything
   * since. It may have changed tables without a log, which their files show.
   *
   * @param log the directory of the log
   * @return empty if there is none that applies
   */
  public static Optional<CleanClose> read(Directory root, Directory log) throws IOException {
    if (!root.exists(FILE)) {
      return Optional.empty();
    }
    String text;
    long writtenAtMillis;
    try {
      text = TextFile.read(root, FILE);
      writtenAtMillis = root.lastModifiedMillis(FILE);
    } catch (IOException e) {
      // It was not durable, so that the directory may find it damaged.
      LOG.info("{}: the commit log is replayed: {}", root.path(), e.toString());
      return Optional.empty();
    }
    List<String> present = segments(log);
    return parse(text, writtenAtMillis)
        .filter(close -> !present.isEmpty() && close.segments.equals(present));
  }

  private static Optional<CleanClose> parse(String text, long writtenAtMillis) {
    int end = text.lastIndexOf(CHECKSUM);
    if (end < 0 || !text.substring(end).equals(checksumLine(text.substring(0, end)))) {
      return Optional.empty();
    }
    long clock = 0;
    String tables = "";
    int count = -1;
    List<String> segments = new ArrayList<>();
    Map<String, Noted> directories = new HashMap<>();
    Map<String, String> dataFacts = new HashMap<>();
    for (String line : text.substring(0, end).lines().toList()) {
      if (line.startsWith(CLOCK)) {
        clock = Long.parseLong(line.substring(CLOCK.length()));
      } else if (line.startsWith(SEGMENT)) {
        segments.add(line);
      } else if (line.startsWith(TABLES)) {
        tables = line;
      } else if (line.startsWith(COUNT)) {
        count = Integer.parseInt(line.substring(COUNT.length()));
      } else if (line.startsWith(DIRECTORY)) {
        int space = line.indexOf(' ', DIRECTORY.length());
        if (space > 0) {
          dataFacts = new HashMap<>();
          directories.put(
              line.substring(DIRECTORY.length(), space),
              new Noted(line.substring(space + 1), dataFacts));
        }
      } else if (line.startsWith(DATA)) {
        int space = line.indexOf(' ', DATA.length());
        if (space > 0) {
          dataFacts.put(line.substring(DATA.length(), space), line.substring(space + 1));
        }
      }
    }
    return Optional.of(
        new CleanClose(clock, segments, tables, count, writtenAtMillis, directories));
  }

  @Override
  public @Nullable UnchangedDirectory find(UUID id, Directory directory) throws IOException {
    Noted noted = directories.get(id.toString());
    if (noted == null) {
      return null;
    }
    OptionalLong namesChanged = directory.namesChangedMillis();
    DirectoryListing listing = DirectoryListing.of(directory);
    if (listing.lastModifiedMillis() >= writtenAtMillis
        || !listing.fingerprint().equals(noted.fingerprint())) {
      return null;
    }
    if (namesChanged.isPresent() && namesChanged.getAsLong() < writtenAtMillis) {
      // A change from now on gives the directory a later time.
      found.put(id, new Found(noted.fingerprint(), namesChanged.getAsLong()));
    }
    return new UnchangedDirectory(listing, noted.dataFacts());
  }

  /**
   * Returns the fingerprint of a table's files if none was added, renamed or removed since the
   * opening found them unchanged; otherwise null.
   */
  private @Nullable String fingerprintOf(TableStore store) throws IOException {
    Found before = found.get(store.id().id());
    if (before == null) {
      return null;
    }
    OptionalLong namesChanged = store.home().directory().namesChangedMillis();
    return namesChanged.equals(OptionalLong.of(before.namesChangedMillis()))
        ? before.fingerprint()
        : null;
  }

  /** Returns the lines of the directories of tables in which nothing is left to be done. */
  private static Collection<String> directories(
      Collection<TableStore> stores, @Nullable CleanClose before, ParallelSteps parallel)
      throws IOException {
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    parallel.forEach(
        List.copyOf(stores),
        store -> {
          if (!store.liveSet().report().quarantined().isEmpty()) {
            return;
          }
          String fingerprint = before == null ? null : before.fingerprintOf(store);
          if (fingerprint == null) {
            DirectoryListing listing = DirectoryListing.of(store.home().directory());
            fingerprint = Recovery.isSettled(listing) ? listing.fingerprint() : null;
          }
          if (fingerprint != null) {
            lines.add(DIRECTORY + store.id().id() + " " + fingerprint + "\n" + dataFacts(store));
          }
        });
    return lines;
  }

  /** Returns the lines about the SSTables of a table. */
  private static String dataFacts(TableStore store) {
    StringBuilder lines = new StringBuilder();
    View view = store.liveSet().acquire();
    try {
      for (SSTable table : view.byFirstKey()) {
        String facts = table.dataFacts();
        if (facts != null) {
          lines.append(DATA).append(table.descriptor()).append(' ').append(facts).append('\n');
        }
      }
    } finally {
      view.release();
    }
    return lines.toString();
  }

  private static String checksumLine(String lines) {
    CRC32 crc = new CRC32();
    crc.update(lines.getBytes(StandardCharsets.UTF_8));
    return CHECKSUM + Long.toHexString(crc.getValue()) + "\n";
  }

  private static List<String> segments(Directory log) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : log.files()) {
      if (LogFiles.segmentOf(name).isPresent()) {
        lines.add(SEGMENT + name + " " + log.length(name));
      }
    }
    return lines;
  }

  /**
   * Returns whether there are the same tables as at the close, with the same files.
   *
   * @param homes of the tables, as they were found
   */
  public boolean areUnchanged(List<TableHome> homes) {
    return homes.size() == count && homes.stream().allMatch(home -> home.unchanged() != null);
  }

  /**
   * Returns whether the log has nothing that the tables need, as at the close.
   *
   * @param homes of the tables, as they were found
   * @param stores the open tables
   * @param host the id by which SSTables name the log
   */
  public boolean isOf(List<TableHome> homes, Collection<TableStore> stores, UUID host) {
    return areUnchanged(homes) || tables.equals(tables(stores, host));
  }

  private static String tables(Collection<TableStore> stores, UUID host) {
    Sha256 digest = new Sha256();
    stores.stream()
        .sorted(Comparator.comparing(store -> store.id().id()))
        .forEach(store -> update(digest, store, host));
    return TABLES + digest.end();
  }

  private static void update(Sha256 digest, TableStore store, UUID host) {
    StringBuilder text = new StringBuilder();
    CommitLogPosition flushed = store.liveSet().flushed().of(host);
    text.append("table ")
        .append(store.id().id())
        .append(' ')
        .append(flushed.segmentId())
        .append(' ')
        .append(flushed.position());
    View view = store.liveSet().acquire();
    try {
      view.byFirstKey().stream()
          .map(CleanClose::describe)
          .sorted()
          .forEach(table -> text.append(' ').append(table));
    } finally {
      view.release();
    }
    digest.add(text.append('\n').toString());
  }

  private static String describe(SSTable table) {
    return table.descriptor() + " " + table.onDiskLength() + " " + table.dataLength();
  }

  /**
   * Writes the record. To be called after all tables were flushed and the log was closed, without a
   * failure. If it cannot be written, the next opening replays the log.
   *
   * @param log the directory of the log
   * @param before the record that the opening has found; null for none
   */
  public static void write(
      Directory root,
      Directory log,
      Collection<TableStore> stores,
      @Nullable CleanClose before,
      Services services) {
    try {
      services.guard().requireOwned();
      StringBuilder text = new StringBuilder();
      text.append(CLOCK).append(services.clock().lastTimestampMicros()).append('\n');
      segments(log).forEach(line -> text.append(line).append('\n'));
      text.append(tables(stores, services.hostId())).append('\n');
      if (!services.settings().isLenient()) {
        // After a lenient opening the next one has to look at all files, for those that were left
        // out.
        text.append(COUNT).append(stores.size()).append('\n');
        directories(stores, before, services.background().parallel()).forEach(text::append);
      }
      text.append(checksumLine(text.toString()));
      String temporary = TextFile.temporaryName(FILE);
      TextFile.removeTemporary(root, FILE);
      try (WritableFile file = root.create(temporary, WriteIntent.OTHER)) {
        file.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
      }
      root.rename(temporary, FILE);
    } catch (IOException e) {
      LOG.info("{}: the next opening replays the commit log: {}", root.path(), e.toString());
    }
  }
}
