package io.siltstone.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.BulkWriter;
import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.memtable.Memtable;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Condition;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.CompactionHost;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A database, on a simulated disk unless another is given. */
public final class DatabaseEngine implements EngineUnderTest {
  private static final String HOME = "database";

  private final Configuration configuration;
  private final Map<String, List<TableSchema>> definitions = new HashMap<>();
  private final Compaction compaction;
  private final CompactionJob job;
  private final Partitioner partitioner;
  private final SteppedClock clock;
  private final Random random;
  private final String home;
  private final UnaryOperator<DatabaseOptions.Builder> options;
  private final AtomicReference<CompactionHost> host = new AtomicReference<>();
  private Directory disk;
  private Database database;
  private String directoryPrefix = "";
  private int directories;

  /**
   * A database with options drawn from a seed.
   *
   * @param compaction what it does by itself
   * @param job that it does to compact when it is told to
   */
  public static DatabaseEngine open(
      long configurationSeed,
      Compaction compaction,
      CompactionJob job,
      Sequence sequence,
      SteppedClock clock)
      throws IOException {
    return new DatabaseEngine(
        Configuration.draw(configurationSeed), compaction, job, sequence, clock);
  }

  DatabaseEngine(
      Configuration configuration,
      Compaction compaction,
      CompactionJob job,
      Sequence sequence,
      SteppedClock clock)
      throws IOException {
    this(
        configuration,
        compaction,
        job,
        sequence,
        clock,
        new SimulatedDisk(configuration.fileSystem()));
  }

  /**
   * @param disk on which a crash is an orderly end, if it is not a simulated one
   */
  DatabaseEngine(
      Configuration configuration,
      Compaction compaction,
      CompactionJob job,
      Sequence sequence,
      SteppedClock clock,
      Directory disk)
      throws IOException {
    this(
        configuration,
        compaction,
        job,
        sequence.partitioner(),
        clock,
        sequence.seed(),
        disk,
        HOME,
        UnaryOperator.identity());
  }

  /**
   * Opens a database on a disk that outlives it, with options drawn from a seed.
   *
   * @param disk the directory that contains the database, its checkpoints and imports
   * @param incarnation distinguishes the directories of checkpoints and imports of this opening
   *     from those of others
   * @param options changes the options that were drawn
   */
  public static DatabaseEngine on(
      long configurationSeed,
      Compaction compaction,
      CompactionJob job,
      Sequence sequence,
      SteppedClock clock,
      Directory disk,
      String incarnation,
      UnaryOperator<DatabaseOptions.Builder> options)
      throws IOException {
    DatabaseEngine engine =
        new DatabaseEngine(
            Configuration.draw(configurationSeed),
            compaction,
            job,
            sequence.partitioner(),
            clock,
            sequence.seed(),
            disk,
            HOME,
            options);
    engine.directoryPrefix = incarnation + "-";
    return engine;
  }

  private DatabaseEngine(
      Configuration configuration,
      Compaction compaction,
      CompactionJob job,
      Partitioner partitioner,
      SteppedClock clock,
      long seed,
      Directory disk,
      String home,
      UnaryOperator<DatabaseOptions.Builder> options)
      throws IOException {
    this.configuration = configuration;
    this.compaction = compaction;
    this.job = job;
    this.partitioner = partitioner;
    this.clock = clock;
    this.random = new Random(seed);
    this.disk = disk;
    this.home = home;
    this.options = options;
    this.database = open();
  }

  private Database open() throws IOException {
    Directory directory = disk.directory(home);
    // Whoever makes a directory for a database makes it durable.
    disk.sync();
    return Database.open(
        directory,
        options
            .apply(
                configuration
                    .options()
                    .partitioner(partitioner)
                    .clock(clock)
                    .compaction(
                        lent -> {
                          host.set(lent);
                          return compaction.create(lent);
                        }))
            .build());
  }

  private Table table(String name) {
    return database.table(TableDefinition.KEYSPACE, name);
  }

