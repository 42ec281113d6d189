package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.model.Contents;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.TableId;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A history of one table with deletions that are purged at once, flushes, changes of strategies,
 * and requests, with the content after each step. It runs as far as it gets, with a service of a
 * single thread whose jobs are awaited, so that each run is nearly the same.
 */
final class CompactionStory {
  private static final List<Operation> OPERATIONS = List.of(Operation.values());
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String CREATE =
      "CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c)) WITH gc_grace_seconds = 0";
  private static final Set<String> OF_A_TABLE = Set.of("schema.cql", "flushed_positions");
  private static final int KEYS = 4;
  private static final int ROWS = 6;

  /** A step. */
  private interface Step {
    void run(Telling telling) throws IOException;
  }

  private final List<Step> steps = new ArrayList<>();
  private final List<List<String>> contents = new ArrayList<>();

  /** Draws a random history. */
  CompactionStory(long seed, int length) {
    Random random = new Random(seed);
    TreeMap<String, String> rows = new TreeMap<>();
    contents.add(List.of());
    step(rows, telling -> telling.alter(strategy(seed)));
    for (int i = 0; i < length; i++) {
      int k = random.nextInt(KEYS);
      int c = random.nextInt(ROWS);
      String row = k + " " + c;
      String value = "v" + i;
      long drawn = random.nextLong();
      switch (random.nextInt(16)) {
        case 0 -> {
          rows.keySet().removeIf(key -> key.startsWith(k + " "));
          step(rows, telling -> telling.write(k, change -> change.deletePartition()));
        }
        case 1, 2 -> {
          rows.remove(row);
          step(rows, telling -> telling.write(k, change -> change.deleteRow(c)));
        }
        case 3 -> {
          rows.keySet().removeIf(key -> key.startsWith(k + " ") && key.compareTo(row) >= 0);
          step(
              rows,
              telling ->
                  telling.write(k, change -> change.deleteRange(ClusteringRange.all().from(c))));
        }
        case 4, 5, 6 -> step(rows, Telling::flush);
        case 7, 8, 9 -> step(rows, telling -> telling.ask(new Random(drawn)));
        case 10 -> step(rows, telling -> telling.alter(strategy(drawn)));
        default -> {
          rows.put(row, row + " " + value);
          step(rows, telling -> telling.write(k, change -> change.insert(c).set("v", value)));
        }
      }
    }
  }

  /**
   * Draws a random history that comes to rest. With unchecked tombstone compaction, an SSTable
   * whose tombstones have to stay is compacted again in each interval; as the service's clock is an
   * hour ahead, it would be compacted without end.
   */
  static String strategy(long seed) {
    return RandomStrategies.draw(new Random(seed))
        .replace(
            "'unchecked_tombstone_compaction': 'true'",
            "'unchecked_tombstone_compaction': 'false'");
  }

  /** A step with the content after it. */
  private void step(Map<String, String> after, Step step) {
    steps.add(step);
    contents.add(List.copyOf(after.values()));
  }

  /** Returns the contents that are allowed after this many acknowledged steps. */
  List<List<String>> after(int done) {
    return List.of(contents.get(done), contents.get(Math.min(done + 1, steps.size())));
  }

