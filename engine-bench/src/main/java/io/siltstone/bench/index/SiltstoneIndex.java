package io.siltstone.bench.index;

import static java.util.Objects.requireNonNull;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.Table;
import io.siltstone.bench.compaction.SiltstoneCompaction;
import io.siltstone.bench.workload.TemporaryDirectory;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The adapter of this engine: a database for each table, compaction by one thread without a
 * throughput limit.
 */
public final class SiltstoneIndex implements IndexPeer {
  private static final long MIB = 1L << 20;
  // Twice as much as is inserted before a flush, so that none begins by itself.
  private static final long MEMTABLE_BYTES = 800 * MIB;
  private static final long OTHER_BYTES = 200 * MIB;
  private static final long KEY_CACHE_BYTES = 48 * MIB;

  private @Nullable Path home;
  private @Nullable FormatVersion version;
  private int tables;

  @Override
  public String name() {
    return SiltstoneCompaction.NAME;
  }

  @Override
  public void start(Path directory, FormatVersion written) {
    home = directory;
    version = written;
  }

  @Override
  public String version() {
    return "this build";
  }

  @Override
  public IndexTable define(TableDefinition definition, Caches caches) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .formatVersion(requireNonNull(version))
            .memtableBytes(MEMTABLE_BYTES)
            .chunkCacheBytes(caches.chunkBytes())
            .keyCacheBytes(caches.keys() ? KEY_CACHE_BYTES : 0)
            .memoryBytes(MEMTABLE_BYTES + caches.chunkBytes() + OTHER_BYTES)
            .compaction(
                new CompactionService(
                    CompactionOptions.builder()
                        .bytesPerSecond(0)
                        .pipelineThreads(0)
                        .subCompactions(1)
                        .build()))
            .build();
    Path directory = requireNonNull(home).resolve("database-" + tables++);
    Database database = Database.open(directory, options);
    return new Opened(directory, database, database.createTable(definition.cql()));
  }

  /** Does nothing, since the caller that defines a table closes it. */
  @Override
  public void close() {}

  private record Opened(Path directory, Database database, Table table) implements IndexTable {
    @Override
    public void load(List<Path> files) throws IOException {
      table.truncate();
      if (files.isEmpty()) {
        return;
      }
      Path directory = Files.createTempDirectory(home(), "load");
      try (TemporaryDirectory links = new TemporaryDirectory(directory)) {
        for (Path file : files) {
          Files.createLink(links.path().resolve(requireNonNull(file.getFileName())), file);
        }
        table.importTables(links.path());
      }
    }

    private Path home() {
      return requireNonNull(directory.getParent());
    }

    @Override
    public void insert(String key, String value) throws IOException {
      table.write(table.mutation(key).insert().set("value", value).build());
    }

    @Override
    public void flush() throws IOException {
      table.flush();
    }

    @Override
    public void compact() throws IOException {
      table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join().orThrow();
    }

    @Override
    public int partition(String key) throws IOException {
      return count(table.query().partition(key).build());
    }

    @Override
    public int row(String key, long row) throws IOException {
      return table.get(table.query().partition(key).row(row).build()).isPresent() ? 1 : 0;
    }

    @Override
    public int rowsFrom(String key, long row, int limit) throws IOException {
      return count(
          table.query().partition(key).rows(ClusteringRange.all().from(row)).limit(limit).build());
    }

    @Override
    public int rowsTo(String key, long row, int limit) throws IOException {
      return count(
          table
              .query()
              .partition(key)
              .rows(ClusteringRange.all().to(row))
              .reversed()
              .limit(limit)
              .build());
    }

    private int count(Query query) throws IOException {
      int count = 0;
      try (LiveRows found = table.read(query)) {
        while (found.hasNext()) {
          found.next();
          count++;
        }
      }
      return count;
    }

    @Override
    public long open(Path directory, String key) throws IOException {
      DatabaseOptions options = DatabaseOptions.builder().readOnly(true).chunkCacheBytes(0).build();
      long start = System.nanoTime();
      try (OfflineTable opened = OfflineTable.open(directory, table.schema(), null, options)) {
        try (LiveRows found = opened.read(opened.query().partition(key).build())) {
          if (!found.hasNext()) {
            throw new IOException("key " + key + " is not in " + directory);
          }
          return System.nanoTime() - start;
        }
      }
    }

    @Override
    public long offHeapBytes() throws IOException {
      return table.statistics().sstables().offHeapBytes();
    }

    @Override
    public List<String> versions() throws IOException {
      return table.sstables().stream().map(live -> live.descriptor().version().text()).toList();
    }

    @Override
    public void close() throws IOException {
      database.close();
      new TemporaryDirectory(directory).close();
    }
  }
}
