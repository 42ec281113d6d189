package io.siltstone.peers;

import static java.util.Objects.requireNonNull;

import io.siltstone.bench.index.IndexPeer;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReaderWithFilter;
import org.apache.cassandra.io.sstable.indexsummary.IndexSummarySupport;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;

/** A Cassandra node in this JVM, read by CQL that is executed locally. */
public final class CassandraIndex implements IndexPeer {
  @Override
  public String name() {
    return "Cassandra";
  }

  @Override
  public void start(Path directory, FormatVersion version) throws IOException {
    Map<String, String> settings = new HashMap<>();
    // Room for all that is inserted before a flush.
    settings.put("memtable_heap_space", "1024MiB");
    settings.put("memtable_offheap_space", "1024MiB");
    settings.put("memtable_cleanup_threshold", "0.9");
    settings.put("key_cache_size", "256MiB");
    settings.put(
        "storage_compatibility_mode", version == FormatVersion.NB ? "CASSANDRA_4" : "NONE");
    if (version.hasTrieIndex()) {
      settings.put("sstable", "{selected_format: bti}");
    }
    LocalNode.start(directory, settings);
  }

  @Override
  public String version() {
    return "Apache Cassandra " + FBUtilities.getReleaseVersionString();
  }

  @Override
  public IndexTable define(TableDefinition definition, Caches caches) {
    LocalNode.define("DROP TABLE IF EXISTS " + LocalNode.KEYSPACE + "." + definition.name());
    LocalNode.define(
        definition.cql()
            + " AND caching = {'keys': '"
            + (caches.keys() ? "ALL" : "NONE")
            + "', 'rows_per_partition': 'NONE'}");
    return new Defined(
        LocalNode.KEYSPACE + "." + definition.name(), LocalTable.named(definition.name()));
  }

  /** Does nothing: the node ends with the JVM. */
  @Override
  public void close() {}

  private record Defined(String name, LocalTable table) implements IndexTable {
    @Override
    public void load(List<Path> files) throws Exception {
      table.load(files);
    }

    @Override
    public void insert(String key, String value) {
      QueryProcessor.executeInternal(
          "INSERT INTO " + name + " (key, value) VALUES (?, ?)", key, value);
    }

    @Override
    public void flush() {
      store().forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    }

    @Override
    public void compact() {
      table.compact();
    }

    @Override
    public int partition(String key) {
      return count("SELECT value FROM " + name + " WHERE key = ?", key);
    }

    @Override
    public int row(String key, long row) {
      return count("SELECT value FROM " + name + " WHERE key = ? AND row = ?", key, row);
    }

    @Override
    public int rowsFrom(String key, long row, int limit) {
      return count(
          "SELECT value FROM " + name + " WHERE key = ? AND row >= ? LIMIT ?", key, row, limit);
    }

    @Override
    public int rowsTo(String key, long row, int limit) {
      return count(
          "SELECT value FROM " + name + " WHERE key = ? AND row <= ? ORDER BY row DESC LIMIT ?",
          key,
          row,
          limit);
    }

    private static int count(String cql, Object... values) {
      UntypedResultSet found = QueryProcessor.executeInternal(cql, values);
      return found.size();
    }

    @Override
    public long open(Path directory, String key) throws IOException {
      Set<String> data = new HashSet<>();
      try (Stream<Path> files = Files.list(directory)) {
        files.map(Path::toString).filter(file -> file.endsWith("-Data.db")).forEach(data::add);
      }
      DecoratedKey decorated = store().getPartitioner().decorateKey(ByteBufferUtil.bytes(key));
      long start = System.nanoTime();
      for (String file : data) {
        Descriptor descriptor =
            Descriptor.fromFileWithComponent(new File(file), LocalNode.KEYSPACE, table.store().name)
                .left;
        SSTableReader reader = SSTableReader.open(store(), descriptor, store().metadata);
        try {
          if (reader.getPosition(decorated, SSTableReader.Operator.EQ) < 0) {
            throw new IOException("key " + key + " is not in " + file);
          }
        } finally {
          reader.selfRef().release();
        }
      }
      return System.nanoTime() - start;
    }

    @Override
    public long offHeapBytes() {
      long bytes = 0;
      for (SSTableReader live : store().getLiveSSTables()) {
        bytes += live.getCompressionMetadataOffHeapSize();
        if (live instanceof SSTableReaderWithFilter filtered) {
          bytes += filtered.getFilterOffHeapSize();
        }
        if (live instanceof IndexSummarySupport<?> summarized) {
          bytes += requireNonNull(summarized.getIndexSummary()).getOffHeapSize();
        }
      }
      return bytes;
    }

    @Override
    public List<String> versions() {
      return store().getLiveSSTables().stream()
          .map(live -> live.descriptor.version.toString())
          .toList();
    }

    private ColumnFamilyStore store() {
      return table.store();
    }

    /** Does nothing: the next definition drops the table. */
    @Override
    public void close() {}
  }
}