  int length() {
    return steps.size();
  }

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .memtableBytes(1 << 20)
        .chunkCacheBytes(1 << 20)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(SyncMode.BATCH)
                .segmentBytes(4096)
                .bufferBytes(64 << 10)
                .build());
  }

  private static CompactionService service() {
    return new CompactionService(
        CompactionOptions.builder()
            .bytesPerSecond(0)
            .compactors(1)
            .pipelineThreads(0)
            .subCompactions(1)
            // Deleted rows may be purged an hour later.
            .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
            .build());
  }

  private static Set<Descriptor> live(Table table) {
    return descriptors(liveTables(table));
  }

  private static List<LiveTable> liveTables(Table table) {
    try {
      return table.live().tables();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<Descriptor> descriptors(List<LiveTable> tables) {
    return tables.stream().map(LiveTable::descriptor).collect(Collectors.toUnmodifiableSet());
  }

  /** A job that has begun, and the SSTables that were live then. */
  private record Begun(UUID job, Set<Descriptor> inputs, Set<Descriptor> live) {}

  /** One run of the history. */
  final class Telling implements EngineListener {
    private final CompactionService service = service();
    private final List<Begun> begun = Collections.synchronizedList(new ArrayList<>());
    private final Set<UUID> failed = ConcurrentHashMap.newKeySet();
    private @Nullable Database database;
    private volatile @Nullable Table table;
    private volatile boolean isReadOnly;
    private int done = -1;

    /** The number of acknowledged steps; -1 if not even the table was made. */
    int done() {
      return done;
    }

    /** The jobs that succeeded. */
    long jobs() {
      return service.history().stream().filter(CompactionRecord::isDone).count();
    }

    /** The failures of jobs. */
    List<Throwable> failures() {
      List<Throwable> failures = new ArrayList<>();
      for (CompactionRecord job : service.history()) {
        if (job.failure() != null) {
          failures.add(job.failure());
        }
      }
      return failures;
    }

    @Override
    public void engineReadOnly(EngineReadOnly event) {
      isReadOnly = true;
    }

    @Override
    public void compactionStarted(CompactionStarted event) {
      begun.add(new Begun(event.job(), Set.copyOf(event.inputs()), live(table())));
    }

    @Override
    public void compactionFailed(CompactionFailed event) {
      failed.add(event.job());
    }

    private Table table() {
      Table present = table;
      if (present == null) {
        throw new AssertionError("there is no table yet");
      }
      return present;
    }

    /** Runs to the end or to a failure. */
    void tell(Directory directory) throws IOException {
      DatabaseOptions options = options().compaction(service).listener(this).build();
      try (Database opened = Database.open(directory, options)) {
        database = opened;
        table = opened.createTable(CREATE);
        done = 0;
        for (Step step : steps) {
          step.run(this);
          done++;
          assertThat(Contents.of(table())).isEqualTo(contents.get(done));
        }
      }
    }

    private void write(int k, UnaryOperator<MutationBuilder> change) throws IOException {
      table().write(change.apply(table().mutation(k)).build());
    }

    private void flush() throws IOException {
      table().flush();
      awaitRest();
    }

    private void alter(String compaction) throws IOException {
      database().alterTable("ks", "t", "ALTER TABLE ks.t WITH " + compaction);
      awaitRest();
    }

    private void ask(Random random) throws IOException {
      Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
      CompactionRequest request =
          CompactionRequest.of(operation).withOutputBytes(1 + random.nextInt(100));
      if (operation == Operation.USER_DEFINED) {
        request = request.withTables(live(table()));
      }
      if (random.nextBoolean()) {
        request = request.split();
      }
      try {
        CompactionReport report =
            table().compact(request).toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(report.failed().isEmpty() || !failures().isEmpty()).isTrue();
      } catch (CompletionException e) {
        if (e.getCause() instanceof IOException refused) {
          throw refused;
        }
        // There is no table, or the strategy is not leveled.
        assertThat(e.getCause()).isInstanceOf(IllegalArgumentException.class);
      }
      awaitRest();
    }

    /** Waits until the strategy has no job, has failed, or may change nothing any more. */
    private void awaitRest() {
      TableId id = table().id();
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (!isReadOnly && failures().isEmpty() && !isAtRest(id)) {
        assertThat(System.nanoTime()).as("compaction comes to rest").isLessThan(end);
        LockSupport.parkNanos(100_000);
      }
    }

    /**
     * Between a claim and its end the strategy has no job either, so no claim may exist before the
     * check or after it.
     */
    private boolean isAtRest(TableId id) {
      List<LiveTable> before = liveTables(table());
      boolean isIdle = service.explain(id).jobs().isEmpty() && service.running().isEmpty();
      List<LiveTable> after = liveTables(table());
      return isIdle
          && before.stream().noneMatch(LiveTable::isClaimed)
          && after.stream().noneMatch(LiveTable::isClaimed)
          && descriptors(after).equals(descriptors(before));
    }

    /** Fails unless a disk as it was found has the required content and can be used. */
    void check(Directory directory) throws IOException {
      if (done < 0) {
        return;
      }
      List<String> found;
      try (Database database = Database.open(directory, options().readOnly(true).build())) {
        Table reopened = database.table("ks", "t");
        found = Contents.of(reopened);
        assertThat(found).as("after %d steps", done).isIn(after(done));
        requireInputsOrOutputs(live(reopened));
      }
      try (Database database = Database.open(directory, options().compaction(service()).build())) {
        Table reopened = database.table("ks", "t");
        assertThat(Contents.of(reopened)).isEqualTo(found);
        reopened.flush();
        CompactionReport report =
            reopened
                .compact(CompactionRequest.of(Operation.MAJOR))
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        assertThat(report.failed()).isEmpty();
        assertThat(Contents.of(reopened)).isEqualTo(found);
      }
      // Obsolete files are deleted at the latest when the database is opened again.
      try (Database database = Database.open(directory, options().build())) {
        Table reopened = database.table("ks", "t");
        assertThat(Contents.of(reopened)).isEqualTo(found);
        requireNothingLeft(directory, live(reopened));
      }
    }

    /** The inputs of a failed or cancelled job may have been replaced one by one by later jobs. */
    private void requireInputsOrOutputs(Set<Descriptor> live) {
      synchronized (begun) {
        for (int i = 0; i < begun.size(); i++) {
          Begun job = begun.get(i);
          if (failed.contains(job.job)
              && isAnyTaken(job.inputs, begun.subList(i + 1, begun.size()))) {
            continue;
          }
          boolean all = live.containsAll(job.inputs);
          assertThat(all || Collections.disjoint(live, job.inputs))
              .as("%s of %s", job.inputs, live)
              .isTrue();
          // The inputs of the last job: after a failed one there were flushes.
          if (all && failures().isEmpty() && i == begun.size() - 1) {
            assertThat(job.live).as("with the inputs there is nothing else").containsAll(live);
          }
        }
      }
    }

    private static boolean isAnyTaken(Set<Descriptor> inputs, List<Begun> later) {
      return later.stream().anyMatch(job -> !Collections.disjoint(inputs, job.inputs));
    }

    private Database database() {
      if (database == null) {
        throw new AssertionError("there is no database yet");
      }
      return database;
    }
  }

  static void requireNothingLeft(Directory directory, Collection<Descriptor> live)
      throws IOException {
    Directory keyspace = directory.directory("data").directory("ks");
    List<String> left = new ArrayList<>();
    for (String name : keyspace.directories()) {
      Directory table = keyspace.directory(name);
      for (String file : table.files()) {
        if (!OF_A_TABLE.contains(file)
            && live.stream().noneMatch(one -> file.startsWith(one + "-"))) {
          left.add(file);
        }
      }
    }
    assertThat(left).as("files of nothing that is live").isEmpty();
  }
}
