package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.siltstone.bytes.BigEndian;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * One wide partition is written, scanned, copied, transcoded and read both ways without anything
 * allocated per row. {@code -Dsiltstone.rows=30000000} makes a campaign of it.
 */
class AllocationTest {
  private static final int ROWS = Integer.getInteger("siltstone.rows", 100_000);

  /** What is made once for each table is made by then. */
  private static final int WARM_UP = 1000;

  /** What the steps may allocate in all, buffers that grow included. */
  private static final long FEW_BYTES = 1 << 20;

  private static final int TABLES = 50;
  private static final long FEW_FOR_A_WRITER = 4 << 10;
  private static final long FEW_FOR_A_TABLE = 64 << 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final PartitionKey key = SimpleTable.key((byte) 1);
  @TempDir Path folder;
  private Directory directory;
  private FormatVersion version = FormatVersion.OA;
  private CompressionOptions compression = CompressionOptions.DEFAULT;

  @BeforeEach
  void openDirectory() throws IOException {
    directory = NioDirectory.open(folder);
  }

  private static SerializationHeader header(EncodingStats stats) {
    return new SerializationHeader(
        CqlTypes.BLOB,
        List.of(CqlTypes.INT),
        List.of(),
        List.of(
            new HeaderColumn("a", CqlTypes.BIGINT),
            new HeaderColumn("b", CqlTypes.TEXT),
            new HeaderColumn("m", CqlTypes.map(CqlTypes.INT, CqlTypes.INT))),
        stats);
  }

  private SSTableWriter writer(int generation, EncodingStats stats) throws IOException {
    return SSTableWriter.create(
        directory,
        Descriptor.of(version, generation),
        header(stats),
        Partitioner.MURMUR3,
        SSTableWriterOptions.builder().compression(compression).expectedPartitions(1).build(),
        memory);
  }

