package io.siltstone.peers;

import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import java.nio.file.Path;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/** The adapter of H2's MVStore, a copy-on-write B-tree in Java. */
public final class MvStorePeer implements Peer {
  private static final int COMPACT_MILLIS = 600_000;

  @Override
  public String name() {
    return "MVStore";
  }

  @Override
  public String version() {
    return Libraries.version("h2-mvstore");
  }

  @Override
  public String setting(PeerOptions options) {
    return "LZF in pages of "
        + options.blockKib()
        + " KiB, page cache "
        + (options.cacheBytes() >> 20)
        + " MiB on the heap, writes in memory until "
        + (options.bufferBytes() >> 20)
        + " MiB or a second have come together; there is no log, so a crash loses them";
  }

  @Override
  public PeerStore open(Path directory, PeerOptions options) {
    MVStore store =
        new MVStore.Builder()
            .fileName(directory.resolve("mvstore").toString())
            .compress()
            .pageSplitSize(options.blockKib() * 1024)
            .cacheSize((int) (options.cacheBytes() >> 20))
            .autoCommitBufferSize((int) (options.bufferBytes() >> 10))
            .open();
    MVMap<byte[], byte[]> map =
        store.openMap(
            "entries",
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
    return new Store(store, map);
  }

  private record Store(MVStore store, MVMap<byte[], byte[]> map) implements PeerStore {
    @Override
    public void put(byte[] key, byte[] value) {
      map.put(key, value);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return map.get(key);
    }

    @Override
    public Scanned scan(byte @Nullable [] from, long limit) {
      long entries = 0;
      long bytes = 0;
      Cursor<byte[], byte[]> all = map.cursor(from);
      while (entries < limit && all.hasNext()) {
        bytes += all.next().length + all.getValue().length;
        entries++;
      }
      return new Scanned(entries, bytes);
    }

    @Override
    public void flush() {
      store.commit();
      store.sync();
    }

    @Override
    public void compact() {
      store.compactFile(COMPACT_MILLIS);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
