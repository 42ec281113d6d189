package io.siltstone.sstable.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.bti.PartitionTrieWriter;
import io.siltstone.sstable.bti.RowTrieWriter;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@link TrieIndexCheck} finds in a trie index what {@link TrieIndexContent} expects of the same
 * data, and each bit that is not as it was written.
 */
class TrieIndexCheckTest {
  private static final long SEED = Long.getLong("siltstone.seed", 35);
  private static final Partitioner PARTITIONER = Partitioner.MURMUR3;
  private static final List<CqlType> TYPES = List.of(CqlTypes.reversed(CqlTypes.INT));
  private static final String PARTITIONS = "Partitions.db";
  private static final String ROWS = "Rows.db";
  private static final int KEYS = 80;
  private static final int WIDE_EVERY = 20;
  private static final int BLOCKS = 12;
  private static final int ROW_BYTES = 70;
  private static final long TIMESTAMP = 5_000;
  private static final int SECONDS = 1_700_000_000;

  private final MemoryDirectory directory = new MemoryDirectory();
  private final Random random = new Random(SEED);
  private final TrieIndexContent content = new TrieIndexContent(PARTITIONER, TYPES);
  private List<PartitionKey> keys;

  @BeforeEach
  void write() throws IOException {
    TreeSet<PartitionKey> sorted = new TreeSet<>();
    while (sorted.size() < KEYS) {
      byte[] bytes = new byte[random.nextInt(8)];
      random.nextBytes(bytes);
      sorted.add(PartitionKey.of(bytes, PARTITIONER.token(bytes, 0, bytes.length)));
    }
    keys = new ArrayList<>(sorted);
    try (PartitionTrieWriter partitions =
            new PartitionTrieWriter(directory.create(PARTITIONS, WriteIntent.OTHER), PARTITIONER);
        RowTrieWriter rows =
            new RowTrieWriter(directory.create(ROWS, WriteIntent.OTHER), TYPES, 2 * ROW_BYTES)) {
      for (int i = 0; i < KEYS; i++) {
        writePartition(i, partitions, rows);
      }
      partitions.finish(keys.get(0), keys.get(KEYS - 1));
      rows.finish();
    }
    content.end();
  }

  private void writePartition(int i, PartitionTrieWriter partitions, RowTrieWriter rows)
      throws IOException {
    PartitionKey key = keys.get(i);
    long position = 1000L * i;
    boolean isDeleted = i % 3 == 0;
    long timestamp = isDeleted ? TIMESTAMP : Long.MIN_VALUE;
    int localTime = isDeleted ? SECONDS : Integer.MAX_VALUE;
    content.startPartition(
        key.bytes(),
        key.offset(),
        key.length(),
        RunningHash.mixed(0, key.bytes(), key.offset(), key.offset() + key.length()),
        position,
        timestamp,
        localTime);
    if (i % WIDE_EVERY != 0) {
      partitions.add(key, key.longHash(), position);
      content.endPartition(100);
      return;
    }
    rows.startPartition();
    writeRows(rows);
    assertThat(rows.endPartition(ROW_BYTES * (2 * BLOCKS + 1))).isTrue();
    partitions.addWithBlocks(
        key, key.longHash(), rows.addPartition(key, position, timestamp, localTime));
    content.endPartition(ROW_BYTES * (2 * BLOCKS + 1));
  }