  private Mutation mutation(Change change) {
    Table table = table(change.table());
    return EngineCalls.build(table.mutation(change.key().toArray()), table.schema(), change);
  }

  /** Returns how files are accessed in the configuration of a seed. */
  public static NioOptions files(long configurationSeed) {
    return Configuration.draw(configurationSeed).files();
  }

  /** The open database. */
  public Database database() {
    return database;
  }

  @Override
  public void create(TableDefinition table) throws IOException {
    // A process that was killed may have created it before.
    if (database.findTable(TableDefinition.KEYSPACE, table.name()).isEmpty()) {
      database.createTable(table.cql());
    }
    database.alterTable(
        TableDefinition.KEYSPACE,
        table.name(),
        "ALTER TABLE "
            + TableDefinition.KEYSPACE
            + "."
            + table.name()
            + " WITH "
            + configuration.tableOptions()
            + ";");
  }

  @Override
  public void write(List<Change.Stamped> changes) throws IOException {
    List<Mutation> mutations = changes.stream().map(change -> mutation(change.change())).toList();
    boolean async = random.nextInt(4) == 0;
    try {
      if (mutations.size() > 1 || random.nextInt(8) == 0) {
        Batch batch;
        try {
          batch = new Batch(mutations);
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("with the same timestamp");
          for (Mutation mutation : mutations) {
            database.write(Batch.of(mutation));
          }
          return;
        }
        if (async) {
          database.writeAsync(batch).toCompletableFuture().join();
        } else {
          database.write(batch);
        }
      } else if (async) {
        database.writeAsync(mutations.get(0)).toCompletableFuture().join();
      } else {
        table(changes.get(0).change().table()).write(mutations.get(0));
      }
    } catch (CompletionException e) {
      throw new IOException(e);
    }
  }

  @Override
  public boolean canWrite(TableSchema schema, Change change, long timestamp) {
    Table table = table(change.table());
    return EngineCalls.isWithoutContradiction(
        table.mutation(change.key().toArray()), table.schema(), change, timestamp);
  }

  @Override
  public boolean writeIf(
      Change.Stamped change, List<Object> clustering, List<Requirement> requirements)
      throws IOException {
    return table(change.change().table())
        .writeIf(
            mutation(change.change()),
            clustering,
            requirements.stream().map(Requirement::condition).toArray(Condition[]::new));
  }

  @Override
  public List<Map<String, @Nullable Object>> answer(Question question) throws IOException {
    Table table = table(question.table());
    return EngineCalls.answer(
        question, anyOfTheSameColumns(table.schema()), partitioner, table::read);
  }

  /** Queries are kept: one from before columns were dropped and added again is as good. */
  private TableSchema anyOfTheSameColumns(TableSchema present) {
    List<TableSchema> known = definitions.computeIfAbsent(present.name(), n -> new ArrayList<>());
    known.remove(present);
    known.add(present);
    List<TableSchema> alike =
        known.stream()
            .filter(other -> other.regularColumns().equals(present.regularColumns()))
            .toList();
    return alike.get(random.nextInt(alike.size()));
  }

  @Override
  public void flush(String table) throws IOException {
    if (random.nextInt(4) == 0) {
      database.flush();
    } else {
      table(table).flush();
    }
  }

  @Override
  public void reopen() throws IOException {
    database.close();
    database = open();
  }

  @Override
  public void crash(long seed, boolean power) throws IOException {
    if (configuration.syncMode() == SyncMode.PERIODIC) {
      database.sync();
    }
    if (!(disk instanceof SimulatedDisk simulated)) {
      reopen();
      return;
    }
    SimulatedDisk found = power ? simulated.powerLoss(seed) : simulated.processDeath();
    abandon();
    disk = found;
    database = open();
  }

