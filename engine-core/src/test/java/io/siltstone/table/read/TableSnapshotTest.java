package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Slice;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** States of a table that stay. */
class TableSnapshotTest {
  private static final Read.OfRange ALL = new Read.OfRange(PartitionRange.ALL);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private TestedTable table;

  @BeforeEach
  void create() throws IOException {
    table =
        new TestedTable(
            SchemaParser.parse("CREATE TABLE ks.t (k int PRIMARY KEY, a int)").onlyTable(),
            Partitioner.MURMUR3,
            leaks.watch(new MemoryDirectory()),
            memory);
  }

  @AfterEach
  void closeTable() throws IOException {
    table.close();
  }

  private static PartitionKey key(int number) {
    byte[] bytes = CqlTypes.INT.encode(number);
    return PartitionKey.of(bytes, Partitioner.MURMUR3.token(bytes, 0, bytes.length));
  }

  private void write(int from, int to) throws IOException {
    for (int k = from; k < to; k++) {
      table.write(table.mutation(k).timestamp(10 + k).insert().set("a", k).build());
    }
  }

  private Read.OfPartition partition(int k) {
    return new Read.OfPartition(key(k), List.of(Slice.all(table.encoding())), false);
  }

  @Test
  void aTableThatIsDroppedDuringAReadGivesBackAll() throws IOException {
    write(0, 10);
    table.flush();
    write(10, 20);
    for (int i = 0; i < 2; i++) {
      boolean isSnapshot = i == 0;
      // The second time that the memtables are asked for is after the SSTables were taken.
      table.disturbNextReader(
          () ->
              table.disturbNextReader(
                  () -> {
                    throw new IllegalStateException("the table is closed");
                  }));
      assertThatThrownBy(
              () -> {
                if (isSnapshot) {
                  table.sources().snapshot().close();
                } else {
                  table.sources().open(partition(1)).close();
                }
              })
          .hasMessage("the table is closed");
    }
    // Memory and files that are still held are found when the test has ended.
    assertThat(table.memtables().active().tryReference()).isTrue();
    table.memtables().active().release();
  }

  private static List<PartitionKey> keys(TableSnapshot snapshot, Read read) throws IOException {
    List<PartitionKey> keys = new ArrayList<>();
    try (PartitionCursor cursor = snapshot.open(read)) {
      while (cursor.nextPartition()) {
        PartitionKey key = new PartitionKey();
        key.copyFrom(cursor.key());
        keys.add(key);
      }
    }
    return keys;
  }

  @Test
  void aScanIsNotDisturbedByFlushAndCompaction() throws IOException {
    write(0, 100);
    table.flush();
    write(50, 200);
    List<PartitionKey> seen = new ArrayList<>();
    try (TableSnapshot snapshot = table.sources().snapshot();
        PartitionCursor cursor = snapshot.open(ALL)) {
      for (int i = 0; i < 70; i++) {
        assertThat(cursor.nextPartition()).isTrue();
        seen.add(PartitionKey.of(cursor.key().toByteArray(), cursor.key().token()));
      }
      write(200, 300);
      table.flush();
      table.compact();
      while (cursor.nextPartition()) {
        seen.add(PartitionKey.of(cursor.key().toByteArray(), cursor.key().token()));
      }
      assertThat(seen).hasSize(200).isSorted().doesNotHaveDuplicates();
    }
    try (TableSnapshot snapshot = table.sources().snapshot()) {
      assertThat(keys(snapshot, ALL)).hasSize(300);
    }
  }

