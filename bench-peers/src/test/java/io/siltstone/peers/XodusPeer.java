package io.siltstone.peers;

import io.siltstone.bench.peers.Peer;
import io.siltstone.bench.peers.PeerOptions;
import io.siltstone.bench.peers.PeerStore;
import java.nio.file.Path;
import java.util.Arrays;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.StoreConfig;
import org.jspecify.annotations.Nullable;

/** The adapter of JetBrains Xodus, a log of B-tree pages in Java. */
public final class XodusPeer implements Peer {
  @Override
  public String name() {
    return "Xodus";
  }

  @Override
  public String version() {
    return Libraries.version("xodus-environment");
  }

  @Override
  public String setting(PeerOptions options) {
    return "B-tree without prefixing, no compression as it has none, log cache "
        + (options.cacheBytes() >> 20)
        + " MiB, one transaction a write, not synced, no buffer of writes; the garbage collector"
        + " runs as it likes, and is what compaction asks for";
  }

  @Override
  public PeerStore open(Path directory, PeerOptions options) {
    Environment environment =
        Environments.newInstance(
            directory.toFile(),
            new EnvironmentConfig()
                .setMemoryUsage(options.cacheBytes())
                .setLogCacheShared(false)
                .setLogDurableWrite(false));
    return new Store(
        environment,
        environment.computeInTransaction(
            transaction ->
                environment.openStore("entries", StoreConfig.WITHOUT_DUPLICATES, transaction)));
  }

  private record Store(Environment environment, jetbrains.exodus.env.Store store)
      implements PeerStore {
    @Override
    public void put(byte[] key, byte[] value) {
      environment.executeInTransaction(
          transaction ->
              store.put(transaction, new ArrayByteIterable(key), new ArrayByteIterable(value)));
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return environment.computeInReadonlyTransaction(
          transaction -> {
            ByteIterable value = store.get(transaction, new ArrayByteIterable(key));
            return value == null ? null : Arrays.copyOf(value.getBytesUnsafe(), value.getLength());
          });
    }

    @Override
    public Scanned scan(byte @Nullable [] from, long limit) {
      return environment.computeInReadonlyTransaction(
          transaction -> {
            long entries = 0;
            long bytes = 0;
            try (Cursor all = store.openCursor(transaction)) {
              boolean found =
                  from == null
                      ? all.getNext()
                      : all.getSearchKeyRange(new ArrayByteIterable(from)) != null;
              while (found && entries < limit) {
                entries++;
                bytes += all.getKey().getLength() + all.getValue().getBytesUnsafe().length;
                found = all.getNext();
              }
            }
            return new Scanned(entries, bytes);
          });
    }

    @Override
    public void flush() {
      environment.executeInExclusiveTransaction(transaction -> transaction.flush());
    }

    @Override
    public void compact() {
      environment.gc();
    }

    @Override
    public void close() {
      environment.close();
    }
  }
}
