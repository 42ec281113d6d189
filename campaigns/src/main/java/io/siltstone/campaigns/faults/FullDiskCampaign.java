package io.siltstone.campaigns.faults;

import io.siltstone.Compaction;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.campaigns.run.Campaign;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.campaigns.run.DeviationException;
import io.siltstone.campaigns.run.Directories;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Writes to a database on a small file system until it is full, or until the commit log cannot be
 * written. What was acknowledged must then be readable. While the disk is full, the database must
 * reject being opened, or open with all of it; and it must open with all of it when there is space
 * again.
 */
final class FullDiskCampaign implements Campaign {
  private static final List<SyncMode> MODES = List.of(SyncMode.values());
  private static final List<SmallVolume.Kind> KINDS = List.of(SmallVolume.Kind.values());
  private static final int BALLAST_BYTES = 6 << 20;
  private static final int MOST_WRITES = 200_000;

  private final Path directory;
  private final long seed;

  FullDiskCampaign(Path directory, long seed) {
    this.directory = directory;
    this.seed = seed;
  }

  @Override
  public void round(long round, Counts counts) throws IOException, DeviationException {
    SplittableRandom drawn = new SplittableRandom(seed * 1_000_003 + round);
    SyncMode mode = MODES.get((int) (round % MODES.size()));
    SmallVolume.Kind kind = KINDS.get((int) (round / MODES.size() % KINDS.size()));
    Path home = directory.resolve("round-" + round);
    Directories.delete(home);
    Files.createDirectories(home);
    try (SmallVolume volume = SmallVolume.mount(home, kind, drawn.nextInt(16, 40))) {
      new OneRound(volume.root(), mode, drawn.nextLong()).run(counts);
      counts.add("full disks of kind " + kind);
      counts.add("full disks in mode " + mode);
    } catch (RuntimeException | AssertionError e) {
      throw new DeviationException(kind + ", mode " + mode + ": " + e, e, null);
    }
  }

  /** Fills one disk, and opens what is on it. */
  private static final class OneRound {
    private final Path home;
    private final Path ballast;
    private final DatabaseOptions options;
    private final Random random;
    private final Map<byte[], byte[]> acknowledged = new TreeMap<>(Arrays::compareUnsigned);
    private byte[] lastKey = {};
    private byte[] lastValue = {};

    OneRound(Path volume, SyncMode mode, long drawn) throws IOException {
      this.home = volume.resolve("database");
      this.ballast = Files.write(volume.resolve("ballast"), new byte[BALLAST_BYTES]);
      this.random = new Random(drawn);
      this.options =
          DatabaseOptions.builder()
              .compaction(random.nextBoolean() ? Compaction.found() : Compaction.none())
              .memoryBytes(64 << 20)
              .memtableBytes((1L + random.nextInt(4)) << 20)
              .chunkCacheBytes(1 << 20)
              .commitLog(
                  CommitLogOptions.builder()
                      .syncMode(mode)
                      .groupWindow(Duration.ofNanos(1))
                      .segmentBytes(1 << 20)
                      .build())
              .build();
    }

    void run(Counts counts) throws IOException {
      fill(counts);
      // While the disk is full, opening succeeds with all data or fails.
      try (KeyValueStore store = KeyValueStore.open(home, options)) {
        requireAll(store);
        counts.add("openings of a full disk");
      } catch (IOException e) {
        counts.add("openings of a full disk that were refused");
      }
      Files.delete(ballast);
      for (int i = 0; i < 2; i++) {
        try (KeyValueStore store = KeyValueStore.open(home, options)) {
          requireAll(store);
          store.put(new byte[] {1}, new byte[] {1});
          acknowledged.put(new byte[] {1}, new byte[] {1});
        } catch (IOException e) {
          throw new AssertionError("with free space again: " + e, e);
        }
      }
    }

    private void fill(Counts counts) {
      try (KeyValueStore store = KeyValueStore.open(home, options)) {
        try {
          for (int i = 0; i < MOST_WRITES; i++) {
            lastKey = new byte[] {2, (byte) (i >> 16), (byte) (i >> 8), (byte) i};
            lastValue = new byte[random.nextInt(16 << 10)];
            random.nextBytes(lastValue);
            store.put(lastKey, lastValue);
            acknowledged.put(lastKey, lastValue);
            if (random.nextInt(300) == 0) {
              store.table().flush();
            }
          }
          throw new AssertionError("the disk has not become full");
        } catch (IOException e) {
          counts.add("writes acknowledged", acknowledged.size());
        }
        requireAll(store);
      } catch (IOException e) {
        // The memtables could not be flushed, which closing reports.
        counts.add("closings of a full disk that have said so");
      }
    }

    private void requireAll(KeyValueStore store) throws IOException {
      for (Map.Entry<byte[], byte[]> entry : acknowledged.entrySet()) {
        if (!Arrays.equals(store.get(entry.getKey()), entry.getValue())) {
          throw new AssertionError(
              "lost: "
                  + Arrays.toString(entry.getKey())
                  + " of "
                  + acknowledged.size()
                  + " acknowledged writes");
        }
      }
      // The write that has failed may be there.
      byte[] last = store.get(lastKey);
      if (last != null && !Arrays.equals(last, lastValue)) {
        throw new AssertionError("the last write was changed");
      }
    }
  }
}
