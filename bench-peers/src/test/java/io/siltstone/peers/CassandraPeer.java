package io.siltstone.peers;

import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * Apache Cassandra's storage engine: the storage part of a node, without gossip and network. There
 * is one per JVM, which runs as long as the JVM.
 */
public final class CassandraPeer implements Peer {
  // Nothing listens on this port.
  private static final int PORT = 7000;
  private static final int PAGE_ROWS = 1_000;

  private boolean started;

  @Override
  public String name() {
    return "Cassandra";
  }

  @Override
  public String version() {
    return Libraries.version("cassandra-all");
  }

  @Override
  public String setting(PeerOptions options) {
    return "its engine in the process, by prepared CQL statements that are executed locally; LZ4 in"
        + " chunks of "
        + options.blockKib()
        + " KiB, chunk cache "
        + (options.cacheBytes() >> 20)
        + " MiB, memtables "
        + (options.bufferBytes() >> 20)
        + " MiB off the heap, commit log synced every 10 s, size-tiered compaction without a limit"
        + " of speed, ByteOrderedPartitioner";
  }

  @Override
  public List<String> jvmOptions() {
    return EmbeddedCassandra.JVM_OPTIONS;
  }

  @Override
  public Optional<String> unavailable() {
    return EmbeddedCassandra.unavailable();
  }

  @Override
  public PeerStore open(Path directory, PeerOptions options) throws IOException {
    if (started) {
      // There is one store per process: the next one is the same, emptied.
      Store store = new Store(Keyspace.open("ks").getColumnFamilyStore("kv"));
      store.table().truncateBlockingWithoutSnapshot();
      return store;
    }
    start(directory, options);
    started = true;
    define(
        "CREATE KEYSPACE ks WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    define(
        "CREATE TABLE ks.kv (key blob PRIMARY KEY, value blob) WITH compression ="
            + " {'class': 'LZ4Compressor', 'chunk_length_in_kb': "
            + options.blockKib()
            + "}");
    return new Store(Keyspace.open("ks").getColumnFamilyStore("kv"));
  }

  private static void start(Path home, PeerOptions options) throws IOException {
    EmbeddedCassandra.configure(home, PORT, settings(options));
    System.setProperty("cassandra.schema.force_load_local_keyspaces", "true");
    DatabaseDescriptor.daemonInitialization();
    DatabaseDescriptor.createAllDirectories();
    CommitLog.instance.start();
    Keyspace.setInitialized();
    SystemKeyspace.persistLocalMetadata();
    // The node owns the whole ring, because a flush looks up which token ranges belong to which
    // disk.
    StorageService.instance
        .getTokenMetadata()
        .updateNormalToken(
            DatabaseDescriptor.getPartitioner().getMinimumToken(),
            FBUtilities.getBroadcastAddressAndPort());
  }

  private static Map<String, String> settings(PeerOptions options) {
    String buffer = (options.bufferBytes() >> 20) + "MiB";
    return Map.of(
        "partitioner", "org.apache.cassandra.dht.ByteOrderedPartitioner",
        "storage_compatibility_mode", "NONE",
        "concurrent_compactors", "2",
        "memtable_allocation_type", "offheap_objects",
        "memtable_heap_space", buffer,
        "memtable_offheap_space", buffer,
        "file_cache_enabled", "true",
        "file_cache_size", (options.cacheBytes() >> 20) + "MiB");
  }

  private static void define(String cql) {
    QueryProcessor.process(cql, ConsistencyLevel.ONE);
  }

  private record Store(ColumnFamilyStore table) implements PeerStore {
    @Override
    public void put(byte[] key, byte[] value) {
      QueryProcessor.executeInternal(
          "INSERT INTO ks.kv (key, value) VALUES (?, ?)",
          ByteBuffer.wrap(key),
          ByteBuffer.wrap(value));
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      UntypedResultSet found =
          QueryProcessor.executeInternal(
              "SELECT value FROM ks.kv WHERE key = ?", ByteBuffer.wrap(key));
      return found.isEmpty() ? null : ByteBufferUtil.getArray(found.one().getBytes("value"));
    }

    @Override
    public Scanned scan(byte @Nullable [] from, long limit) {
      UntypedResultSet rows =
          from == null
              ? QueryProcessor.executeInternalWithPaging("SELECT key, value FROM ks.kv", PAGE_ROWS)
              : QueryProcessor.executeInternal(
                  "SELECT key, value FROM ks.kv WHERE token(key) >= token(?) LIMIT ?",
                  ByteBuffer.wrap(from),
                  (int) limit);
      long entries = 0;
      long bytes = 0;
      for (UntypedResultSet.Row row : rows) {
        entries++;
        bytes += row.getBytes("key").remaining() + row.getBytes("value").remaining();
      }
      return new Scanned(entries, bytes);
    }

    @Override
    public void flush() {
      table.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    }

    @Override
    public void compact() {
      table.forceMajorCompaction();
    }

    /** Does nothing: the node ends with the JVM. */
    @Override
    public void close() {}
  }
}
