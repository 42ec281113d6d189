package io.siltstone.bench.compaction;

import static java.util.Objects.requireNonNull;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.BookText;
import io.siltstone.bench.workload.TemporaryDirectory;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.mutation.Mutation;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Writes SSTables: rows of text, of which each SSTable shares a part with the next. The content
 * depends on the parameters only.
 *
 * <pre>
 *   directory   of their files; created, the parent exists
 *   cql         CREATE TABLE statement: {@link #SINGLE} or {@link #WIDE} with options
 *   tables      number of SSTables
 *   rows        rows per SSTable
 *   shared      part of the rows that are in the next SSTable too, from 0 to 1
 *   partitions  partitions of which every SSTable has rows; 0: each row is a partition
 *   text_bytes  mean size of a row
 *   version     of the SSTables; optional, by default nb, which Cassandra from 4.0 on reads
 * </pre>
 *
 * Returns {@code data_mb}, uncompressed, {@code stored_mb}, {@code rows} that are distinct, {@code
 * rows_in} all SSTables together.
 */
public final class InputTables implements Measurement {
  /** A table with one row per partition. */
  public static final String SINGLE = "CREATE TABLE bench.rows (key text PRIMARY KEY, value text)";

  /** A table with many rows per partition. */
  public static final String WIDE =
      "CREATE TABLE bench.rows (key text, row bigint, value text, PRIMARY KEY (key, row))";

  private static final double MB = 1e6;
  private static final long FIRST_TIMESTAMP = 1_700_000_000_000_000L;

  /** Returns the partition key of a number. */
  public static String key(long number) {
    String digits = Long.toString(number);
    return "key-" + "0".repeat(Math.max(0, 10 - digits.length())) + digits;
  }

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path directory = Path.of(parameters.text("directory"));
    try (TemporaryDirectory home =
        TemporaryDirectory.in(requireNonNull(directory.toAbsolutePath().getParent()), "tables")) {
      NamedValues result = make(home.path(), parameters);
      Files.createDirectory(directory);
      try (Stream<Path> all = Files.walk(home.path())) {
        for (Path file : all.filter(InputFiles::isComponent).toList()) {
          Files.move(file, directory.resolve(requireNonNull(file.getFileName())));
        }
      }
      return result;
    }
  }

  private static NamedValues make(Path home, NamedValues parameters) throws IOException {
    long tables = parameters.whole("tables");
    long rows = parameters.whole("rows");
    long step = Math.round(rows * (1 - parameters.number("shared")));
    DatabaseOptions options =
        DatabaseOptions.builder()
            .formatVersion(version(parameters))
            .compaction(
                new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build()))
            .memoryBytes(800L << 20)
            .memtableBytes(700L << 20)
            .chunkCacheBytes(0)
            // Timestamps are stored as differences from the time of opening, and are as short as in
            // a live database.
            .clock(InstantSource.fixed(Instant.EPOCH.plus(FIRST_TIMESTAMP, ChronoUnit.MICROS)))
            .build();
    try (Database database = Database.open(home, options)) {
      Table table = database.createTable(parameters.text("cql"));
      Rows content = new Rows(table, parameters);
      for (long i = 0; i < tables; i++) {
        for (long row = i * step; row < i * step + rows; row++) {
          table.write(content.row(row, i));
        }
        database.flush();
      }
      if (tables == 1) {
        // A memtable may have been flushed before its end.
        table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join().orThrow();
      }
      TableStatistics made = table.statistics();
      if (made.sstables().count() != tables) {
        throw new IOException(made.sstables().count() + " SSTables were made, not " + tables);
      }
      return new NamedValues()
          .put("data_mb", made.sstables().dataBytes() / MB)
          .put("stored_mb", made.sstables().onDiskBytes() / MB)
          .put("rows", (tables - 1) * step + rows)
          .put("rows_in", tables * rows);
    }
  }

  private static FormatVersion version(NamedValues parameters) {
    return parameters.has("version")
        ? FormatVersion.valueOf(parameters.text("version").toUpperCase(Locale.ROOT))
        : FormatVersion.NB;
  }

  /** The rows that are written. */
  private static final class Rows {
    private final BookText text = new BookText(1);
    private final Table table;
    private final long tables;
    private final long partitions;
    private final int least;
    private final int most;

    Rows(Table table, NamedValues parameters) {
      this.table = table;
      tables = parameters.whole("tables");
      partitions = parameters.whole("partitions");
      int bytes = (int) parameters.whole("text_bytes");
      least = bytes * 3 / 4;
      most = bytes * 2 - least;
    }

    /**
     * Returns the version of a row in one of the SSTables; a later version replaces an earlier one.
     */
    Mutation row(long number, long version) {
      String value =
          StandardCharsets.US_ASCII
              .decode(text.piece(number * tables + version, least, most))
              .toString();
      long timestamp = FIRST_TIMESTAMP + version;
      return (partitions == 0
              ? table.mutation(key(number)).timestamp(timestamp).insert()
              : table
                  .mutation(key(number % partitions))
                  .timestamp(timestamp)
                  .insert(number / partitions))
          .set("value", value)
          .build();
    }
  }
}
