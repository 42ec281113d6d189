package io.siltstone.peers;

import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
 * Apache Cassandra's storage engine: the part of a node that stores, without gossip and network.
 * There is one in a JVM, which lives as long as that.
 */
public final class CassandraPeer implements Peer {
  private static final int JAVA = 17;
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
    return List.of(
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
        "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
        "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED",
        "--add-exports=java.rmi/sun.rmi.transport.tcp=ALL-UNNAMED",
        "--add-exports=java.sql/java.sql=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.module=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
        "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.math=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.module=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
        "-Djdk.attach.allowAttachSelf=true");
  }

  @Override
  public Optional<String> unavailable() {
    int running = Runtime.version().feature();
    return running == JAVA
        ? Optional.empty()
        : Optional.of("it needs Java " + JAVA + ", this is " + running);
  }

  @Override
  public PeerStore open(Path directory, PeerOptions options) throws IOException {
    if (started) {
      // One to a process: the next store is the same, empty.
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
    Path yaml = home.resolve("cassandra.yaml");
    Files.writeString(yaml, yaml(home, options));
    System.setProperty("cassandra.config", yaml.toUri().toString());
    System.setProperty("cassandra.storagedir", home.toString());
    System.setProperty("cassandra.schema.force_load_local_keyspaces", "true");
    System.setProperty("cassandra.size_recorder_interval", "0");
    System.setProperty("cassandra.ring_delay_ms", "1");
    DatabaseDescriptor.daemonInitialization();
    DatabaseDescriptor.createAllDirectories();
    CommitLog.instance.start();
    Keyspace.setInitialized();
    SystemKeyspace.persistLocalMetadata();
    // The whole ring is its own: a flush looks up which token ranges belong on which disk.
    StorageService.instance
        .getTokenMetadata()
        .updateNormalToken(
            DatabaseDescriptor.getPartitioner().getMinimumToken(),
            FBUtilities.getBroadcastAddressAndPort());
  }

  private static String yaml(Path home, PeerOptions options) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("cluster_name", "peer");
    settings.put("partitioner", "org.apache.cassandra.dht.ByteOrderedPartitioner");
    settings.put("storage_compatibility_mode", "NONE");
    settings.put("num_tokens", "1");
    settings.put("listen_address", "127.0.0.1");
    settings.put("endpoint_snitch", "SimpleSnitch");
    settings.put(
        "seed_provider",
        "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider,"
            + " parameters: [{seeds: \"127.0.0.1\"}]}]");
    settings.put("data_file_directories", "[" + home.resolve("data") + "]");
    settings.put("commitlog_directory", home.resolve("commitlog").toString());
    settings.put("saved_caches_directory", home.resolve("saved_caches").toString());
    settings.put("hints_directory", home.resolve("hints").toString());
    settings.put("cdc_raw_directory", home.resolve("cdc_raw").toString());
    settings.put("commitlog_sync", "periodic");
    settings.put("commitlog_sync_period", "10000ms");
    settings.put("start_native_transport", "false");
    settings.put("hinted_handoff_enabled", "false");
    settings.put("auto_snapshot", "false");
    settings.put("concurrent_compactors", "2");
    settings.put("compaction_throughput", "0MiB/s");
    settings.put("memtable_allocation_type", "offheap_objects");
    settings.put("memtable_heap_space", (options.bufferBytes() >> 20) + "MiB");
    settings.put("memtable_offheap_space", (options.bufferBytes() >> 20) + "MiB");
    settings.put("file_cache_enabled", "true");
    settings.put("file_cache_size", (options.cacheBytes() >> 20) + "MiB");
    StringBuilder text = new StringBuilder();
    settings.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    return text.toString();
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

    /** Nothing: the JVM ends with it. */
    @Override
    public void close() {}
  }
}
