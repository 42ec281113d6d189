package io.siltstone.sstable;

import static io.siltstone.cursor.ClusteringKind.CLUSTERING;
import static io.siltstone.cursor.ClusteringKind.EXCL_START_BOUND;
import static io.siltstone.cursor.ClusteringKind.INCL_END_BOUND;
import static io.siltstone.sstable.SimpleTable.column;
import static io.siltstone.sstable.SimpleTable.intBytes;
import static io.siltstone.sstable.SimpleTable.key;
import static io.siltstone.sstable.SimpleTable.live;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.Vint;
import io.siltstone.chunk.ByteOutput;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.KeyRange;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Deliberate defects of the writer, each of which is refused at the default level of verification:
 * nothing is committed, and the exception names the file. The defects are put between the parts of
 * the writer, by changes of the bytes that a sound writer makes.
 */
class WriterDefectsTest {
  private static final FormatVersion VERSION = FormatVersion.OA;
  private static final Descriptor DESCRIPTOR = Descriptor.of(VERSION, 1);
  private static final CompressionOptions SMALL_CHUNKS =
      CompressionOptions.fromMap(Map.of("class", "LZ4Compressor", "chunk_length_in_kb", "1"));

  private static final SerializationHeader HEADER =
      new SerializationHeader(
          CqlTypes.BLOB,
          List.of(CqlTypes.INT),
          List.of(new HeaderColumn("s", CqlTypes.BLOB)),
          List.of(
              new HeaderColumn("a", CqlTypes.INT),
              new HeaderColumn("b", CqlTypes.BLOB),
              new HeaderColumn("c", CqlTypes.INT)),
          EncodingStats.NONE);

  /** Where a row or marker of the sound file lies. */
  private record Place(long from, long end, long sizeAt, long previousAt, boolean isMarker) {}

  /** Where a partition of the sound file lies; the static row is the first place. */
  private record PartitionPlace(long from, long end, List<Place> places) {}

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final MemoryDirectory disk = new MemoryDirectory();

  private final TableModel model = model();
  private final List<PartitionPlace> partitions = new ArrayList<>();
  private byte[] data;
  private byte[] index;
  private PartitionPlace wide;
  private PartitionPlace narrow;

  private static TableModel model() {
    SimpleTable table = new SimpleTable(VERSION, HEADER);
    List<Item> items = new ArrayList<>();
    for (int c = 0; c < 60; c++) {
      if (c == 20) {
        items.add(table.bound(EXCL_START_BOUND, 19, 5));
      } else if (c == 50) {
        items.add(table.bound(INCL_END_BOUND, 49, 5));
      }
      items.add(row(table, c));
    }
    table.partitionWithStatic(
        key((byte) 1),
        SimpleTable.staticRow(column(0, live(new byte[9]))),
        items.toArray(Item[]::new));
    for (int k = 2; k < 9; k++) {
      table.partition(key((byte) k), row(table, 1), row(table, 2));
    }
    List<Partition> partitions = new ArrayList<>(table.model().partitions());
    Partition last = partitions.get(partitions.size() - 1);
    partitions.set(
        partitions.size() - 1,
        new Partition(
            last.key(),
            new Deletion(SimpleTable.NOW - 5, SimpleTable.NOW_SECONDS),
            last.staticRow(),
            last.items()));
    return new TableModel(HEADER, table.model().partitioner(), partitions);
  }

  /** A row with the first two of three columns. */
  private static Row row(SimpleTable table, int clustering) {
    return SimpleTable.row(
        table.at(CLUSTERING, clustering),
        column(0, live(intBytes(clustering))),
        column(1, live(new byte[40])));
  }

