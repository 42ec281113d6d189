package io.siltstone.peers;

import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.iq80.leveldb.CompressionType;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBIterator;
import org.iq80.leveldb.Options;
import org.iq80.leveldb.impl.DbImpl;
import org.iq80.leveldb.impl.Iq80DBFactory;
import org.jspecify.annotations.Nullable;

/** The adapter of LevelDB in Java, by iq80. */
public final class LevelDbPeer implements Peer {
  @Override
  public String name() {
    return "LevelDB";
  }

  @Override
  public String version() {
    return Libraries.version("leveldb");
  }

  @Override
  public String setting(PeerOptions options) {
    return "the port to Java by iq80; Snappy in blocks of "
        + options.blockKib()
        + " KiB, files mapped, no block cache and no bloom filters as it has none, write buffer "
        + (options.bufferBytes() >> 20)
        + " MiB, log not synced at each write";
  }

  @Override
  public PeerStore open(Path directory, PeerOptions options) throws IOException {
    return new Store(
        Iq80DBFactory.factory.open(
            directory.toFile(),
            new Options()
                .compressionType(CompressionType.SNAPPY)
                .blockSize(options.blockKib() * 1024)
                .cacheSize(options.cacheBytes())
                .writeBufferSize((int) (options.bufferBytes() / 2))));
  }

  private record Store(DB database) implements PeerStore {
    @Override
    public void put(byte[] key, byte[] value) {
      database.put(key, value);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return database.get(key);
    }

    @Override
    public Scanned scan(byte @Nullable [] from, long limit) throws IOException {
      long entries = 0;
      long bytes = 0;
      try (DBIterator all = database.iterator()) {
        if (from == null) {
          all.seekToFirst();
        } else {
          all.seek(from);
        }
        while (entries < limit && all.hasNext()) {
          Map.Entry<byte[], byte[]> entry = all.next();
          entries++;
          bytes += entry.getKey().length + entry.getValue().length;
        }
      }
      return new Scanned(entries, bytes);
    }

    @Override
    public void flush() {
      ((DbImpl) database).flushMemTable();
    }

    /**
     * Compacts each level but the last into the one below, because there is no major compaction.
     */
    @Override
    public void compact() {
      DbImpl levels = (DbImpl) database;
      byte[] first = {0};
      byte[] last = {(byte) 0xFF};
      for (int level = 0; level < 6; level++) {
        levels.compactRange(
            level,
            org.iq80.leveldb.util.Slices.wrappedBuffer(first),
            org.iq80.leveldb.util.Slices.wrappedBuffer(last));
      }
    }

    @Override
    public void close() throws IOException {
      database.close();
    }
  }
}