  /** Writes blocks of two places each: rows, or every third block the start and end of a range. */
  private void writeRows(RowTrieWriter rows) throws IOException {
    RowEncoding encoding =
        new RowEncoding(
            new SerializationHeader(CqlTypes.BLOB, TYPES, List.of(), List.of(), EncodingStats.NONE),
            true);
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    Unfiltered unfiltered =
        new Unfiltered(encoding, (index, reason) -> new IOException(index + ": " + reason));
    content.startRows(ROW_BYTES);
    Prefix first = new Prefix(TYPES);
    Prefix last = new Prefix(TYPES);
    for (int i = 0; i < 2 * BLOCKS; i++) {
      ClusteringKind kind = kind(i);
      Clustering clustering = Clustering.of(kind, encoding, List.of(value(i)));
      if (kind == ClusteringKind.CLUSTERING) {
        encoder.beginRow();
        encoder.clustering(clustering);
        encoder.finish(0);
      } else {
        encoder.marker(clustering, TIMESTAMP, SECONDS, TIMESTAMP, SECONDS, 0);
      }
      encoder.encoded().wrapWith(unfiltered);
      rows.add(unfiltered, ROW_BYTES * (i + 1), ROW_BYTES * (i + 2));
      set(i % 2 == 0 ? first : last, i);
      if (i % 2 == 1) {
        Prefix next = new Prefix(TYPES);
        set(next, i + 1);
        content.endBlock(
            first,
            last,
            i + 1 < 2 * BLOCKS ? next : null,
            ROW_BYTES * i,
            ROW_BYTES * (i + 2),
            kind == ClusteringKind.INCL_START_BOUND
                ? RunningHash.ofDeletion(TIMESTAMP, SECONDS)
                : 0);
      }
    }
  }

  /** Returns the kind of a place: a range begins at the end of a block, and ends in the next. */
  private static ClusteringKind kind(int place) {
    return switch (place % 6) {
      case 3 -> ClusteringKind.INCL_START_BOUND;
      case 4 -> ClusteringKind.INCL_END_BOUND;
      default -> ClusteringKind.CLUSTERING;
    };
  }

  private static byte[] value(int place) {
    byte[] value = new byte[Integer.BYTES];
    BigEndian.putInt(value, 0, -10 * place);
    return value;
  }

  private static void set(Prefix prefix, int place) {
    byte[] bytes = new byte[1 + Integer.BYTES];
    System.arraycopy(value(place), 0, bytes, 1, Integer.BYTES);
    int code =
        switch (kind(place)) {
          case INCL_START_BOUND -> 1;
          case INCL_END_BOUND -> 6;
          default -> Prefix.ROW;
        };
    assertThat(prefix.parse(code, 1, bytes, 0, bytes.length)).isEqualTo(bytes.length);
  }

  private IndexHash check(long count) throws IOException {
    try (TrieIndexCheck check = new TrieIndexCheck(directory, PARTITIONS, ROWS)) {
      return check.run(count, bytes(keys.get(0)), bytes(keys.get(KEYS - 1)));
    }
  }

  private static byte[] bytes(PartitionKey key) {
    return key.toByteArray();
  }

  @Test
  void theContentIsThatOfTheData() throws IOException {
    assertThat(content.hash.firstDifference(check(KEYS))).isNegative();
  }

  @Test
  void anotherNumberOfKeysIsRefused() {
    assertThatThrownBy(() -> check(KEYS + 1))
        .isInstanceOf(OutputVerificationException.class)
        .hasMessageContaining(PARTITIONS)
        .hasMessageContaining("expected " + (KEYS + 1));
  }

  @Test
  void eachFlippedBitOfPartitionsIsFound() throws IOException {
    flipEachBit(PARTITIONS);
  }

  @Test
  void eachFlippedBitOfRowsIsFound() throws IOException {
    flipEachBit(ROWS);
  }

  private void flipEachBit(String name) throws IOException {
    byte[] whole;
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      whole = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(whole));
    }
    // A page is never padded, so each byte counts.
    assertThat(whole.length).isLessThan(4096);
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      replace(name, damaged);
      assertThat(isFound())
          .as("seed %s, bit %s of byte %s of %s", SEED, bit % 8, bit / 8, whole.length)
          .isTrue();
    }
  }

  private void replace(String name, byte[] bytes) throws IOException {
    directory.delete(name);
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
  }

  private boolean isFound() throws IOException {
    try {
      return content.hash.firstDifference(check(KEYS)) >= 0;
    } catch (OutputVerificationException e) {
      return true;
    }
  }

  @Test
  void aFileThatIsCutOffIsRefused() throws IOException {
    replace(PARTITIONS, new byte[20]);
    assertThatThrownBy(() -> check(KEYS))
        .isInstanceOf(OutputVerificationException.class)
        .hasMessageContaining("a file of 20 bytes");
  }
}
