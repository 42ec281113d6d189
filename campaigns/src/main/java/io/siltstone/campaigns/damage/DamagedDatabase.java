package io.siltstone.campaigns.damage;

import io.siltstone.Compaction;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.CompactedSequences;
import io.siltstone.model.DatabaseEngine;
import io.siltstone.model.Operation;
import io.siltstone.model.RandomMerge;
import io.siltstone.model.Sequence;
import io.siltstone.model.SequenceReplay;
import io.siltstone.model.TableDefinition;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of a database whose process has died, which are damaged one at a time. It has an
 * unclean commit log, often an unfinished transaction, and what truncations and compactions leave.
 */
final class DamagedDatabase {
  /** The components of an SSTable that have no checksum in Cassandra's formats. */
  private static final Set<String> WITHOUT_CHECKSUM =
      Set.of("Filter.db", "Index.db", "Partitions.db", "Rows.db");

  private static final int OPERATIONS = 120;
  private static final String DATABASE = "database";
  private static final String SCHEMA = "schema.cql";
  private static final String LOG = "commit log segment";
  private static final String SSTABLE = "SSTable of a database";
  private static final String TRANSACTION_LOG = "transaction log";

  private final long seed;
  private final Sequence sequence;
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Map<String, Long> times = new TreeMap<>();
  private final Map<String, List<String>> byKind = new TreeMap<>();
  private final Map<String, Set<List<Map<String, @Nullable Object>>>> earlier = new TreeMap<>();
  private final Map<TableId, TableSchema> schemas = new HashMap<>();
  private final SequenceReplay replay;

  /** Runs a random sequence until its process dies in the middle of an operation. */
  DamagedDatabase(long seed) throws IOException {
    this.seed = seed;
    Sequence drawn =
        SequenceReplay.ofAtomicWrites(CompactedSequences.ofAnyTimestamps(seed, OPERATIONS));
    this.sequence =
        new Sequence(
            drawn.seed(),
            drawn.partitioner(),
            drawn.start(),
            drawn.tables(),
            drawn.operations().stream().filter(DamagedDatabase::isKept).toList());
    this.replay = new SequenceReplay(sequence);
    SimulatedDisk disk = new SimulatedDisk();
    Random random = new Random(seed);
    int whole = sequence.operations().size() / 2 + random.nextInt(sequence.operations().size() / 3);
    DatabaseEngine engine = open(disk, "w", false);
    try {
      replay.create(engine);
      while (replay.done() < whole) {
        replay.step(engine);
      }
      disk.crashAfter(disk.operations() + random.nextInt(60));
      while (!replay.isAtEnd()) {
        replay.step(engine);
      }
    } catch (IOException | AssertionError e) {
      if (!disk.isLost()) {
        throw e;
      }
    } finally {
      SimulatedDisk found = disk.processDeath();
      try {
        engine.close();
      } catch (IOException e) {
        // The simulated process has died, so that its files cannot be written any more.
      }
      collect(found.directory(DATABASE), "");
    }
    settle();
    for (String path : files.keySet()) {
      byKind.computeIfAbsent(kind(path), missing -> new ArrayList<>()).add(path);
    }
  }

  /**
   * Returns whether an operation is run. Skipped are operations that read, that end the process in
   * good order, and that change tables without the commit log: if the log has lost its end, the
   * remaining operations up to some point must be there.
   */
  private static boolean isKept(Operation operation) {
    return !(operation instanceof Operation.Crash
        || operation instanceof Operation.Reopen
        || operation instanceof Operation.Ask
        || operation instanceof Operation.AskAll
        || operation instanceof Operation.Import
        || operation instanceof Operation.AddColumn
        || operation instanceof Operation.DropColumn);
  }

