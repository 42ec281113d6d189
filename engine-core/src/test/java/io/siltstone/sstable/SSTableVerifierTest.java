package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A verifier verifies as often as it is asked; what it and scans find has a place. */
class SSTableVerifierTest {
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.OA, 1);
  private static final SSTableWriterOptions OPTIONS =
      SSTableWriterOptions.builder().columnIndexSizeBytes(1024).minIndexInterval(1).build();
  private static final String INDEX = DESCRIPTOR.fileName(Component.PRIMARY_INDEX);
  private static final byte[] NO_TEXT = {(byte) 0xff};

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private MemoryDirectory write(SimpleTable table) throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    ModelTables.write(table.model(), directory, DESCRIPTOR, OPTIONS, memory);
    return directory;
  }

  private SSTable open(MemoryDirectory directory) throws IOException {
    return SSTable.open(directory, DESCRIPTOR, SSTableOptions.DEFAULT, memory);
  }

  private static SimpleTable simple() {
    return new SimpleTable(FormatVersion.OA);
  }

  private static SimpleTable tableOf(CqlType key, CqlType value) {
    return new SimpleTable(
        FormatVersion.OA,
        new SerializationHeader(
            key,
            List.of(CqlTypes.INT),
            List.of(),
            List.of(new HeaderColumn("v", value)),
            EncodingStats.NONE));
  }

  private static Item row(SimpleTable table, int clustering, byte[] value) {
    return SimpleTable.row(
        table.at(ClusteringKind.CLUSTERING, clustering),
        SimpleTable.column(0, SimpleTable.live(value)));
  }

  private static Item[] rows(SimpleTable table, IntStream clusterings) {
    return clusterings.mapToObj(c -> table.row(c, 100)).toArray(Item[]::new);
  }

  private static void assertCorrupt(
      ThrowingCallable reading, Component component, long offset, String reason) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            CorruptSSTableException.class,
            e -> {
              assertThat(e.component()).isEqualTo(component);
              assertThat(e.offset()).as(e.getMessage()).isEqualTo(offset);
            })
        .hasMessageContaining(reason);
  }

  private static void verify(SSTable table) throws IOException {
    new SSTableVerifier(table).verify(position -> {});
  }

  @Test
  void soundTableIsSoundEachTime() throws IOException {
    SimpleTable table = simple();
    table.partition(SimpleTable.key((byte) 1), rows(table, IntStream.range(0, 40)));
    table.partition(
        SimpleTable.key((byte) 2),
        table.bound(ClusteringKind.INCL_START_BOUND, 1, 1),
        table.bound(ClusteringKind.EXCL_END_BOUND, 2, 1));
    try (SSTable opened = open(write(table))) {
      SSTableVerifier verifier = new SSTableVerifier(opened);
      SSTableVerifier.Result first = verifier.verify(position -> {});
      assertThat(first).isEqualTo(new SSTableVerifier.Result(2, 40, 40, 2, 0));
      assertThat(verifier.verify(position -> {})).isEqualTo(first);
    }
  }

  @Test
  void runThatWasGivenUpLeavesNothingToTheNext() throws IOException {
    SimpleTable table = simple();
    table.partition(SimpleTable.key((byte) 1), rows(table, IntStream.range(0, 40)));
    try (SSTable opened = open(write(table))) {
      SSTableVerifier verifier = new SSTableVerifier(opened);
      assertThatThrownBy(
              () ->
                  verifier.verify(
                      position -> {
                        throw new CancellationException("enough");
                      }))
          .isInstanceOf(CancellationException.class);
      assertThat(verifier.verify(position -> {}).rows()).isEqualTo(40);
    }
  }

  @Test
  void aFileThatWasEmptiedIsNamed() throws IOException {
    SimpleTable table = simple();
    for (int key = 1; key < 9; key++) {
      table.partition(SimpleTable.key((byte) key), rows(table, IntStream.range(0, 40)));
    }
    for (Component component : Component.values()) {
      MemoryDirectory directory = write(table);
      String name = DESCRIPTOR.fileName(component);
      // An empty filter lets all keys pass, and opening reads neither digest nor list.
      if (!directory.exists(name)
          || Set.of(Component.FILTER, Component.DIGEST, Component.TOC).contains(component)) {
        continue;
      }
      directory.delete(name);
      directory.create(name, WriteIntent.OTHER).close();
      assertThat(catchThrowable(() -> open(directory).close()))
          .as(name)
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining("/" + name)
          .hasMessageNotContaining("allowed 0");
    }
  }

  @Test
  void anIndexThatLostItsEndIsNamed() throws IOException {
    SimpleTable table = simple();
    for (int key = 1; key < 9; key++) {
      table.partition(SimpleTable.key((byte) key), rows(table, IntStream.range(0, 4)));
    }
    MemoryDirectory directory = write(table);
    byte[] bytes;
    try (ReadableFile file = directory.open(INDEX, ReadIntent.INDEX)) {
      bytes = new byte[(int) file.length() / 2];
      file.readFully(0, ByteBuffer.wrap(bytes));
    }
    directory.delete(INDEX);
    try (WritableFile file = directory.create(INDEX, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
    assertThatThrownBy(() -> open(directory).close())
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("Index.db, which has " + bytes.length + " bytes");
  }

  /** With an interval of one each key has a sample, so that most bits belong to samples. */
  @Test
  void aSummaryWithAFlippedBitIsRefusedOrLeadsToAllKeys() throws IOException {
    SimpleTable table = simple();
    List<PartitionKey> keys = new ArrayList<>();
    for (byte k = 1; k <= 5; k++) {
      keys.add(SimpleTable.key(k));
      table.partition(SimpleTable.key(k), rows(table, IntStream.range(0, 3)));
    }
    MemoryDirectory directory = write(table);
    String name = DESCRIPTOR.fileName(Component.SUMMARY);
    byte[] sound = bytes(directory, name);
    int refused = 0;
    for (int bit = 0; bit < sound.length * Byte.SIZE; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      directory.delete(name);
      try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
        file.write(ByteBuffer.wrap(damaged));
      }
      for (VerificationLevel level : List.of(VerificationLevel.DIGEST, VerificationLevel.FULL)) {
        try (SSTable opened = open(directory)) {
          new SSTableVerifier(opened).verify(level);
          for (PartitionKey key : keys) {
            try (PartitionReader reader = opened.reader()) {
              assertThat(reader.seek(key)).as("%s, bit %d, %s", key, bit, level).isTrue();
            }
          }
        } catch (CorruptSSTableException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(sound.length * Byte.SIZE);
  }

  private static byte[] bytes(MemoryDirectory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
      file.readFully(0, bytes);
      return bytes.array();
    }
  }

  @Test
  void valueThatIsNoneOfItsTypeHasThePlaceOfItsRow() throws IOException {
    SimpleTable table = tableOf(CqlTypes.BLOB, CqlTypes.TEXT);
    table.partition(SimpleTable.key((byte) 1), row(table, 1, new byte[] {'a'}));
    table.partition(
        SimpleTable.key((byte) 2), row(table, 1, new byte[] {'a'}), row(table, 2, NO_TEXT));
    try (SSTable opened = open(write(table))) {
      long position = -1;
      try (DataCursor data = opened.scan()) {
        while (data.nextPartition()) {
          while (data.nextUnfiltered()) {
            boolean isSecond = lastByte(data.unfiltered().clustering()) == 2;
            position = isSecond ? data.unfilteredPosition() : position;
          }
        }
      }
      assertThat(position).isPositive();
      assertCorrupt(() -> verify(opened), Component.DATA, position, "is no text");
    }
  }

  @Test
  void keyThatIsNoneOfItsTypeHasThePlaceOfItsPartition() throws IOException {
    PartitionKey bad = SimpleTable.key(NO_TEXT);
    SimpleTable table = tableOf(CqlTypes.TEXT, CqlTypes.BLOB);
    for (PartitionKey key :
        List.of(bad, SimpleTable.key((byte) 'a'), SimpleTable.key((byte) 'b'))) {
      table.partition(key, row(table, 1, new byte[100]));
    }
    try (SSTable opened = open(write(table))) {
      long position = -1;
      try (DataCursor data = opened.scan()) {
        while (data.nextPartition()) {
          position = data.key().equals(bad) ? data.partitionPosition() : position;
        }
      }
      assertCorrupt(() -> verify(opened), Component.DATA, position, "partition key");
    }
  }

  /** Two tables whose rows have the same sizes, but in the middle not the same clusterings. */
  @Test
  void blockOfOtherRowsHasItsPlaceInTheIndex() throws IOException {
    SimpleTable table = simple();
    SimpleTable other = simple();
    for (byte key : new byte[] {1, 2}) {
      table.partition(SimpleTable.key(key), rows(table, IntStream.range(0, 40)));
      IntStream clusterings = IntStream.range(0, 40).map(i -> key == 1 || i == 0 ? i : i + 1);
      other.partition(SimpleTable.key(key), rows(other, clusterings));
    }
    MemoryDirectory directory = write(table);
    directory.delete(INDEX);
    DamagedTable.put(directory, INDEX, DamagedTable.content(write(other), INDEX));
    try (SSTable opened = open(directory)) {
      long position = -1;
      try (KeyEntries index = opened.indexEntries();
          IndexBlocks blocks = (IndexBlocks) opened.indexBlocks()) {
        while (index.next()) {
          if (index.key().toByteArray()[0] == 2) {
            index.openBlocks(blocks);
            position = blocks.position();
          }
        }
      }
      assertThat(position).isPositive();
      assertCorrupt(() -> verify(opened), Component.PRIMARY_INDEX, position, "another row");
    }
  }

  /** What is held of one block is written over by another, also by one that is damaged. */
  @Test
  void aBlockIsReadAgainBehindOneThatIsDamaged() throws IOException {
    SimpleTable table = simple();
    table.partition(SimpleTable.key((byte) 1), rows(table, IntStream.range(0, 40)));
    MemoryDirectory directory = write(table);
    byte[] bytes = DamagedTable.content(directory, INDEX);
    int thirdAt;
    try (SSTable opened = open(directory)) {
      thirdAt = positionOfBlock(opened, bytes, 2);
    }
    // The last byte of the second block says whether a deletion is open, ahead of the third.
    bytes[thirdAt - 1] = 2;
    directory.delete(INDEX);
    DamagedTable.put(directory, INDEX, bytes);
    try (SSTable opened = open(directory);
        KeyEntries index = opened.indexEntries();
        IndexBlocks blocks = (IndexBlocks) opened.indexBlocks()) {
      assertThat(index.next()).isTrue();
      index.openBlocks(blocks);
      blocks.read(0);
      long offset = blocks.lastReadOffset();
      byte first = lastByte(blocks.first());
      assertThatThrownBy(() -> blocks.read(1)).isInstanceOf(CorruptSSTableException.class);
      blocks.read(0);
      assertThat(blocks.lastReadOffset()).isEqualTo(offset);
      assertThat(lastByte(blocks.first())).isEqualTo(first);
    }
  }

  private static byte lastByte(Clustering clustering) {
    return clustering.bytes()[clustering.valueOffset(0) + 3];
  }

  /** In an index with one entry, which ends with the offsets of its blocks. */
  private static int positionOfBlock(SSTable table, byte[] index, int block) throws IOException {
    try (KeyEntries cursor = table.indexEntries();
        IndexBlocks blocks = (IndexBlocks) table.indexBlocks()) {
      assertThat(cursor.next()).isTrue();
      cursor.openBlocks(blocks);
      assertThat(blocks.count()).isGreaterThan(block);
      int offsetAt = index.length - Integer.BYTES * (blocks.count() - block);
      return (int) blocks.position() + BigEndian.getInt(index, offsetAt);
    }
  }

  /** It tells where damage lies, from which on what an index knows of is looked at. */
  @Test
  void aPartitionOfWhichNothingIsReadBeginsWhereItsRowsAreLookedFor() throws IOException {
    SimpleTable table = simple();
    table.partition(SimpleTable.key((byte) 1), rows(table, IntStream.range(0, 40)));
    table.partition(SimpleTable.key((byte) 2), rows(table, IntStream.range(0, 40)));
    try (SSTable opened = open(write(table));
        DataCursor data = opened.scan()) {
      assertThat(data.nextPartition()).isTrue();
      assertThat(data.nextPartition()).isTrue();
      long second = data.partitionPosition();
      assertThat(data.unfilteredPosition()).isEqualTo(second);
      assertThat(data.nextUnfiltered()).isTrue();
      data.seek(0, second);
      assertThat(data.nextPartition()).isTrue();
      assertThat(data.unfilteredPosition()).isZero();
    }
  }

  @Test
  void rangeThatTheIndexLeadsAstrayHasThePlaceOfTheEntry() throws IOException {
    SimpleTable table = simple();
    for (byte key = 1; key <= 4; key++) {
      table.partition(SimpleTable.key(key), table.row(1, 10));
    }
    List<PartitionKey> keys = new ArrayList<>();
    List<Long> entries = new ArrayList<>();
    MemoryDirectory directory = write(table);
    try (SSTable opened = open(directory);
        KeyEntries index = opened.indexEntries()) {
      while (index.next()) {
        entries.add(index.position());
        keys.add(SimpleTable.key(index.key().toByteArray()[0]));
      }
    }
    PartitionRange range = new PartitionRange(keys.get(1), keys.get(2));
    assertScanIsCorrupt(directory, range, entries.get(1), 1, "no partition begins");
    assertScanIsCorrupt(directory, range, entries.get(1), 100, "partitions from");
    assertScanIsCorrupt(directory, range, entries.get(2), 1, "would be");
    assertScanIsCorrupt(directory, range, entries.get(2), -2, "a row reaches over");
  }

  /** Adds to the position in an entry of a key of one byte, and undoes it. */
  private void assertScanIsCorrupt(
      MemoryDirectory directory, PartitionRange range, long entry, int more, String reason)
      throws IOException {
    byte[] original = DamagedTable.content(directory, INDEX);
    byte[] damaged = original.clone();
    damaged[(int) entry + 3] += (byte) more;
    directory.delete(INDEX);
    DamagedTable.put(directory, INDEX, damaged);
    try (SSTable opened = open(directory)) {
      assertCorrupt(() -> ModelTables.scan(opened, range), Component.PRIMARY_INDEX, entry, reason);
    }
    directory.delete(INDEX);
    DamagedTable.put(directory, INDEX, original);
  }
}
