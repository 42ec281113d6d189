package io.siltstone.sstable;

import static io.siltstone.cursor.ClusteringKind.CLUSTERING;
import static io.siltstone.cursor.ClusteringKind.EXCL_END_BOUND;
import static io.siltstone.cursor.ClusteringKind.EXCL_END_INCL_START_BOUNDARY;
import static io.siltstone.cursor.ClusteringKind.EXCL_START_BOUND;
import static io.siltstone.cursor.ClusteringKind.INCL_END_BOUND;
import static io.siltstone.cursor.ClusteringKind.INCL_END_EXCL_START_BOUNDARY;
import static io.siltstone.cursor.ClusteringKind.INCL_START_BOUND;
import static io.siltstone.sstable.SimpleTable.NOTHING;
import static io.siltstone.sstable.SimpleTable.NOW;
import static io.siltstone.sstable.SimpleTable.NOW_SECONDS;
import static io.siltstone.sstable.SimpleTable.column;
import static io.siltstone.sstable.SimpleTable.deleted;
import static io.siltstone.sstable.SimpleTable.key;
import static io.siltstone.sstable.SimpleTable.live;
import static io.siltstone.sstable.SimpleTable.staticRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.BigEndian;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.UnwritableException;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Column;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Marker;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is easy to get wrong in the format, one test each. */
class KnownTrapsTest {
  private static final CompressionOptions SMALL_CHUNKS =
      CompressionOptions.fromMap(Map.of("class", "LZ4Compressor", "chunk_length_in_kb", "1"));

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final MemoryDirectory disk = new MemoryDirectory();
  private final SimpleTable table = new SimpleTable(FormatVersion.OA);

  private static Descriptor descriptor(FormatVersion version) {
    return Descriptor.of(version, 1);
  }

  private void write(TableModel model, FormatVersion version, CompressionOptions compression)
      throws IOException {
    SSTableWriterOptions options =
        SSTableWriterOptions.builder()
            .compression(compression)
            .columnIndexSizeBytes(1024)
            .expectedPartitions(10)
            .build();
    ModelTables.write(model, disk, descriptor(version), options, memory);
  }

  /** Writes the table, and reads it in all ways. */
  private void assertReadsBack(TableModel model, FormatVersion version) throws IOException {
    write(model, version, SMALL_CHUNKS);
    assertReads(model, version);
  }

  private void assertReads(TableModel model, FormatVersion version) throws IOException {
    ModelTables.assertHolds(model, disk, descriptor(version), memory);
    for (Partition partition : model.partitions()) {
      for (Item item : partition.items()) {
        if (item instanceof Row) {
          assertSlices(model, partition, version, Slice.of(item.clustering()));
        }
      }
    }
  }

  private void assertSlices(
      TableModel model, Partition partition, FormatVersion version, Slice... slices)
      throws IOException {
    try (SSTable opened = SSTable.open(disk, descriptor(version), SSTableOptions.DEFAULT, memory);
        PartitionReader reader = opened.reader()) {
      for (boolean reversed : new boolean[] {false, true}) {
        assertThat(ModelTables.read(reader, partition.key(), List.of(slices), reversed))
            .as("%s, reversed: %s", Arrays.toString(slices), reversed)
            .isEqualTo(model.read(partition, List.of(slices), reversed));
      }
    }
  }

  private static Clustering empty(SimpleTable of) {
    return Clustering.of(CLUSTERING, of.encoding(), List.of());
  }

