package io.siltstone.sstable.bti;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Flipped bits in {@code Partitions.db} and {@code Rows.db}: a partition or block is found where it
 * is, seems not to be there, or the damage is reported with file and offset. Neither file has a
 * checksum.
 */
class BtiDamageTest {
  private static final long SEED = Long.getLong("siltstone.seed", 35);
  private static final int TRIES = 400 * Integer.getInteger("siltstone.scale", 1);
  private static final int KEYS = 2000;
  private static final int ROWS = 900;
  private static final Component COMPONENT = Component.PRIMARY_INDEX;

  private final MemoryDirectory directory = new MemoryDirectory();
  private final BtiFiles files = new BtiFiles(directory);
  private final Random random = new Random(SEED);
  private long entry;
  private int reported;

  @BeforeEach
  void write() throws IOException {
    files.writePartitions(KEYS);
    entry = files.writeRows(ROWS);
  }

  private byte[] bytes(String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
      return bytes;
    }
  }

  private ReadableFile openWith(byte[] bytes) throws IOException {
    directory.delete("damaged");
    try (WritableFile file = directory.create("damaged", WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
    return directory.open("damaged", ReadIntent.INDEX);
  }

  private interface Reads {
    void run(ReadableFile file) throws IOException;
  }

  private void damage(String name, int from, Reads reads) throws IOException {
    directory.create("damaged", WriteIntent.OTHER).close();
    byte[] whole = bytes(name);
    for (int i = 0; i < TRIES; i++) {
      byte[] damaged = whole.clone();
      for (int flips = 1 + random.nextInt(2); flips > 0; flips--) {
        // Half of them near the end, where the root and the footer are.
        int least = random.nextBoolean() ? from : Math.max(from, whole.length - 200);
        damaged[least + random.nextInt(whole.length - least)] ^= (byte) (1 << random.nextInt(8));
      }
      try (ReadableFile file = openWith(damaged)) {
        reads.run(file);
      } catch (CorruptSSTableException e) {
        assertThat(e.path()).contains("damaged");
        assertThat(e.offset()).isBetween(0L, (long) whole.length);
        reported++;
      } catch (RuntimeException | Error e) {
        fail("seed " + SEED + ", try " + i, e);
      }
    }
    assertThat(reported).as("reported of %s, seed %s", TRIES, SEED).isGreaterThan(TRIES / 20);
  }

  @Test
  void ofPartitions() throws IOException {
    damage(BtiFiles.PARTITIONS, 0, this::readPartitions);
  }

  private void readPartitions(ReadableFile file) throws IOException {
    PartitionTrie index = PartitionTrie.open(file, COMPONENT, BtiFiles.PARTITIONER);
    PartitionTrieCursor cursor = new PartitionTrieCursor(index);
    for (int i = 0; i < 50; i++) {
      long number = random.nextInt(KEYS);
      PartitionKey key =
          PartitionKey.of(files.key(number, KEYS).toByteArray(), files.key(number, KEYS).token());
      if (cursor.find(key, key.longHash())) {
        check(cursor, number);
      }
      if (cursor.seekFloor(key)) {
        check(cursor, -1);
        if (cursor.previous()) {
          check(cursor, -1);
        }
      }
    }
    cursor.toFirst();
    long count = 1;
    while (cursor.next()) {
      count++;
    }
    assertThat(count).isLessThanOrEqualTo(index.count() + 1);
  }

  /** Does what a reader does with a candidate: reads the key at its position, and compares it. */
  private void check(PartitionTrieCursor cursor, long sought) throws IOException {
    if (cursor.hasBlocks() || cursor.position() % 131 != 0 || cursor.position() / 131 >= KEYS) {
      return; // the data file has no partition there, which its reader reports
    }
    long found = cursor.position() / 131;
    if (found != sought) {
      // Throws if the entry cannot be the one of this key.
      cursor.check(files.key(found, KEYS));
    }
  }

  @Test
  void ofRows() throws IOException {
    damage(BtiFiles.ROWS, 0, this::readRows);
  }

  private void readRows(ReadableFile file) throws IOException {
    RowEncoding encoding = BtiFiles.encoding();
    RowTrieCursor cursor =
        new RowTrieCursor(
            file,
            COMPONENT,
            new ComparableClusterings(BtiFiles.clusteringTypes()),
            new FileReads());
    cursor.open(entry);
    for (int i = 0; i < 30; i++) {
      long number = random.nextInt(ROWS);
      Clustering clustering = BtiFiles.clustering(encoding, BtiFiles.kind(number), number);
      cursor.seek(clustering);
      assertThat(cursor.offset()).isNotNegative();
      cursor.next();
      cursor.previous();
    }
    cursor.toFirst();
    long count = 0;
    while (cursor.next()) {
      count++;
    }
    assertThat(count).isLessThanOrEqualTo(cursor.count());
    cursor.toEnd();
    while (cursor.previous()) {
      count--;
    }
  }

  @Test
  void aFooterThatContradictsTheFileIsRefused() throws IOException {
    byte[] whole = bytes(BtiFiles.PARTITIONS);
    directory.create("damaged", WriteIntent.OTHER).close();
    for (int number = 0; number < 3; number++) {
      for (long value : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, whole.length}) {
        byte[] damaged = whole.clone();
        ByteBuffer.wrap(damaged).putLong(damaged.length - 24 + 8 * number, value);
        try (ReadableFile file = openWith(damaged)) {
          assertThatThrownBy(() -> PartitionTrie.open(file, COMPONENT, BtiFiles.PARTITIONER))
              .as("number %s is %s", number, value)
              .isInstanceOf(CorruptSSTableException.class)
              .hasMessageContaining("offset " + (whole.length - 24));
        }
      }
    }
    for (int length : new int[] {0, 1, 24, 28}) {
      try (ReadableFile file = openWith(Arrays.copyOf(whole, length))) {
        assertThatThrownBy(() -> PartitionTrie.open(file, COMPONENT, BtiFiles.PARTITIONER))
            .isInstanceOf(CorruptSSTableException.class);
      }
    }
  }

  /** The entry of one key points at another partition. */
  @Test
  void anEntryThatBelongsToAnotherKeyIsReported() throws IOException {
    try (ReadableFile file = directory.open(BtiFiles.PARTITIONS, ReadIntent.INDEX)) {
      PartitionTrieCursor cursor =
          new PartitionTrieCursor(PartitionTrie.open(file, COMPONENT, BtiFiles.PARTITIONER));
      PartitionKey key = files.key(7, KEYS);
      assertThat(cursor.find(key, key.longHash())).isTrue();
      cursor.check(key);
      assertThatThrownBy(() -> cursor.check(files.key(9, KEYS)))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining("the entry of another key than");
      assertThat(cursor.find(files.key(7, KEYS), 0)).isFalse();
    }
  }

  @Test
  void anEntryOfAPartitionThatLeavesTheFileIsReported() throws IOException {
    try (ReadableFile file = directory.open(BtiFiles.ROWS, ReadIntent.INDEX)) {
      RowTrieCursor cursor =
          new RowTrieCursor(
              file,
              COMPONENT,
              new ComparableClusterings(BtiFiles.clusteringTypes()),
              new FileReads());
      for (long position :
          new long[] {-1, Long.MIN_VALUE, file.length() - 1, file.length(), Long.MAX_VALUE}) {
        assertThatThrownBy(() -> cursor.open(position))
            .as("position %s", position)
            .isInstanceOf(CorruptSSTableException.class);
      }
    }
  }
}
