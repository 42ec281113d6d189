package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodedUnfiltered;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tables with valid checksums whose rows or markers are out of order, occur twice or do not pair:
 * reads throw, with the file and the offset, and never show a wrong order or leave rows out.
 */
class DisorderTest {
  private static final TableSchema SCHEMA =
      SchemaParser.parse("CREATE TABLE ks.t (k int, c int, v blob, PRIMARY KEY (k, c))")
          .onlyTable();
  private static final RowEncoding ENCODING =
      RowEncoding.of(SCHEMA, new EncodingStats(1_000_000, 1_700_000_000, 0), true);
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.OA, 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final MemoryDirectory disk = new MemoryDirectory();
  private final UnfilteredEncoder encoder = new UnfilteredEncoder(ENCODING);
  private final Unfiltered unfiltered =
      new Unfiltered(ENCODING, (index, reason) -> new IOException(reason));

  /** A row or a marker to be written. */
  private interface Item {
    Unfiltered encode(DisorderTest test) throws IOException;
  }

  private static Item row(int c, int bytes) {
    return test -> {
      test.encoder.beginRow();
      test.encoder.clustering(clustering(ClusteringKind.CLUSTERING, c));
      test.encoder.liveness(1_000_001, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
      test.encoder.deletion(DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME, false);
      test.encoder.column(0);
      test.encoder.cell(
          1_000_001,
          DeletionTime.NO_TTL,
          DeletionTime.NO_DELETION_TIME,
          new byte[0],
          0,
          0,
          new byte[bytes],
          0,
          bytes);
      return test.wrap(test.encoder.finish(0));
    };
  }

  private static Item marker(ClusteringKind kind, int c, long timestamp) {
    return test ->
        test.wrap(
            test.encoder.marker(
                clustering(kind, c), timestamp, 1_700_000_001, timestamp, 1_700_000_001, 0));
  }

  private Unfiltered wrap(EncodedUnfiltered encoded) throws IOException {
    encoded.wrapWith(unfiltered);
    return unfiltered;
  }

  private static Clustering clustering(ClusteringKind kind, int c) {
    return Clustering.of(
        kind, ENCODING, List.of(ByteBuffer.allocate(Integer.BYTES).putInt(c).array()));
  }

  private static PartitionKey key(int k) {
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(k).array();
    return PartitionKey.of(bytes, Partitioner.MURMUR3.token(bytes, 0, bytes.length));
  }

  private static List<Item> rows(int bytes, int... clusterings) {
    return IntStream.of(clusterings).mapToObj(c -> row(c, bytes)).toList();
  }

  private SSTable write(List<Item> items) throws IOException {
    SSTableWriterOptions options =
        SSTableWriterOptions.builder()
            .compression(CompressionOptions.NONE)
            .columnIndexSizeBytes(1024)
            .build();
    try (SSTableWriter writer =
        ModelTables.unverifiedWriter(
            disk, DESCRIPTOR, ENCODING.header(), Partitioner.MURMUR3, options, memory)) {
      writer.startPartition(key(1), DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
      for (Item item : items) {
        writer.add(item.encode(this));
      }
      writer.endPartition();
      writer.commit();
    }
    return SSTable.open(disk, DESCRIPTOR, SSTableOptions.DEFAULT, memory);
  }

  private static List<Integer> shown(PartitionCursor cursor) throws IOException {
    List<Integer> shown = new ArrayList<>();
    cursor.nextPartition();
    while (cursor.nextUnfiltered()) {
      Clustering at = cursor.unfiltered().clustering();
      if (!cursor.unfiltered().isMarker()) {
        shown.add(ByteBuffer.wrap(at.value(0)).getInt());
      }
    }
    return shown;
  }

  private static List<Integer> read(PartitionReader reader, Slice slice, boolean isReversed)
      throws IOException {
    assertThat(reader.seek(key(1), List.of(slice), isReversed)).isTrue();
    return shown(reader);
  }

  private void assertRefused(List<Item> items, String reason) throws IOException {
    try (SSTable table = write(items);
        PartitionReader reader = table.reader()) {
      assertThatThrownBy(
              () -> {
                try (DataCursor scan = table.scan()) {
                  shown(scan);
                }
              })
          .isInstanceOfSatisfying(
              CorruptSSTableException.class, e -> assertThat(e.offset()).isPositive())
          .hasMessageContaining(DESCRIPTOR + "-Data.db")
          .hasMessageContaining(reason)
          .hasMessageContaining("scrub");
      for (boolean isReversed : new boolean[] {false, true}) {
        assertThatThrownBy(() -> read(reader, Slice.all(ENCODING), isReversed))
            .isInstanceOf(CorruptSSTableException.class);
      }
      assertThatThrownBy(
              () -> {
                reader.seekFrom(key(1));
                shown(reader);
              })
          .isInstanceOf(CorruptSSTableException.class);
      assertThatThrownBy(() -> new SSTableVerifier(table).verify(position -> {}))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining(reason);
    }
  }

  @Test
  void aRowThatLiesBehindAGreaterOneIsRefused() throws IOException {
    assertRefused(rows(4, 1, 2, 0, 4, 5, 6, 7), "are out of order");
  }

  @Test
  void whoeverPassesOverAPartitionSeesItToo() throws IOException {
    try (SSTable table = write(rows(4, 1, 2, 0, 4, 5, 6, 7));
        DataCursor scan = table.scan()) {
      scan.nextPartition();
      assertThatThrownBy(scan::nextPartition)
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining("are out of order");
    }
  }

  @Test
  void aHeadThatIsReadAgainIsNoDuplicate() throws IOException {
    try (SSTable table = write(rows(4, 1, 2, 3));
        DataCursor scan = table.scan()) {
      scan.nextPartition();
      assertThat(scan.nextUnfiltered()).isTrue();
      assertThat(scan.peek()).isTrue();
      assertThat(scan.peek()).isTrue();
      assertThat(scan.nextPartition()).isFalse();
    }
  }

  @Test
  void aRowThatIsThereTwiceIsRefused() throws IOException {
    assertRefused(rows(4, 1, 2, 2, 3), "is there twice");
  }

  @Test
  void aRangeThatBeginsWithinAnotherIsRefused() throws IOException {
    assertRefused(
        List.of(
            row(1, 4),
            marker(ClusteringKind.INCL_START_BOUND, 2, 2_000_000),
            marker(ClusteringKind.INCL_START_BOUND, 3, 2_000_000),
            marker(ClusteringKind.INCL_END_BOUND, 4, 2_000_000)),
        "within a range");
  }

  @Test
  void aRangeThatEndsWithoutABeginningIsRefused() throws IOException {
    assertRefused(
        List.of(row(1, 4), marker(ClusteringKind.INCL_END_BOUND, 4, 2_000_000), row(5, 4)),
        "outside of a range");
  }

  @Test
  void aRangeWithoutAnEndIsRefused() throws IOException {
    assertRefused(
        List.of(row(1, 4), marker(ClusteringKind.INCL_START_BOUND, 4, 2_000_000), row(5, 4)),
        "has no end");
  }

  @Test
  void aRangeWhoseEndsHaveDifferentTimestampsIsRefused() throws IOException {
    assertRefused(
        List.of(
            row(1, 4),
            marker(ClusteringKind.INCL_START_BOUND, 4, 2_000_000),
            marker(ClusteringKind.INCL_END_BOUND, 5, 2_000_001)),
        "begins with timestamp 2000000 and ends with 2000001");
  }

  /** Of each slice of a wide partition: what is there, or an exception. */
  @Test
  void readsOfAWidePartitionShowWhatIsThereOrThrow() throws IOException {
    int count = 200;
    for (int misplaced : new int[] {3, 50, 120, 197}) {
      for (int as : new int[] {0, 100_000}) {
        int[] clusterings = IntStream.range(1, count).map(i -> 10 * i).toArray();
        clusterings[misplaced] = as == 0 ? 1 : as;
        for (String name : disk.files()) {
          disk.delete(name);
        }
        int refused = 0;
        try (SSTable table = write(rows(100, clusterings));
            PartitionReader reader = table.reader()) {
          for (boolean isReversed : new boolean[] {false, true}) {
            for (int c = 10; c < 10 * count; c += 10) {
              if (c == 10 * (misplaced + 1)) {
                continue;
              }
              Slice one =
                  new Slice(
                      clustering(ClusteringKind.INCL_START_BOUND, c),
                      clustering(ClusteringKind.INCL_END_BOUND, c));
              try {
                assertThat(read(reader, one, isReversed)).as("row %s", c).containsExactly(c);
              } catch (CorruptSSTableException e) {
                refused++;
              }
            }
            assertThatThrownBy(() -> read(reader, Slice.all(ENCODING), isReversed))
                .isInstanceOf(CorruptSSTableException.class);
          }
          assertThat(refused).isPositive();
        }
      }
    }
  }
}