  @BeforeEach
  void writeSoundTable() throws IOException {
    MemoryDirectory sound = new MemoryDirectory();
    ModelTables.write(model, sound, DESCRIPTOR, options(CompressionOptions.NONE), memory);
    data = DamagedTable.content(sound, DESCRIPTOR.fileName(Component.DATA));
    index = DamagedTable.content(sound, DESCRIPTOR.fileName(Component.PRIMARY_INDEX));
    try (SSTable table = SSTable.open(sound, DESCRIPTOR, SSTableOptions.DEFAULT, memory);
        DataCursor cursor = table.scan()) {
      while (cursor.nextPartition()) {
        List<Place> places = new ArrayList<>();
        long from = cursor.partitionPosition();
        while (cursor.nextUnfiltered()) {
          Unfiltered unfiltered = cursor.unfiltered();
          long start = cursor.unfilteredPosition();
          long sizeAt = start + unfiltered.sizeAt() - unfiltered.from();
          places.add(
              new Place(
                  start,
                  start + unfiltered.end() - unfiltered.from(),
                  sizeAt,
                  sizeAt + Vint.lengthFrom(data[(int) sizeAt]),
                  unfiltered.isMarker()));
        }
        partitions.add(new PartitionPlace(from, cursor.position(), places));
      }
    }
    wide = partitions.stream().filter(one -> one.places.size() > 10).findFirst().orElseThrow();
    narrow = partitions.stream().filter(one -> one.places.size() < 4).findFirst().orElseThrow();
  }

  private static SSTableWriterOptions options(CompressionOptions compression) {
    return SSTableWriterOptions.builder()
        .compression(compression)
        .columnIndexSizeBytes(1024)
        .minIndexInterval(2)
        .expectedPartitions(10)
        .build();
  }

  private static OutputSeam ofData(Edits edits) {
    return new OutputSeam() {
      @Override
      ByteOutput data(ByteOutput file) {
        return edits.before(file);
      }
    };
  }

  private static OutputSeam ofIndex(Edits edits) {
    return new OutputSeam() {
      @Override
      WritableFile index(WritableFile file) {
        return edits.before(file);
      }
    };
  }

  private void assertRefused(Component component, OutputSeam seam) throws IOException {
    assertRefused(component, seam, disk, SMALL_CHUNKS);
  }

  private void assertRefused(
      Component component, OutputSeam seam, Directory directory, CompressionOptions compression)
      throws IOException {
    try (SSTableWriter writer =
        SSTableWriter.create(
            directory,
            DESCRIPTOR,
            HEADER,
            model.partitioner(),
            options(compression),
            memory,
            false,
            seam)) {
      assertThatThrownBy(
              () -> {
                ModelTables.write(model, writer);
                writer.commit();
              })
          .isInstanceOf(OutputVerificationException.class)
          .hasMessageContaining(DESCRIPTOR.temporaryFileName(component))
          .hasMessageContaining("expected");
    }
    assertThat(disk.files()).isEmpty();
  }

  @Test
  void withoutADefectTheTableIsCommitted() throws IOException {
    ModelTables.write(model, disk, DESCRIPTOR, options(SMALL_CHUNKS), memory);
    ModelTables.assertHolds(model, disk, DESCRIPTOR, memory);
  }

  /** What is done to a place of the data. */
  private enum DataDefect {
    STALE_ARRAY,
    SIZE_TOO_LARGE,
    SIZE_TOO_SMALL,
    WRONG_PREVIOUS_SIZE,
    WRONG_COLUMN_BITMAP,
    COLUMNS_BEYOND_THE_HEADER,
    LOST_START_MARKER,
    LOST_END_MARKER,
    MARKER_OF_WRONG_KIND,
    MARKER_OF_WRONG_DELETION,
    CELL_LENGTH_TOO_LARGE,
    CELL_VALUE_TOO_SHORT,
    UNKNOWN_CELL_FLAG,
    ROW_FLAG_LOST,
    SWAPPED_ROWS,
    DUPLICATE_ROW,
    LOST_ROW,
    LOST_LAST_ROW,
    LOST_STATIC_ROW,
    NO_END_OF_PARTITION,
    LOST_PARTITION,
    DUPLICATE_PARTITION,
    WRONG_KEY,
    WRONG_KEY_LENGTH,
    WRONG_DELETION_FRAMING,
    WRONG_DELETION_TIME,
    LOST_END_OF_FILE,
    BYTE_TOO_MANY
  }

