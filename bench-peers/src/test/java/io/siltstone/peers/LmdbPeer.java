package io.siltstone.peers;

import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.KeyRange;
import org.lmdbjava.Txn;

/** The adapter of LMDB, a memory-mapped B-tree in C, through lmdbjava. */
public final class LmdbPeer implements Peer {
  private static final long MAP_BYTES = 64L << 30;

  @Override
  public String name() {
    return "LMDB";
  }

  @Override
  public String version() {
    return Libraries.version("lmdbjava");
  }

  @Override
  public String setting(PeerOptions options) {
    return "no compression as it has none, MDB_NOSYNC, one transaction a write; the page cache is"
        + " its only cache and buffer, so it has more memory than the others; it compacts only by"
        + " copying, which is not asked for";
  }

  @Override
  public List<String> jvmOptions() {
    return List.of(
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
  }

  @Override
  public PeerStore open(Path directory, PeerOptions options) {
    Env<byte[]> environment =
        Env.create(ByteArrayProxy.PROXY_BA)
            .setMapSize(MAP_BYTES)
            .setMaxDbs(1)
            .open(directory.toFile(), EnvFlags.MDB_NOSYNC);
    return new Store(environment, environment.openDbi("entries", DbiFlags.MDB_CREATE));
  }

  private record Store(Env<byte[]> environment, Dbi<byte[]> entries) implements PeerStore {
    @Override
    public void put(byte[] key, byte[] value) {
      entries.put(key, value);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      try (Txn<byte[]> transaction = environment.txnRead()) {
        return entries.get(transaction, key);
      }
    }

    @Override
    public Scanned scan(byte @Nullable [] from, long limit) {
      long count = 0;
      long bytes = 0;
      try (Txn<byte[]> transaction = environment.txnRead();
          CursorIterable<byte[]> all =
              entries.iterate(
                  transaction, from == null ? KeyRange.all() : KeyRange.atLeast(from))) {
        for (CursorIterable.KeyVal<byte[]> entry : all) {
          if (count == limit) {
            break;
          }
          count++;
          bytes += entry.key().length + entry.val().length;
        }
      }
      return new Scanned(count, bytes);
    }

    @Override
    public void flush() {
      environment.sync(true);
    }

    @Override
    public void compact() {
      // A B-tree is updated in place, so there is nothing to merge.
    }

    @Override
    public void close() {
      environment.close();
    }
  }
}