  /** Source: Cassandra {@code Cell.Serializer}: IS_DELETED with HAS_EMPTY_VALUE. */
  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"NB", "OA"})
  void aDeletedCellWithoutValueSaysSoInItsFlags(FormatVersion version) throws IOException {
    Row row = SimpleTable.row(table.at(CLUSTERING, 1), column(0, deleted(NOW_SECONDS)));
    TableModel model = table.partition(key((byte) 1), row).model();
    write(model, version, CompressionOptions.NONE);
    byte[] data = DamagedTable.content(disk, descriptor(version).fileName(Component.DATA));
    // The row's last bytes: flags (deleted, empty, row's timestamp), local deletion time; the end.
    assertThat(Arrays.copyOfRange(data, data.length - 3, data.length))
        .containsExactly(0x01 | 0x04 | 0x08, 0, 1);
    assertReads(model, version);
  }

  /** Source: CASSANDRA-14092: a TTL that reached behind the format's end left invalid times. */
  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"NB", "OA"})
  void invalidDeletionTimesStayWhatTheyAre(FormatVersion version) throws IOException {
    long invalid = DeletionTime.INVALID_DELETION_TIME;
    Deletion deletion = new Deletion(NOW, invalid);
    SimpleTable table = new SimpleTable(version);
    Cell expiring = new Cell(NOTHING, NOW + 1, 630_720_000, invalid, new byte[] {7});
    Row row =
        new Row(
            table.at(CLUSTERING, 1),
            NOW + 1,
            630_720_000,
            invalid,
            deletion,
            List.of(column(0, expiring)));
    assertReadsBack(
        table
            .partition(
                key((byte) 1),
                row,
                new Marker(table.at(INCL_START_BOUND, 2), deletion, deletion),
                new Marker(table.at(INCL_END_BOUND, 3), deletion, deletion))
            .model(),
        version);
  }

  /** Else its table could not be compacted, nor scrubbed. */
  @ParameterizedTest
  @EnumSource(names = {"NB", "OA"})
  void anInvalidDeletionOfAPartitionStaysWhatItIs(FormatVersion version) throws IOException {
    TableModel simple = new SimpleTable(version).model();
    Deletion deletion = new Deletion(NOW, DeletionTime.INVALID_DELETION_TIME);
    assertReadsBack(
        new TableModel(
            simple.header(),
            simple.partitioner(),
            List.of(new Partition(key((byte) 1), deletion, null, List.of()))),
        version);
  }

  /** Source: CASSANDRA-14227: local deletion times are unsigned from version oa on. */
  @Test
  void localDeletionTimesBeyond2038AreUnsignedInOa() throws IOException {
    long late = 3_500_000_000L;
    Row row = SimpleTable.row(table.at(CLUSTERING, 1), column(0, deleted(late)));
    Deletion deletion = new Deletion(NOW, DeletionTime.MAX_DELETION_TIME);
    TableModel simple = table.partition(key((byte) 1), row).model();
    TableModel model =
        new TableModel(
            simple.header(),
            simple.partitioner(),
            List.of(new Partition(key((byte) 1), deletion, null, List.of(row))));
    assertReadsBack(model, FormatVersion.OA);
  }

  /**
   * Source: Cassandra {@code BigFormat.BigVersion}, {@code Cell.MAX_DELETION_TIME_2038_LEGACY_CAP}.
   */
  @Test
  void localDeletionTimesBeyond2038AreRefusedInNb() {
    SimpleTable old = new SimpleTable(FormatVersion.NB);
    Row row = SimpleTable.row(old.at(CLUSTERING, 1), column(0, deleted(3_500_000_000L)));
    assertThatThrownBy(
            () -> assertReadsBack(old.partition(key((byte) 1), row).model(), FormatVersion.NB))
        .isInstanceOf(UnwritableException.class)
        .hasMessageContaining("3500000000")
        .hasMessageContaining(Long.toString(FormatVersion.NB.maxLocalDeletionTime()));
    Deletion late = new Deletion(NOW, 3_500_000_000L);
    TableModel model =
        new TableModel(
            old.model().header(),
            Partitioner.MURMUR3,
            List.of(new Partition(key((byte) 1), late, null, List.of())));
    assertThatThrownBy(() -> assertReadsBack(model, FormatVersion.NB))
        .isInstanceOf(UnwritableException.class)
        .hasMessageContaining("3500000000")
        .hasMessageContaining(Long.toString(FormatVersion.NB.maxLocalDeletionTime()));
    assertThat(disk.files()).isEmpty();
  }

  /** Source: Cassandra {@code DeletionTime.Serializer}. */
  @Test
  void deletionsOfPartitionsAtNegativeTimesAreRefusedInOa() throws IOException {
    for (FormatVersion version : List.of(FormatVersion.NB, FormatVersion.OA)) {
      TableModel model =
          new TableModel(
              new SimpleTable(version).model().header(),
              Partitioner.MURMUR3,
              List.of(new Partition(key((byte) 1), new Deletion(-5, 1), null, List.of())));
      if (version == FormatVersion.NB) {
        assertReadsBack(model, version);
      } else {
        assertThatThrownBy(() -> assertReadsBack(model, version))
            .isInstanceOf(UnwritableException.class)
            .hasMessageContaining("negative timestamp -5");
      }
    }
  }

  /** Source: Cassandra {@code UnfilteredRowIteratorSerializer}: a partition may be static only. */
  @Test
  void aPartitionMayHaveNothingButAStaticRow() throws IOException {
    Row only = staticRow(column(0, live(new byte[] {7})));
    TableModel model =
        table
            .partitionWithStatic(key((byte) 1), only)
            .partition(key((byte) 2), table.row(1, 10))
            .partitionWithStatic(key((byte) 3), staticRow(column(0, deleted(NOW_SECONDS))))
            .model();
    assertReadsBack(model, FormatVersion.OA);
    assertSlices(
        model,
        model.partitions().get(0),
        FormatVersion.OA,
        table.slice(INCL_START_BOUND, 0, INCL_END_BOUND, 9));
  }

  /** Source: Cassandra {@code IndexInfo}: first and last name of a block may be one row. */
  @Test
  void aBlockOfOneHugeRowBeginsAndEndsWithIt() throws IOException {
    Item[] rows = IntStream.range(0, 12).mapToObj(i -> table.row(2 * i, 3000)).toArray(Item[]::new);
    TableModel model = table.partition(key((byte) 1), rows).model();
    assertReadsBack(model, FormatVersion.OA);
    Partition partition = model.partitions().get(0);
    for (int i = -1; i < 24; i++) {
      assertSlices(
          model, partition, FormatVersion.OA, table.slice(INCL_START_BOUND, i, INCL_END_BOUND, i));
      assertSlices(
          model, partition, FormatVersion.OA, table.slice(EXCL_START_BOUND, i, EXCL_END_BOUND, 13));
    }
  }

  /** Source: Cassandra {@code ByteBufferUtil.writeWithShortLength}: lengths are unsigned. */
  @ParameterizedTest
  @ValueSource(ints = {127, 128, 255, 256, 32767, 32768, PartitionKey.MAX_LENGTH})
  void partitionKeysHaveUnsignedLengths(int length) throws IOException {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 0xfe);
    assertReadsBack(
        table
            .partition(key(bytes), table.row(1, 10))
            .partition(key((byte) 1), table.row(2, 10))
            .model(),
        FormatVersion.OA);
  }

  /** Source: Cassandra {@code CollectionType.isMultiCell}: a frozen collection is one value. */
  @Test
  void aFrozenCollectionInTheKeyIsOneValue() throws IOException {
    CqlType list = CqlTypes.list(CqlTypes.INT).frozen();
    SimpleTable frozen =
        new SimpleTable(
            FormatVersion.OA,
            new SerializationHeader(
                CqlTypes.composite(List.of(list, CqlTypes.TEXT)),
                List.of(list),
                List.of(),
                List.of(new HeaderColumn("v", list)),
                EncodingStats.NONE));
    byte[] value = list.encode(List.of(1, 2, 3));
    byte[] key =
        CqlTypes.composite(List.of(list, CqlTypes.TEXT)).encode(List.of(List.of(4, 5), "x"));
    Clustering place = Clustering.of(CLUSTERING, frozen.encoding(), List.of(value));
    assertReadsBack(
        frozen.partition(key(key), SimpleTable.row(place, column(0, live(value)))).model(),
        FormatVersion.OA);
  }

  /** Source: Cassandra {@code UpdateStatement}: only INSERT writes primary key liveness. */
  @Test
  void anUpdatedRowHasNoLivenessAndAnInsertedOneMayHaveATtl() throws IOException {
    int ttl = 3600;
    long until = NOW_SECONDS + ttl;
    Cell expiring = new Cell(NOTHING, NOW, ttl, until, new byte[] {1});
    Row update = SimpleTable.update(table.at(CLUSTERING, 1), column(0, expiring));
    Row insert =
        new Row(
            table.at(CLUSTERING, 2), NOW, ttl, until, Deletion.NONE, List.of(column(0, expiring)));
    Row other =
        new Row(
            table.at(CLUSTERING, 3),
            NOW,
            ttl + 1,
            until + 1,
            Deletion.NONE,
            List.of(column(0, expiring)));
    assertReadsBack(
        table.partition(key((byte) 1), update, insert, other).model(), FormatVersion.OA);
  }

  /**
   * Source: Cassandra {@code Columns.Serializer.serializeSubset}: bits to 63 columns, then lists.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 62, 63, 64, 65, 130})
  void columnsPresentAreBitsAndFrom64OnLists(int count) throws IOException {
    List<HeaderColumn> columns =
        IntStream.range(0, count)
            .mapToObj(i -> new HeaderColumn("c%03d".formatted(i), CqlTypes.BLOB))
            .toList();
    SimpleTable many =
        new SimpleTable(
            FormatVersion.OA,
            new SerializationHeader(
                CqlTypes.BLOB, List.of(CqlTypes.INT), List.of(), columns, EncodingStats.NONE));
    List<Row> rows = new ArrayList<>();
    for (int present :
        new int[] {0, 1, count / 2 - 1, count / 2, count / 2 + 1, count - 1, count}) {
      for (int skip : new int[] {0, count - present}) {
        Column[] some =
            IntStream.range(Math.min(skip, count), Math.min(count, skip + Math.max(0, present)))
                .mapToObj(i -> column(i, live(new byte[] {(byte) i})))
                .toArray(Column[]::new);
        rows.add(SimpleTable.row(many.at(CLUSTERING, rows.size()), some));
      }
    }
    assertReadsBack(
        many.partition(key((byte) 1), rows.toArray(Item[]::new)).model(), FormatVersion.OA);
  }

  /** Source: Cassandra {@code ColumnMetadata.comparisonOrder}: the first bytes as a signed long. */
  @Test
  void columnsWhoseNamesBeginOutsideAsciiComeInCassandrasOrder() throws IOException {
    List<HeaderColumn> columns =
        new ArrayList<>(
            List.of(
                new HeaderColumn("a", CqlTypes.BLOB),
                new HeaderColumn("\u00e9", CqlTypes.BLOB),
                new HeaderColumn("\u65e5\u672c\u8a9e", CqlTypes.BLOB),
                new HeaderColumn("zz", CqlTypes.BLOB)));
    columns.sort(HeaderColumn.CELL_ORDER);
    SimpleTable named =
        new SimpleTable(
            FormatVersion.OA,
            new SerializationHeader(
                CqlTypes.BLOB, List.of(CqlTypes.INT), List.of(), columns, EncodingStats.NONE));
    Column[] all =
        IntStream.range(0, 4)
            .mapToObj(i -> column(i, live(new byte[] {(byte) i})))
            .toArray(Column[]::new);
    Row full = SimpleTable.row(named.at(CLUSTERING, 1), all);
    Row some = SimpleTable.row(named.at(CLUSTERING, 2), all[1], all[3]);
    assertReadsBack(named.partition(key((byte) 1), full, some).model(), FormatVersion.OA);
    try (SSTable opened =
        SSTable.open(disk, descriptor(FormatVersion.OA), SSTableOptions.DEFAULT, memory)) {
      assertThat(opened.header().regularColumns()).isEqualTo(columns);
    }
  }

  /** Source: Cassandra {@code SerializationHeader.writeTimestamp}: deltas wrap around. */
  @Test
  void timestampsBelowTheHeadersBaseTakeNineBytes() throws IOException {
    Item[] rows = {
      atTime(1, NOW - 1),
      atTime(2, 0),
      atTime(3, -1),
      atTime(4, Long.MIN_VALUE + 1),
      atTime(5, Long.MAX_VALUE)
    };
    assertReadsBack(table.partition(key((byte) 1), rows).model(), FormatVersion.OA);
  }

  private Row atTime(int place, long timestamp) {
    Cell cell = new Cell(NOTHING, timestamp - 1, 0, DeletionTime.NO_DELETION_TIME, new byte[1]);
    return new Row(
        table.at(CLUSTERING, place),
        timestamp,
        DeletionTime.NO_TTL,
        DeletionTime.NO_DELETION_TIME,
        Deletion.NONE,
        List.of(column(0, cell)));
  }

  /** Source: Cassandra {@code ClusteringPrefix.Serializer}: two bits for each value. */
  @Test
  void valuesMayBeEmptyAndClusteringsNull() throws IOException {
    SimpleTable texts =
        new SimpleTable(
            FormatVersion.OA,
            new SerializationHeader(
                CqlTypes.BLOB,
                List.of(CqlTypes.TEXT, CqlTypes.reversed(CqlTypes.TEXT)),
                List.of(),
                List.of(new HeaderColumn("v", CqlTypes.BLOB)),
                EncodingStats.NONE));
    byte[] a = {'a'};
    List<Item> rows = new ArrayList<>();
    for (List<byte @Nullable []> values :
        List.of(
            Arrays.<byte @Nullable []>asList(null, null),
            Arrays.<byte @Nullable []>asList(null, a),
            Arrays.<byte @Nullable []>asList(NOTHING, a),
            Arrays.<byte @Nullable []>asList(NOTHING, NOTHING),
            Arrays.<byte @Nullable []>asList(a, a),
            Arrays.<byte @Nullable []>asList(a, NOTHING))) {
      Clustering place = Clustering.of(CLUSTERING, texts.encoding(), values);
      rows.add(SimpleTable.row(place, column(0, live(NOTHING))));
    }
    assertReadsBack(
        texts.partition(key((byte) 1), rows.toArray(Item[]::new)).model(), FormatVersion.OA);
  }

  /** Source: Cassandra {@code CompressedChunkReader}: a row may span any number of chunks. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aValueMayBeLargerThanChunksAndReadAhead(boolean compressed) throws IOException {
    TableModel model =
        table
            .partition(key((byte) 1), table.row(1, 700_000), table.row(2, 1), table.row(3, 300_000))
            .partition(key((byte) 2), table.row(1, 1))
            .model();
    write(model, FormatVersion.OA, compressed ? SMALL_CHUNKS : CompressionOptions.NONE);
    assertReads(model, FormatVersion.OA);
  }

  /** Source: Cassandra {@code CompressedSequentialWriter}: chunks know nothing of partitions. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void partitionsAndFilesMayEndWithAChunk(boolean compressed) throws IOException {
    CompressionOptions options = compressed ? SMALL_CHUNKS : CompressionOptions.NONE;
    int chunk = compressed ? 1024 : 64 * 1024;
    // The first partition fills whole chunks to the byte, or one byte less or more; both do.
    int overhead = (int) length(1, chunk, options) - chunk;
    for (int difference : new int[] {0, -1, 1}) {
      int value = chunk - overhead + difference;
      SimpleTable two = new SimpleTable(FormatVersion.OA);
      two.partition(key((byte) 1), two.row(1, value));
      two.partition(key((byte) 2), two.row(1, value));
      clear();
      write(two.model(), FormatVersion.OA, options);
      try (SSTable opened =
          SSTable.open(disk, descriptor(FormatVersion.OA), SSTableOptions.DEFAULT, memory)) {
        assertThat(opened.dataLength()).isEqualTo(2L * (chunk + difference));
      }
      assertReads(two.model(), FormatVersion.OA);
    }
  }

  private long length(int partitions, int valueBytes, CompressionOptions options)
      throws IOException {
    SimpleTable one = new SimpleTable(FormatVersion.OA);
    for (int i = 0; i < partitions; i++) {
      one.partition(key((byte) i), one.row(1, valueBytes));
    }
    write(one.model(), FormatVersion.OA, options);
    try (SSTable opened =
        SSTable.open(disk, descriptor(FormatVersion.OA), SSTableOptions.DEFAULT, memory)) {
      return opened.dataLength();
    }
  }

  private void clear() throws IOException {
    for (String name : disk.files()) {
      disk.delete(name);
    }
  }

  /** Source: Cassandra {@code SequentialWriter.doSync} of a complete file, seen in compaction. */
  @Test
  void anEmptyChunkMayFollowTheData() throws IOException {
    TableModel model = table.partition(key((byte) 1), table.row(1, 3000)).model();
    write(model, FormatVersion.OA, SMALL_CHUNKS);
    String dataName = descriptor(FormatVersion.OA).fileName(Component.DATA);
    String infoName = descriptor(FormatVersion.OA).fileName(Component.COMPRESSION_INFO);
    byte[] data = DamagedTable.content(disk, dataName);
    byte[] info = DamagedTable.content(disk, infoName);
    // LZ4 of nothing: its length and one token; then the checksum.
    byte[] chunk = {0, 0, 0, 0, 0};
    CRC32 crc = new CRC32();
    crc.update(chunk);
    byte[] longer = Arrays.copyOf(data, data.length + chunk.length + 4);
    System.arraycopy(chunk, 0, longer, data.length, chunk.length);
    BigEndian.putInt(longer, data.length + chunk.length, (int) crc.getValue());
    byte[] more = Arrays.copyOf(info, info.length + Long.BYTES);
    BigEndian.putLong(more, info.length, data.length);
    int countAt = info.length - Long.BYTES * 3 - Integer.BYTES;
    int count = BigEndian.getInt(info, countAt);
    assertThat(count).as("chunks, for the place of their count").isEqualTo(3);
    BigEndian.putInt(more, countAt, count + 1);
    replace(dataName, longer);
    replace(infoName, more);
    disk.delete(descriptor(FormatVersion.OA).fileName(Component.DIGEST));
    assertReads(model, FormatVersion.OA);
  }

  /** Source: Cassandra {@code ChecksumWriter}: so does a checksum of nothing in CRC.db. */
  @Test
  void checksumsOfEmptyChunksMayFollow() throws IOException {
    TableModel model = table.partition(key((byte) 1), table.row(1, 3000)).model();
    write(model, FormatVersion.OA, CompressionOptions.NONE);
    String name = descriptor(FormatVersion.OA).fileName(Component.CRC);
    byte[] crc = DamagedTable.content(disk, name);
    replace(name, Arrays.copyOf(crc, crc.length + 2 * Integer.BYTES));
    assertReads(model, FormatVersion.OA);
  }

  private void replace(String name, byte[] bytes) throws IOException {
    disk.delete(name);
    DamagedTable.put(disk, name, bytes);
  }

  /** Source: Cassandra {@code BigFormatPartitionWriter.addIndexBlock}: open markers of blocks. */
  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"NB", "OA"})
  void aBoundaryMarkerMayBeTheLastOfABlock(FormatVersion version) throws IOException {
    List<Item> items = new ArrayList<>();
    items.add(table.bound(INCL_START_BOUND, 0, 0));
    for (int i = 1; i < 10; i++) {
      items.add(table.row(2 * i, 1000 + i));
      // With some of these lengths a block ends with the row, with others with the boundary.
      ClusteringKind kind =
          i % 2 == 0 ? INCL_END_EXCL_START_BOUNDARY : EXCL_END_INCL_START_BOUNDARY;
      items.add(table.boundary(kind, 2 * i + 1, i - 1, i));
    }
    items.add(table.bound(INCL_END_BOUND, 20, 9));
    TableModel model = table.partition(key((byte) 1), items.toArray(Item[]::new)).model();
    assertReadsBack(model, version);
    for (int i = -1; i <= 21; i++) {
      for (ClusteringKind start : new ClusteringKind[] {INCL_START_BOUND, EXCL_START_BOUND}) {
        assertSlices(
            model, model.partitions().get(0), version, table.slice(start, i, INCL_END_BOUND, 30));
        assertSlices(
            model, model.partitions().get(0), version, table.slice(start, -9, EXCL_END_BOUND, i));
      }
    }
  }

  /** Source: Cassandra {@code SSTableIterator.ForwardIndexedReader}, {@code openMarker}. */
  @Test
  void slicesBeginAndEndInsideRangesAtTheirBoundsAndBetweenBoundaries() throws IOException {
    Item[] items = {
      table.bound(EXCL_START_BOUND, 2, 1),
      table.row(4, 10),
      table.boundary(EXCL_END_INCL_START_BOUNDARY, 6, 1, 2),
      table.boundary(INCL_END_EXCL_START_BOUNDARY, 8, 2, 3),
      table.bound(EXCL_END_BOUND, 12, 3),
      table.row(12, 10),
      table.bound(INCL_START_BOUND, 14, 4),
      table.bound(INCL_END_BOUND, 14, 4)
    };
    TableModel model = table.partition(key((byte) 1), items).model();
    assertReadsBack(model, FormatVersion.OA);
    Partition partition = model.partitions().get(0);
    for (int from = 1; from <= 15; from++) {
      for (int to = from; to <= 15; to++) {
        for (ClusteringKind start : new ClusteringKind[] {INCL_START_BOUND, EXCL_START_BOUND}) {
          for (ClusteringKind end : new ClusteringKind[] {INCL_END_BOUND, EXCL_END_BOUND}) {
            if (from < to || (start == INCL_START_BOUND && end == INCL_END_BOUND)) {
              assertSlices(model, partition, FormatVersion.OA, table.slice(start, from, end, to));
            }
          }
        }
      }
    }
  }

  /** Source: Cassandra {@code Clustering.EMPTY}: a table without clustering columns has one row. */
  @Test
  void aTableWithoutClusteringColumnsHasRowsOfNoValues() throws IOException {
    SimpleTable flat =
        new SimpleTable(
            FormatVersion.NB,
            new SerializationHeader(
                CqlTypes.BLOB,
                List.of(),
                List.of(),
                List.of(new HeaderColumn("v", CqlTypes.BLOB)),
                EncodingStats.NONE));
    assertReadsBack(
        flat.partition(key((byte) 1), SimpleTable.row(empty(flat), column(0, live(new byte[9]))))
            .model(),
        FormatVersion.NB);
  }

  /** Source: Cassandra {@code SSTableFormat}: versions that are not ours are named and refused. */
  @ParameterizedTest
  @ValueSource(
      strings = {"da-1-big-Data.db", "me-1-big-Data.db", "oa-1-bti-Data.db", "zz-1-big-Data.db"})
  void unknownVersionsAreRefusedByName(String name) {
    assertThatThrownBy(() -> Descriptor.parse(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name.substring(0, 2) + "'")
        .hasMessageContaining("supported");
  }

  /** Source: Cassandra {@code SSTableReader}: what a table cannot be read without. */
  @Test
  void missingComponentsAreNamedOrNotNeeded() throws IOException {
    for (CompressionOptions options : List.of(SMALL_CHUNKS, CompressionOptions.NONE)) {
      for (Component missing : FormatVersion.OA.components()) {
        for (boolean withContents : new boolean[] {true, false}) {
          clear();
          SimpleTable some = new SimpleTable(FormatVersion.OA);
          some.partition(key((byte) 1), some.row(1, 3000));
          write(some.model(), FormatVersion.OA, options);
          Descriptor descriptor = descriptor(FormatVersion.OA);
          if (!withContents && missing != Component.TOC) {
            disk.delete(descriptor.fileName(Component.TOC));
          }
          if (!disk.exists(descriptor.fileName(missing))) {
            continue;
          }
          disk.delete(descriptor.fileName(missing));
          switch (missing) {
            case DATA ->
                assertThatThrownBy(() -> assertReads(some.model(), FormatVersion.OA))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(descriptor.fileName(missing));
            case PRIMARY_INDEX, STATISTICS, COMPRESSION_INFO ->
                assertThatThrownBy(() -> assertReads(some.model(), FormatVersion.OA))
                    .isInstanceOf(CorruptSSTableException.class)
                    .hasMessageContaining(descriptor.fileName(missing))
                    .hasMessageContaining("missing");
            case CRC -> {
              if (withContents) {
                assertThatThrownBy(() -> assertReads(some.model(), FormatVersion.OA))
                    .isInstanceOf(CorruptSSTableException.class)
                    .hasMessageContaining(descriptor.fileName(missing));
              } else {
                assertReads(some.model(), FormatVersion.OA);
              }
            }
            case SUMMARY, FILTER, DIGEST, TOC -> assertReads(some.model(), FormatVersion.OA);
          }
        }
      }
    }
  }
}