  /** Returns whether each table has its state after some operation, the last or an earlier one. */
  private boolean isAnEarlierState(DatabaseEngine engine) throws IOException {
    long now = replay.clock().seconds();
    if (earlier.isEmpty()) {
      SequenceReplay again = new SequenceReplay(sequence);
      while (true) {
        for (TableDefinition table : sequence.tables()) {
          earlier
              .computeIfAbsent(table.name(), missing -> new HashSet<>())
              .add(again.rows(table.name(), now));
        }
        if (again.done() == replay.done()) {
          break;
        }
        again.skip();
      }
    }
    for (TableDefinition table : sequence.tables()) {
      Set<List<Map<String, @Nullable Object>>> states =
          Objects.requireNonNull(earlier.get(table.name()));
      if (!states.contains(SequenceReplay.rows(engine, table.name(), now))) {
        return false;
      }
    }
    return true;
  }

  /** Determines whether the operation in flight has taken effect. */
  private void settle() throws IOException {
    try (DatabaseEngine engine = open(copy(Map.of()), "s", true)) {
      schemas.putAll(schemas(engine));
      try {
        replay.requireSame(engine);
      } catch (AssertionError e) {
        if (replay.isAtEnd()) {
          throw e;
        }
        replay.skip();
        replay.requireSame(engine);
      }
    }
  }

  private DatabaseEngine open(Directory disk, String incarnation, boolean isReadOnly)
      throws IOException {
    return DatabaseEngine.on(
        seed,
        Compaction.none(),
        RandomMerge::merge,
        sequence,
        replay.clock(),
        disk,
        incarnation,
        options ->
            options
                .readOnly(isReadOnly)
                .scanThreads(0)
                .flushThreads(1)
                .commitLog(
                    options.build().commitLog().toBuilder().syncMode(SyncMode.BATCH).build()));
  }

  private void collect(Directory directory, String prefix) throws IOException {
    for (String name : directory.files()) {
      if (!name.endsWith("lock")) {
        files.put(prefix + name, content(directory, name));
        times.put(DATABASE + "/" + prefix + name, directory.lastModifiedMillis(name));
      }
    }
    for (String name : directory.directories()) {
      collect(directory.directory(name), prefix + name + "/");
    }
  }