  @ParameterizedTest
  @EnumSource(DataDefect.class)
  void aDefectOfTheDataIsRefused(DataDefect defect) throws IOException {
    assertRefused(Component.DATA, ofData(edits(defect)));
  }

  private Edits edits(DataDefect defect) {
    Edits edits = new Edits();
    Place row = wide.places.get(5);
    Place next = wide.places.get(6);
    Place start = wide.places.stream().filter(Place::isMarker).findFirst().orElseThrow();
    Place end = wide.places.stream().filter(Place::isMarker).skip(1).findFirst().orElseThrow();
    PartitionPlace last = partitions.get(partitions.size() - 1);
    // A row: size, previous size, columns, then the first cell's flags.
    int columnsAt = (int) row.previousAt + Vint.lengthFrom(data[(int) row.previousAt]) + 1;
    return switch (defect) {
      case STALE_ARRAY -> edits.set(row.from, new byte[(int) (row.end - row.from)]);
      case SIZE_TOO_LARGE -> edits.set(row.sizeAt, data[(int) row.sizeAt] + 1);
      case SIZE_TOO_SMALL -> edits.set(row.sizeAt, data[(int) row.sizeAt] - 1);
      case WRONG_PREVIOUS_SIZE -> edits.set(row.previousAt, data[(int) row.previousAt] ^ 1);
      case WRONG_COLUMN_BITMAP -> edits.set(columnsAt, 0b001);
      case COLUMNS_BEYOND_THE_HEADER -> edits.set(columnsAt, 0b1100);
      case LOST_START_MARKER -> edits.delete(start.from, start.end);
      case LOST_END_MARKER -> edits.delete(end.from, end.end);
      case MARKER_OF_WRONG_KIND -> edits.set(start.from + 1, INCL_END_BOUND.code());
      case MARKER_OF_WRONG_DELETION ->
          edits.set(end.previousAt + 1, data[(int) end.previousAt + 1] ^ 1);
      case CELL_LENGTH_TOO_LARGE -> edits.set(row.end - 41, 41);
      case CELL_VALUE_TOO_SHORT -> edits.delete(row.end - 1, row.end);
      case UNKNOWN_CELL_FLAG -> edits.set(columnsAt + 1, data[columnsAt + 1] | 0x20);
      case ROW_FLAG_LOST -> edits.set(row.from, data[(int) row.from] & ~0x04);
      case SWAPPED_ROWS -> edits.set(row.from, bytes(next)).set(next.from, bytes(row));
      case DUPLICATE_ROW -> edits.insert(row.end, bytes(row));
      case LOST_ROW -> edits.delete(row.from, row.end);
      case LOST_LAST_ROW -> {
        Place lastRow = narrow.places.get(narrow.places.size() - 1);
        yield edits.delete(lastRow.from, lastRow.end);
      }
      case LOST_STATIC_ROW -> edits.delete(wide.places.get(0).from, wide.places.get(0).end);
      case NO_END_OF_PARTITION -> edits.delete(narrow.end - 1, narrow.end);
      case LOST_PARTITION -> edits.delete(narrow.from, narrow.end);
      case DUPLICATE_PARTITION ->
          edits.insert(narrow.end, Arrays.copyOfRange(data, (int) narrow.from, (int) narrow.end));
      case WRONG_KEY -> edits.set(last.from + 2, data[(int) last.from + 2] ^ 0x40);
      case WRONG_KEY_LENGTH -> edits.set(narrow.from + 1, 2);
      case WRONG_DELETION_FRAMING -> edits.set(narrow.from + 3, 0x81);
      case WRONG_DELETION_TIME -> edits.set(last.from + 3 + 11, data[(int) last.from + 14] ^ 1);
      case LOST_END_OF_FILE -> edits.delete(data.length - 7, data.length);
      case BYTE_TOO_MANY -> edits.insert(data.length - 1, (byte) 1);
    };
  }

  private byte[] bytes(Place place) {
    return Arrays.copyOfRange(data, (int) place.from, (int) place.end);
  }