  @Test
  void closingASnapshotClosesItsCursors() throws IOException {
    write(0, 10);
    table.flush();
    write(10, 20);
    TableSnapshot snapshot = table.sources().snapshot();
    PartitionCursor scan = snapshot.open(ALL);
    assertThat(scan.nextPartition()).isTrue();
    PartitionCursor read = snapshot.open(partition(3));
    snapshot.close();
    snapshot.close();
    assertThatThrownBy(scan::nextPartition).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(read::nextPartition).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> snapshot.open(ALL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the snapshot is closed");
    scan.close();
    read.close();
  }

  @Test
  void memoryOfAMemtableIsGivenBackWithTheLastSnapshotOfIt() throws IOException {
    write(0, 10);
    TableSnapshot snapshot = table.sources().snapshot();
    table.flush();
    assertThat(memory.used(MemoryKind.MEMTABLE)).isPositive();
    assertThat(keys(snapshot, ALL)).hasSize(10);
    assertThat(keys(snapshot, partition(3))).containsExactly(key(3));
    snapshot.close();
    assertThat(memory.used(MemoryKind.MEMTABLE)).isZero();
  }

  @Test
  void tablesBehindEachOtherAreScannedOneAfterTheOther() throws IOException {
    TreeSet<PartitionKey> keys = new TreeSet<>();
    List<Integer> byKey = new ArrayList<>();
    for (int k = 0; k < 100; k++) {
      byKey.add(k);
      keys.add(key(k));
    }
    byKey.sort((a, b) -> key(a).compareTo(key(b)));
    for (int i = 0; i < 100; i++) {
      table.write(table.mutation(byKey.get(i)).timestamp(i).insert().build());
      if (i % 10 == 9) {
        table.flush();
      }
    }
    List<PartitionKey> sorted = new ArrayList<>(keys);
    try (TableSnapshot snapshot = table.sources().snapshot()) {
      try (PartitionCursor cursor = snapshot.open(ALL)) {
        assertThat(cursor.nextPartition()).isTrue();
        long oneOpen = memory.used(MemoryKind.READ_AHEAD);
        while (cursor.nextPartition()) {
          assertThat(memory.used(MemoryKind.READ_AHEAD)).isLessThanOrEqualTo(oneOpen);
        }
      }
      assertThat(keys(snapshot, ALL)).isEqualTo(sorted);
      for (int from = 0; from < 100; from += 7) {
        for (int to = from; to < 100; to += 9) {
          Read read = new Read.OfRange(new PartitionRange(sorted.get(from), sorted.get(to)));
          assertThat(keys(snapshot, read)).isEqualTo(sorted.subList(from, to));
        }
      }
    }
  }

  @Test
  void stretchesBetweenSamplesLeadBackThroughAllKeys() throws IOException {
    Random random = new Random(1);
    TreeSet<PartitionKey> keys = new TreeSet<>();
    for (int i = 0; i < 20_000; i++) {
      int k = random.nextInt(50_000);
      table.write(table.mutation(k).timestamp(i).insert().build());
      keys.add(key(k));
      if (i % 5000 == 4999 && i < 15_000) {
        table.flush();
      }
    }
    Deque<PartitionKey> seen = new ArrayDeque<>();
    int stretches = 0;
    try (TableSnapshot snapshot = table.sources().snapshot()) {
      PartitionKey end = null;
      boolean more = true;
      while (more) {
        PartitionKey start = snapshot.sampleBefore(end == null ? last() : end);
        assertThat(start == null || end == null || start.compareTo(end) < 0).isTrue();
        List<PartitionKey> stretch = keys(snapshot, range(start, end));
        assertThat(stretch.size()).isLessThan(4000);
        for (int i = stretch.size() - 1; i >= 0; i--) {
          seen.addFirst(stretch.get(i));
        }
        stretches++;
        more = start != null;
        end = start;
      }
    }
    assertThat(new ArrayList<>(seen)).isEqualTo(new ArrayList<>(keys));
    assertThat(stretches).isGreaterThan(keys.size() / 1000);
  }

  private static PartitionKey last() {
    byte[] greatest = new byte[8];
    Arrays.fill(greatest, (byte) 0xff);
    return PartitionKey.of(greatest, Long.MAX_VALUE);
  }

  private static Read range(@Nullable PartitionKey start, @Nullable PartitionKey end) {
    return new Read.OfRange(new PartitionRange(start, end));
  }

  @Test
  void aKeyIsNotItsOwnSample() throws IOException {
    write(0, 1000);
    table.flush();
    try (TableSnapshot snapshot = table.sources().snapshot()) {
      List<PartitionKey> keys = keys(snapshot, ALL);
      assertThat(snapshot.sampleBefore(keys.get(0))).isNull();
      assertThat(snapshot.sampleBefore(keys.get(1))).isEqualTo(keys.get(0));
      assertThat(snapshot.sampleBefore(keys.get(128))).isEqualTo(keys.get(0));
      assertThat(snapshot.sampleBefore(keys.get(129))).isEqualTo(keys.get(128));
    }
  }
}