  private static byte[] content(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
      return bytes;
    }
  }

  private Directory copy(Map<String, byte[]> replaced) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    for (Map.Entry<String, byte[]> entry : files.entrySet()) {
      Directory directory = disk.directory(DATABASE);
      String path = entry.getKey();
      for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/')) {
        directory = directory.directory(path.substring(0, slash));
        path = path.substring(slash + 1);
      }
      try (WritableFile file = directory.create(path, WriteIntent.OTHER)) {
        file.write(ByteBuffer.wrap(replaced.getOrDefault(entry.getKey(), entry.getValue())));
      }
    }
    return new TimedDirectory(disk, times);
  }

  /** Returns the kind of a file: the component of an SSTable, or the name without numbers. */
  static String kind(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.startsWith("CommitLog-")) {
      return LOG;
    }
    if (name.contains("_txn_")) {
      return TRANSACTION_LOG;
    }
    return name.startsWith("oa-") || name.startsWith("nb-")
        ? SSTABLE
        : name.replaceAll("[0-9]+", "N");
  }

  /** Returns the component of a file of an SSTable, and the kind of another file. */
  private static String component(String path) {
    String kind = kind(path);
    return kind.equals(SSTABLE) ? path.substring(path.lastIndexOf('-') + 1) : kind;
  }

  /** Damages a file, and opens and reads the database. */
  void damage(Random random, Counts counts) throws IOException {
    List<String> kinds = List.copyOf(byKind.keySet());
    String kind = kinds.get(random.nextInt(kinds.size()));
    List<String> paths = Objects.requireNonNull(byKind.get(kind));
    String path = paths.get(random.nextInt(paths.size()));
    byte[] original = Objects.requireNonNull(files.get(path));
    FileCorruption mutation = FileCorruption.draw(random, original);
    String name = namedFor(path.substring(path.lastIndexOf('/') + 1));
    String what = "database of seed " + seed + ", " + path + ", " + mutation.text();
    boolean isReadOnly = random.nextBoolean();
    counts.add("mutations of " + kind);
    counts.add("mutations: " + mutation.kind());
    try (DatabaseEngine engine = open(copy(Map.of(path, mutation.bytes())), "d", isReadOnly)) {
      counts.add(
          read(engine, path, isTornAtEnd(original, mutation.bytes()))
              ? "harmless"
              : "documented gap: " + component(path));
    } catch (IOException | UncheckedIOException e) {
      counts.add(found(e, name, path, what));
    } catch (AssertionError e) {
      counts.add("deviations in " + kind + ": " + mutation.kind());
      throw new AssertionError(what + (isReadOnly ? ", read only" : "") + ": " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what + ": " + e, e);
    }
  }

  private static Map<TableId, TableSchema> schemas(DatabaseEngine engine) {
    Map<TableId, TableSchema> schemas = new HashMap<>();
    engine.database().tables().forEach(table -> schemas.put(table.id(), table.schema()));
    return schemas;
  }

  /**
   * Reads everything, and returns whether the content is as expected; if not, it is one that is
   * tolerated.
   *
   * @param isTornAtEnd whether the damaged file lost its last lines, or has others in their place
   */
  private boolean read(DatabaseEngine engine, String path, boolean isTornAtEnd) throws IOException {
    String kind = component(path);
    if (kind.startsWith("compaction_history")) {
      engine.database().compactionHistory();
    }
    if (kind.equals(SCHEMA) && !schemas(engine).equals(schemas)) {
      if (!schemas(engine).keySet().equals(schemas.keySet())) {
        throw new AssertionError("tables with other ids: " + schemas(engine).keySet());
      }
      // The types in the schema determine how bytes are shown, so the content may differ.
      return false;
    }
    try {
      replay.requireSame(engine);
      return true;
    } catch (AssertionError e) {
      // Replay takes damage after the last sync for an unfinished record, and ends there.
      if (kind.equals(LOG) && isAnEarlierState(engine)) {
        return false;
      }
      // A damaged filter or index may hide a key, and a deletion with it, because neither has a
      // checksum.
      if (WITHOUT_CHECKSUM.contains(kind)) {
        return false;
      }
      // Such a log looks like that of a transaction that was not committed.
      if (kind.equals(TRANSACTION_LOG) && isTornAtEnd) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Returns whether a file has lost its last lines, or nothing after the damage is a line of it.
   */
  private static boolean isTornAtEnd(byte[] original, byte[] damaged) {
    int from = Arrays.mismatch(original, damaged);
    if (from < 0) {
      // The change has left the file as it was.
      return false;
    }
    while (from > 0 && original[from - 1] != '\n') {
      from--;
    }
    Set<String> lines = lines(original, 0);
    return lines(damaged, from).stream().noneMatch(lines::contains);
  }

  private static Set<String> lines(byte[] file, int from) {
    String text = new String(file, from, file.length - from, StandardCharsets.ISO_8859_1);
    return text.lines().collect(Collectors.toSet());
  }

  /**
   * Returns what an exception must name: any component of the SSTable, because two may contradict
   * each other.
   */
  private static String namedFor(String name) {
    return name.startsWith("oa-") || name.startsWith("nb-")
        ? name.substring(0, name.lastIndexOf('-') + 1)
        : name;
  }

  /**
   * Returns how an exception is counted. Two files may contradict each other, such as a schema and
   * an SSTable, and the exception then names the other one.
   */
  private static String found(Exception e, String name, String path, String what) {
    String directory = path.substring(0, path.lastIndexOf('/') + 1);
    boolean isDirectoryNamed = false;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains(name)) {
        return "found";
      }
      isDirectoryNamed |= !directory.isEmpty() && message.contains(directory);
    }
    if (isDirectoryNamed) {
      return "found, and another file of the directory named";
    }
    throw new AssertionError(what + ": the exception does not name the file: " + e, e);
  }
}