  /** What is done to the index. */
  private enum IndexDefect {
    SHIFTED_ENTRY,
    WRONG_KEY,
    LOST_ENTRY,
    DUPLICATE_ENTRY,
    WRONG_HEADER_LENGTH,
    WRONG_FIRST_CLUSTERING,
    WRONG_LAST_CLUSTERING,
    WRONG_BLOCK_OFFSET,
    WRONG_BLOCK_WIDTH,
    WRONG_PARTITION_DELETION,
    WRONG_OPEN_TOMBSTONE,
    WRONG_OFFSET_OF_BLOCK,
    LOST_END_OF_FILE
  }

  @ParameterizedTest
  @EnumSource(IndexDefect.class)
  void aDefectOfTheIndexIsRefused(IndexDefect defect) throws IOException {
    assertRefused(Component.PRIMARY_INDEX, ofIndex(edits(defect)));
  }

  private Edits edits(IndexDefect defect) {
    Edits edits = new Edits();
    // Keys have one byte; entries without blocks are: length, key, position, 0.
    int wideAt = indexOf(wide);
    int narrowAt = indexOf(narrow);
    int narrowEnd = narrowAt + 3 + Vint.lengthFrom(index[narrowAt + 3]) + 1;
    int sizeAt = wideAt + 3 + Vint.lengthFrom(index[wideAt + 3]);
    int bodyAt = sizeAt + Vint.lengthFrom(index[sizeAt]);
    int bodyEnd = bodyAt + (int) Vint.read(index, sizeAt);
    int headerBytes = Vint.lengthFrom(index[bodyAt]);
    int deletionAt = bodyAt + headerBytes;
    // No deletion takes a byte, the count another. A block: two clusterings of kind, header and
    // four bytes each.
    int firstAt = deletionAt + 2;
    int lastAt = firstAt + 6;
    int offsetAt = lastAt + 6;
    int widthAt = offsetAt + Vint.lengthFrom(index[offsetAt]);
    return switch (defect) {
      case SHIFTED_ENTRY -> {
        byte[] shifted = new byte[9];
        int length = Vint.write(shifted, 0, Vint.read(index, narrowAt + 3) + 1);
        yield edits.set(narrowAt + 3, Arrays.copyOf(shifted, length));
      }
      case WRONG_KEY -> edits.set(narrowAt + 2, 99);
      case LOST_ENTRY -> edits.delete(narrowAt, narrowEnd);
      case DUPLICATE_ENTRY ->
          edits.insert(narrowEnd, Arrays.copyOfRange(index, narrowAt, narrowEnd));
      case WRONG_HEADER_LENGTH -> edits.set(bodyAt, index[bodyAt] + 1);
      case WRONG_FIRST_CLUSTERING -> edits.set(firstAt + 5, index[firstAt + 5] ^ 1);
      case WRONG_LAST_CLUSTERING -> edits.set(lastAt + 5, index[lastAt + 5] ^ 1);
      case WRONG_BLOCK_OFFSET -> edits.set(offsetAt, index[offsetAt] + 1);
      case WRONG_BLOCK_WIDTH -> {
        int at = widthAt + Vint.lengthFrom(index[widthAt]) - 1;
        yield edits.set(at, index[at] ^ 2);
      }
      case WRONG_PARTITION_DELETION -> {
        byte[] deletion = new byte[12];
        deletion[3] = 7;
        // The size of the body is that of the larger one.
        byte[] size = new byte[9];
        int length = Vint.write(size, 0, bodyEnd - bodyAt + 11);
        assertThat(length).isEqualTo(bodyAt - sizeAt);
        yield edits
            .set(sizeAt, Arrays.copyOf(size, length))
            .delete(deletionAt, deletionAt + 1)
            .insert(deletionAt + 1, deletion);
      }
      case WRONG_OPEN_TOMBSTONE -> edits.set(openAt(firstAt) + 8, 77);
      case WRONG_OFFSET_OF_BLOCK -> edits.set(bodyEnd - 1, index[bodyEnd - 1] ^ 1);
      case LOST_END_OF_FILE -> edits.delete(index.length - 2, index.length);
    };
  }