  /** Closes what has lost its disk: it may say so, and must give back all memory all the same. */
  private void abandon() {
    try {
      database.close();
    } catch (IOException e) {
      for (Throwable suppressed : e.getSuppressed()) {
        if (suppressed instanceof Error || suppressed instanceof RuntimeException) {
          throw new AssertionError("closed after a crash: " + suppressed, suppressed);
        }
      }
    }
  }

  @Override
  public void truncate(String table) throws IOException {
    table(table).truncate();
  }

  @Override
  public void importTables(String table, List<Change.Stamped> changes) throws IOException {
    // Of the same disk, from where files are linked, or of another.
    Directory source =
        random.nextBoolean()
            ? disk.directory("import-" + directoryPrefix + ++directories)
            : new MemoryDirectory();
    List<Mutation> mutations = changes.stream().map(change -> mutation(change.change())).toList();
    switch (random.nextInt(4)) {
      case 0 -> {
        load(BulkWriter.into(table(table)), mutations);
        return;
      }
      case 1 -> {
        load(
            BulkWriter.into(source, table(table).schema())
                .partitioner(partitioner)
                .version(configuration.version()),
            mutations);
        table(table).importTables(source);
        return;
      }
      default -> {}
    }
    RowEncoding encoding = MutationFactory.encodingOf(mutations.get(0));
    try (MemoryBudget memory = PooledMemory.unlimited()) {
      int files = 1 + random.nextInt(2);
      for (int i = 1; i <= files; i++) {
        Memtable memtable = new Memtable(encoding, 1, memory);
        PartitionUpdate update = new PartitionUpdate(encoding);
        for (int j = i - 1; j < mutations.size(); j += files) {
          MutationFactory.wrap(mutations.get(j), update);
          memtable.apply(update);
        }
        if (!memtable.isEmpty()) {
          store(memtable, source, i, memory);
        }
        memtable.release();
      }
    }
    table(table).importTables(source);
  }

  /** Loads in any order, with little memory and into several SSTables. */
  private void load(BulkWriter.Builder target, List<Mutation> mutations) throws IOException {
    List<Mutation> shuffled = new ArrayList<>(mutations);
    Collections.shuffle(shuffled, random);
    if (random.nextBoolean()) {
      target.maxSSTableBytes(1 + random.nextInt(200));
    }
    if (random.nextBoolean()) {
      target.divideAt(List.of(random.nextLong(), 0L, random.nextLong()));
    }
    try (BulkWriter writer = target.memoryBytes(8 << 10).open()) {
      for (Mutation mutation : shuffled) {
        writer.add(mutation);
      }
      writer.commit();
    }
  }

  private void store(Memtable memtable, Directory target, int generation, MemoryBudget memory)
      throws IOException {
    Descriptor descriptor =
        Descriptor.of(
            configuration.version().hasUnsignedDeletionTimes() && random.nextBoolean()
                ? configuration.version()
                : FormatVersion.NB,
            generation);
    try (PartitionCursor rows = memtable.scan(PartitionRange.ALL);
        SSTableWriter writer =
            SSTableWriter.create(
                target,
                descriptor,
                memtable.encoding().header(),
                partitioner,
                SSTableWriterOptions.builder().expectedPartitions(10).build(),
                memory)) {
      while (rows.nextPartition()) {
        writer.add(rows);
      }
      writer.commit();
    }
  }

  @Override
  public void compact(String table, long seed) throws IOException {
    job.run(Objects.requireNonNull(host.get()), table(table).id(), new Random(seed));
  }

  @Override
  public void alter(String table, String cql, long timestamp) throws IOException {
    database.alterTable(TableDefinition.KEYSPACE, table, cql);
  }

  @Override
  public EngineUnderTest checkpoint() throws IOException {
    String name = "checkpoint-" + directoryPrefix + ++directories;
    database.checkpoint(disk.directory(name));
    Configuration other = Configuration.draw(random.nextLong());
    return new DatabaseEngine(
        other, compaction, job, partitioner, clock, random.nextLong(), disk, name, options);
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