  private SSTable open(int generation) throws IOException {
    return SSTable.open(
        directory, Descriptor.of(version, generation), SSTableOptions.DEFAULT, memory);
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void assertAllocatesNothingPerRow(String what, Step step) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    step.run();
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).as("bytes allocated by %s of %s rows", what, ROWS).isLessThan(FEW_BYTES);
  }

  @Test
  void nothingIsAllocatedPerRow() throws IOException {
    try (SSTableWriter writer = writer(1, EncodingStats.NONE)) {
      RowSource rows = new RowSource(writer);
      writer.startPartition(key, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
      rows.write(0, WARM_UP);
      assertAllocatesNothingPerRow("writing", () -> rows.write(WARM_UP, ROWS));
      writer.endPartition();
      writer.commit();
    }
    try (SSTable table = open(1);
        PartitionReader reader = table.reader()) {
      try (DataCursor scan = table.scan()) {
        assertAllocatesNothingPerRow("a scan", () -> assertThat(rows(scan)).isEqualTo(ROWS));
      }
      // The first read of a process links the partial decoder of LZ4, from Java 22 on.
      assertThat(read(reader, table, false)).isEqualTo(ROWS);
      assertAllocatesNothingPerRow(
          "a forward read", () -> assertThat(read(reader, table, false)).isEqualTo(ROWS));
      assertAllocatesNothingPerRow(
          "a reversed read", () -> assertThat(read(reader, table, true)).isEqualTo(ROWS));
      copy(table, 2, EncodingStats.NONE, "copying");
      EncodingStats others =
          new EncodingStats(
              EncodingStats.TIMESTAMP_EPOCH - 77, EncodingStats.DELETION_TIME_EPOCH, 0);
      copy(table, 3, others, "transcoding");
    }
  }

  /**
   * Nothing is allocated per chunk either, of which there are many of 4 KiB. From Java 22 on,
   * zstd-jni makes two memory segments for each call, until the second compiler has compiled it.
   */
  @EnabledForJreRange(max = JRE.JAVA_21)
  @Test
  void norWithACompressionDictionary() throws IOException {
    version = FormatVersion.PA;
    CompressionOptions plain =
        CompressionOptions.fromMap(
            Map.of("class", "ZstdDictionaryCompressor", "chunk_length_in_kb", "4"));
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      samples.add(
          ("a row has value " + i * 7_919 + " and text").getBytes(StandardCharsets.US_ASCII));
    }
    compression =
        plain.withDictionary(
            CompressionDictionary.train(samples, plain, System.currentTimeMillis()));
    nothingIsAllocatedPerRow();
    try (SSTable table = open(1)) {
      assertThat(table.compression().dictionary()).isEqualTo(compression.dictionary());
    }
  }

  /** A compaction into many tables keeps all their writers until the last one is finished. */
  @Test
  void finishedWritersKeepLittleOnTheHeap() throws IOException {
    long kept = keptBy(this::finished);

    assertThat(kept).as("bytes on the heap for each finished writer").isLessThan(FEW_FOR_A_WRITER);
  }

  @Test
  void openTablesKeepLittleOnTheHeap() throws IOException {
    for (int i = 0; i < TABLES; i++) {
      try (SSTableWriter writer = finished(i)) {
        writer.publish();
      }
    }

    long kept = keptBy(this::open);

    assertThat(kept).as("bytes on the heap for each open table").isLessThan(FEW_FOR_A_TABLE);
  }

  private interface Maker {
    Closeable make(int generation) throws IOException;
  }

  /**
   * The heap that goes when things go, for each: what else has come and stays, from other threads
   * too, is there before and after.
   */
  private static long keptBy(Maker maker) throws IOException {
    List<Closeable> things = new ArrayList<>();
    try {
      for (int i = 0; i < TABLES; i++) {
        things.add(maker.make(i));
      }
      long with = usedHeap();
      for (Closeable thing : things) {
        thing.close();
      }
      things.clear();
      return (with - usedHeap()) / TABLES;
    } finally {
      for (Closeable thing : things) {
        thing.close();
      }
    }
  }

  private SSTableWriter finished(int generation) throws IOException {
    SSTableWriter writer =
        SSTableWriter.createPart(
            directory,
            Descriptor.of(FormatVersion.OA, generation),
            header(EncodingStats.NONE),
            Partitioner.MURMUR3,
            SSTableWriterOptions.builder().expectedPartitions(1).build(),
            memory);
    writer.startPartition(key, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
    new RowSource(writer).write(0, 4 * WARM_UP);
    writer.endPartition();
    writer.finish();
    return writer;
  }

  private static long usedHeap() {
    // More than once, as what a first collection finds unreachable may hold more until it is
    // cleaned; the least, as other threads allocate.
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private void copy(SSTable table, int generation, EncodingStats stats, String what)
      throws IOException {
    try (DataCursor scan = table.scan();
        SSTableWriter writer = writer(generation, stats)) {
      assertThat(scan.nextPartition()).isTrue();
      writer.startPartition(scan.key(), scan.deletionTimestamp(), scan.deletionLocalTime());
      for (int i = 0; i < WARM_UP; i++) {
        assertThat(scan.nextUnfiltered()).isTrue();
        writer.add(scan.unfiltered());
      }
      assertAllocatesNothingPerRow(
          what,
          () -> {
            while (scan.nextUnfiltered()) {
              writer.add(scan.unfiltered());
            }
          });
      writer.endPartition();
      writer.commit();
    }
    try (SSTable copy = open(generation);
        DataCursor scan = copy.scan()) {
      assertThat(rows(scan)).isEqualTo(ROWS);
    }
  }

  private static int read(PartitionReader reader, SSTable table, boolean reversed)
      throws IOException {
    assertThat(reader.seek(table.firstKey(), List.of(Slice.all(table.encoding())), reversed))
        .isTrue();
    return rows(reader);
  }

  private static int rows(PartitionCursor cursor) throws IOException {
    int rows = 0;
    while (cursor.nextPartition()) {
      while (cursor.nextUnfiltered()) {
        Unfiltered row = cursor.unfiltered();
        while (row.nextColumn()) {
          while (row.nextCell()) {
            rows += row.columnIndex() == 0 ? 1 : 0;
          }
        }
      }
    }
    return rows;
  }

  /** Encodes rows and hands them to a writer. */
  private static final class RowSource {
    private final SSTableWriter writer;
    private final UnfilteredEncoder encoder;
    private final Unfiltered row;
    private final byte[] number = new byte[Long.BYTES];
    private final byte[] text = new byte[20];

    RowSource(SSTableWriter writer) {
      this.writer = writer;
      RowEncoding encoding = new RowEncoding(header(EncodingStats.NONE), true);
      this.encoder = new UnfilteredEncoder(encoding);
      ByteOrigin origin = (index, reason) -> new IOException(reason);
      this.row = new Unfiltered(encoding, origin);
    }

    void write(int from, int to) throws IOException {
      long never = DeletionTime.NO_DELETION_TIME;
      for (int i = from; i < to; i++) {
        long now = SimpleTable.NOW + i;
        BigEndian.putInt(number, 0, i);
        text[i % text.length] = (byte) ('a' + i % 7);
        encoder.beginRow();
        encoder.clusteringValue(number, 0, Integer.BYTES);
        encoder.liveness(now, DeletionTime.NO_TTL, never);
        encoder.column(0);
        encoder.cell(now, 0, never, number, 0, 0, number, 0, Long.BYTES);
        encoder.column(1);
        encoder.cell(now, 0, never, number, 0, 0, text, 0, text.length);
        if (i % 5 == 0) {
          encoder.column(2);
          encoder.complexDeletion(now - 1, SimpleTable.NOW_SECONDS);
          encoder.cell(now, 0, never, number, 0, 4, number, 0, 4);
        }
        encoder.finish(0).wrapWith(row);
        writer.add(row);
      }
    }
  }
}
