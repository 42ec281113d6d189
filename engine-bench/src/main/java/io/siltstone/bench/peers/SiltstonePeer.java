package io.siltstone.bench.peers;

import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueStore;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The adapter of this engine, with its key-value store. */
public final class SiltstonePeer implements Peer {
  @Override
  public String name() {
    return "Siltstone";
  }

  @Override
  public String version() {
    return "Siltstone, this build";
  }

  @Override
  public String setting(PeerOptions options) {
    return "KeyValueStore; LZ4 in chunks of "
        + options.blockKib()
        + " KiB, chunk cache "
        + (options.cacheBytes() >> 20)
        + " MiB, memtables "
        + (options.bufferBytes() >> 20)
        + " MiB, key cache "
        + (keyCacheBytes(options) >> 20)
        + " MiB, commit log that is written at each write and synced every 10 s, default threads,"
        + " size-tiered compaction without a limit of speed";
  }

  /**
   * Returns the size of the key cache: the default, and with a large chunk cache enough for the
   * keys that it has. Other engines have their index in memory or in their cache.
   */
  private static long keyCacheBytes(PeerOptions options) {
    return Math.max(DatabaseOptions.builder().build().keyCacheBytes(), options.cacheBytes() / 32);
  }

  @Override
  public PeerStore open(Path directory, PeerOptions options) throws IOException {
    DatabaseOptions database =
        DatabaseOptions.builder()
            .chunkCacheBytes(options.cacheBytes())
            .keyCacheBytes(keyCacheBytes(options))
            .memtableBytes(options.bufferBytes())
            .memoryBytes(options.cacheBytes() + options.bufferBytes() + (256L << 20))
            .compaction(
                new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build()))
            .build();
    TableOptions table =
        TableOptions.builder()
            .compression(CompressionOptions.DEFAULT.withChunkLengthInKb(options.blockKib()))
            .build();
    return new Store(KeyValueStore.open(directory, database, table));
  }

  private record Store(KeyValueStore store) implements PeerStore {
    @Override
    public void put(byte[] key, byte[] value) throws IOException {
      store.put(key, value);
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
      return store.get(key);
    }

    @Override
    public Scanned scan(byte @Nullable [] from, long limit) throws IOException {
      long entries = 0;
      long bytes = 0;
      try (KeyValueIterator all = store.iterator(from, null)) {
        for (all.seekToFirst(); all.isValid() && entries < limit; all.next()) {
          entries++;
          bytes += all.key().length + all.value().length;
        }
      }
      return new Scanned(entries, bytes);
    }

    @Override
    public void flush() throws IOException {
      store.database().flush();
    }

    @Override
    public void compact() throws IOException {
      store
          .table()
          .compact(CompactionRequest.of(Operation.MAJOR))
          .toCompletableFuture()
          .join()
          .orThrow();
    }

    @Override
    public void close() throws IOException {
      store.close();
    }
  }
}