  private int indexOf(PartitionPlace partition) {
    byte keyByte = data[(int) partition.from + 2];
    for (int at = 0; at < index.length; ) {
      int positionAt = at + 3;
      if (index[at + 2] == keyByte) {
        return at;
      }
      int sizeAt = positionAt + Vint.lengthFrom(index[positionAt]);
      at = sizeAt + Vint.lengthFrom(index[sizeAt]) + (int) Vint.read(index, sizeAt);
    }
    throw new AssertionError("no entry");
  }

  /** Where the deletion of the first open range tombstone stands that a block has. */
  private int openAt(int firstBlockAt) {
    for (int at = firstBlockAt; ; ) {
      for (int prefix = 0; prefix < 2; prefix++) {
        at += index[at] == CLUSTERING.code() ? 6 : 8;
      }
      at += Vint.lengthFrom(index[at]);
      at += Vint.lengthFrom(index[at]);
      if (index[at++] != 0) {
        return at;
      }
    }
  }

  /** A directory in which the file of one component is changed while it is written. */
  private Directory changing(Component component, UnaryOperator<WritableFile> change) {
    return new ForwardingDirectory(disk) {
      @Override
      public WritableFile create(String name, WriteIntent intent) throws IOException {
        WritableFile file = super.create(name, intent);
        return name.equals(DESCRIPTOR.temporaryFileName(component)) ? change.apply(file) : file;
      }
    };
  }

  private byte[] soundFile(Component component, CompressionOptions compression) throws IOException {
    MemoryDirectory sound = new MemoryDirectory();
    ModelTables.write(model, sound, DESCRIPTOR, options(compression), memory);
    return DamagedTable.content(sound, DESCRIPTOR.fileName(component));
  }

  private void assertFlipRefused(Component component, CompressionOptions compression, int at)
      throws IOException {
    byte[] sound = soundFile(component, compression);
    int position = at < 0 ? sound.length + at : at;
    Edits edits = new Edits().set(position, sound[position] ^ 1);
    assertRefused(component, OutputSeam.NONE, changing(component, edits::before), compression);
  }

  @Test
  void aWrongChunkOffsetIsRefused() throws IOException {
    assertFlipRefused(Component.COMPRESSION_INFO, SMALL_CHUNKS, -1);
  }

  @Test
  void aWrongLengthOfTheDataIsRefused() throws IOException {
    int chunks = (data.length + 1023) / 1024;
    assertFlipRefused(
        Component.COMPRESSION_INFO, SMALL_CHUNKS, -(chunks * Long.BYTES) - Integer.BYTES - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, -5, -1})
  void aChunkWithWrongBytesIsRefused(int at) throws IOException {
    assertFlipRefused(Component.DATA, SMALL_CHUNKS, at);
    assertFlipRefused(Component.DATA, CompressionOptions.NONE, at);
  }

  @Test
  void aDataFileThatLacksItsEndIsRefused() throws IOException {
    int length = soundFile(Component.DATA, SMALL_CHUNKS).length;
    Edits edits = new Edits().delete(length - 1, length);
    assertRefused(
        Component.DATA, OutputSeam.NONE, changing(Component.DATA, edits::before), SMALL_CHUNKS);
  }

  @Test
  void aWrongChecksumOfAnUncompressedChunkIsRefused() throws IOException {
    assertFlipRefused(Component.CRC, CompressionOptions.NONE, -1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 7, 40, -1, -6})
  void aWrongSampleFirstOrLastKeyOfTheSummaryIsRefused(int at) throws IOException {
    assertFlipRefused(Component.SUMMARY, SMALL_CHUNKS, at);
  }

  @Test
  void aBitMissingInTheFilterIsRefused() throws IOException {
    byte[] sound = soundFile(Component.FILTER, SMALL_CHUNKS);
    int at = 8;
    while (sound[at] == 0) {
      at++;
    }
    Edits edits = new Edits().set(at, 0);
    assertRefused(
        Component.FILTER, OutputSeam.NONE, changing(Component.FILTER, edits::before), SMALL_CHUNKS);
  }

