package io.siltstone.peers;

import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** The adapter of RocksDB, through JNI. */
public final class RocksDbPeer implements Peer {
  private static final int BITS_PER_KEY = 10;
  private static final int BACKGROUND_JOBS = 2;

  // The values by which the cache chooses the size of its table and the number of its shards.
  private static final long UNKNOWN_ENTRY_BYTES = 0;
  private static final int DEFAULT_SHARDS = -1;

  @Override
  public String name() {
    return "RocksDB";
  }

  @Override
  public String version() {
    return Libraries.version("rocksdbjni");
  }

  @Override
  public String setting(PeerOptions options) {
    return "LZ4 at all levels in blocks of "
        + options.blockKib()
        + " KiB, HyperClockCache of "
        + (options.cacheBytes() >> 20)
        + " MiB for blocks (index and filters are in memory besides), write buffers "
        + (options.bufferBytes() >> 20)
        + " MiB, full bloom filters of 10 bits a key, write-ahead log that is written at each write"
        + " and not synced, "
        + BACKGROUND_JOBS
        + " background threads, leveled compaction, divided among the processors";
  }

  @Override
  public PeerStore open(Path directory, PeerOptions peer) throws IOException {
    RocksDB.loadLibrary();
    // Look-ups in HyperClockCache take no lock. Those in LRUCache, the default in Java, take one.
    Cache cache =
        new HyperClockCache(peer.cacheBytes(), UNKNOWN_ENTRY_BYTES, DEFAULT_SHARDS, false);
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockSize(peer.blockKib() * 1024L)
            .setBlockCache(cache)
            .setFilterPolicy(new BloomFilter(BITS_PER_KEY, false));
    // Two write buffers, one of which is being flushed, together have the size that other engines
    // get.
    Options options =
        new Options()
            .setCreateIfMissing(true)
            .setTableFormatConfig(table)
            .setWriteBufferSize(peer.bufferBytes() / 2)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setBottommostCompressionType(CompressionType.LZ4_COMPRESSION)
            .setMaxBackgroundJobs(BACKGROUND_JOBS);
    try {
      return new Store(
          RocksDB.open(options, directory.toString()), options, cache, new WriteOptions());
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  private record Store(RocksDB database, Options options, Cache cache, WriteOptions write)
      implements PeerStore {
    @Override
    public void put(byte[] key, byte[] value) throws RocksDBException {
      database.put(write, key, value);
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws RocksDBException {
      return database.get(key);
    }

    @Override
    public Scanned scan(byte @Nullable [] from, long limit) {
      long entries = 0;
      long bytes = 0;
      try (RocksIterator all = database.newIterator()) {
        if (from == null) {
          all.seekToFirst();
        } else {
          all.seek(from);
        }
        for (; all.isValid() && entries < limit; all.next()) {
          entries++;
          bytes += all.key().length + all.value().length;
        }
      }
      return new Scanned(entries, bytes);
    }

    @Override
    public void flush() throws RocksDBException {
      try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
        database.flush(flush);
      }
    }

    @Override
    public void compact() throws RocksDBException {
      try (CompactRangeOptions all =
          new CompactRangeOptions()
              .setMaxSubcompactions(Runtime.getRuntime().availableProcessors())
              .setBottommostLevelCompaction(BottommostLevelCompaction.kForce)) {
        database.compactRange(null, null, null, all);
      }
    }

    @Override
    public void close() {
      database.close();
      write.close();
      options.close();
      cache.close();
    }
  }
}