  /** What is wrong in the statistics. */
  private enum StatisticsDefect {
    LEAST_TIMESTAMP,
    GREATEST_TIMESTAMP,
    GREATEST_DELETION_TIME,
    ROWS,
    PARTITION_DELETIONS,
    KEYS
  }

  @ParameterizedTest
  @EnumSource(StatisticsDefect.class)
  void statisticsThatDoNotEncloseTheContentAreRefused(StatisticsDefect defect) throws IOException {
    assertRefused(
        Component.STATISTICS,
        new OutputSeam() {
          @Override
          Statistics statistics(Statistics collected) {
            return collected.withStats(wrong(collected.stats(), defect));
          }
        });
  }

  private static StatsMetadata wrong(StatsMetadata s, StatisticsDefect defect) {
    KeyRange keys = s.keyRange().orElseThrow();
    StatsMetadata.Counts counts = s.counts();
    StatsMetadata.Times times = s.times();
    return new StatsMetadata(
        new StatsMetadata.Counts(
            counts.partitionSizes(),
            counts.cellsPerPartition(),
            counts.columnsSet(),
            counts.rows() - (defect == StatisticsDefect.ROWS ? 1 : 0)),
        new StatsMetadata.Times(
            times.minTimestamp() + (defect == StatisticsDefect.LEAST_TIMESTAMP ? 1 : 0),
            times.maxTimestamp() - (defect == StatisticsDefect.GREATEST_TIMESTAMP ? 1 : 0),
            times.minLocalDeletionTime(),
            defect == StatisticsDefect.GREATEST_DELETION_TIME
                ? SimpleTable.NOW_SECONDS + 10
                : times.maxLocalDeletionTime(),
            times.minTtl(),
            times.maxTtl(),
            times.tombstoneTimes()),
        s.coveredClustering(),
        new StatsMetadata.Markers(
            s.hasPartitionDeletions() && defect != StatisticsDefect.PARTITION_DELETIONS,
            s.hasLegacyCounterShards()),
        new StatsMetadata.KeySpan(
            defect == StatisticsDefect.KEYS
                ? Optional.of(new KeyRange(keys.last(), keys.last()))
                : s.keyRange(),
            s.tokenSpaceCoverage()),
        s.compressionRatio(),
        s.level(),
        s.repair(),
        s.commitLog());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKeyThatComesWithAnotherTokenIsRefused(boolean isWide) throws IOException {
    List<Partition> wrong = new ArrayList<>(model.partitions());
    int at = partitions.indexOf(isWide ? wide : narrow);
    Partition sound = wrong.get(at);
    PartitionKey key = sound.key();
    wrong.set(
        at,
        new Partition(
            PartitionKey.of(key.toByteArray(), key.token() + 1),
            sound.deletion(),
            sound.staticRow(),
            sound.items()));
    try (SSTableWriter writer =
        SSTableWriter.create(
            disk,
            DESCRIPTOR,
            HEADER,
            model.partitioner(),
            options(SMALL_CHUNKS),
            memory,
            false,
            OutputSeam.NONE)) {
      assertThatThrownBy(
              () -> {
                ModelTables.write(new TableModel(HEADER, model.partitioner(), wrong), writer);
                writer.finish();
              })
          .isInstanceOf(OutputVerificationException.class)
          .hasMessageContaining("the token " + key.token());
    }
  }

  /** The keys of the merge are those that the index has; the writer is given them again here. */
  @Test
  void theKeysOfTheTableAreThoseThatWereGiven() throws IOException {
    try (SSTableWriter writer =
        SSTableWriter.create(
            disk,
            DESCRIPTOR,
            HEADER,
            model.partitioner(),
            options(SMALL_CHUNKS),
            memory,
            false,
            OutputSeam.NONE)) {
      ModelTables.write(model, writer);
      writer.finish();
      long expected = 0;
      for (Partition partition : model.partitions()) {
        PartitionKey key = partition.key();
        expected += key.longHash();
      }
      assertThat(writer.keysHash()).isEqualTo(expected);
    }
  }
}
