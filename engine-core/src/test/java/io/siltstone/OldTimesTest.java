package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.io.Directory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A flush of what is all older than the database's opening takes no more bytes than if it had been
 * written since.
 */
@ExtendWith(LeakChecking.class)
class OldTimesTest {
  private static final long NOW_SECONDS = 1_700_000_000L;
  private static final long OPENED_AT = NOW_SECONDS * 1_000_000;

  /** Microseconds that all writes lie within. */
  private static final int SPAN = 100;

  private static final Pattern TIMESTAMP = Pattern.compile("@(-?\\d+)");

  private static final String TABLE =
      "CREATE TABLE w.t (k int, c int, s text static, v text, m map<int, text>, f set<int>,"
          + " PRIMARY KEY (k, c)) WITH compression = {'enabled': 'false'}";

  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .memtableBytes(64 << 20)
          .clock(InstantSource.fixed(Instant.ofEpochSecond(NOW_SECONDS)))
          .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
          .build();

  private final MemoryBudget memory;

  OldTimesTest(MemoryBudget memory) {
    this.memory = memory;
  }

  /** An SSTable with its timestamps as differences to what was written first. */
  private record Flushed(long base, long dataBytes, List<String> lines) {}

  @ParameterizedTest
  @ValueSource(
      longs = {
        OPENED_AT - SPAN,
        1_000_000_000_000_000L,
        // Milliseconds.
        OPENED_AT / 1000,
        0,
        -5_000_000_000L,
        Long.MIN_VALUE + 1
      })
  void haveABaseOfTheirOwn(long first) throws IOException {
    boolean hasRanges = first >= 0;
    Flushed present = flushed(OPENED_AT, hasRanges);
    Flushed old = flushed(first, hasRanges);
    assertThat(present.base).isEqualTo(OPENED_AT);
    assertThat(old.base).isEqualTo(first);
    assertThat(old.dataBytes).isEqualTo(present.dataBytes);
    assertThat(old.lines).isEqualTo(present.lines);
  }

  private Flushed flushed(long first, boolean hasRanges) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    try (Database database = Database.open(disk, OPTIONS)) {
      Table table = database.createTable(TABLE);
      write(table, first, hasRanges);
      List<String> rows = Contents.of(table);
      table.flush();
      assertThat(Contents.of(table)).isEqualTo(rows).isNotEmpty();
    }
    return read(disk, first);
  }

  /** The encoding of what is replayed is that of the log. */
  @ParameterizedTest
  @ValueSource(longs = {OPENED_AT, OPENED_AT - SPAN, 0})
  void haveItLikewiseAfterAReplay(long first) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    write(database.createTable(TABLE), first, true);
    SimulatedDisk left = disk.processDeath();
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    InstantSource later = InstantSource.fixed(Instant.ofEpochSecond(NOW_SECONDS + 3600));
    Database.open(left, OPTIONS.toBuilder().clock(later).build()).close();
    Flushed replayed = read(left, first);
    assertThat(replayed.base).isEqualTo(first);
    assertThat(replayed).isEqualTo(flushed(first, true));
  }

  /** Rows are copied as they are if the base suits some of them. */
  @ParameterizedTest
  @CsvSource({"-1, false", "0, true"})
  void haveThatOfTheTableIfSomethingIsNotOlder(long last, boolean isOpening) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    try (Database database = Database.open(disk, OPTIONS)) {
      Table table = database.createTable(TABLE);
      for (long timestamp : new long[] {OPENED_AT - 7, OPENED_AT + last}) {
        table.write(table.mutation(1).timestamp(timestamp).insert(2).set("v", "x").build());
      }
      table.flush();
    }
    assertThat(read(disk, 0).base).isEqualTo(isOpening ? OPENED_AT : OPENED_AT - 7);
  }

  /** Of each kind something, within {@link #SPAN}. */
  private static void write(Table table, long first, boolean hasRanges) throws IOException {
    table.write(table.mutation(1).timestamp(first).insert(0).set("v", "first").build());
    for (int i = 1; i < SPAN; i++) {
      MutationBuilder change = table.mutation(i % 5).timestamp(first + i);
      if (hasRanges && i == 20) {
        change.deletePartition();
      } else if (hasRanges && i % 10 == 3) {
        change.deleteRange(ClusteringRange.all().from(i).to(i + 15));
      } else {
        switch (i % 7) {
          case 0 -> change.insert(i).set("v", "v" + i).set("m", Map.of(i, "whole"));
          case 1 -> change.update(i).put("m", i, "one").add("f", List.of(i));
          case 2 -> change.ttl(i).insert(i - 1).set("v", "expiring").put("m", i, "expiring");
          case 3 -> change.update(i - 2).delete("v").delete("m");
          case 4 -> change.deleteRow(i - 4);
          case 5 -> change.set("s", "static " + i);
          default -> change.update(i - 6).set("v", "without liveness").remove("f", List.of(i));
        }
      }
      table.write(change.build());
    }
  }

  private Flushed read(Directory database, long first) throws IOException {
    Directory keyspace = database.directory("data").directory("w");
    Directory home = keyspace.directory(keyspace.directories().get(0));
    List<String> data =
        home.files().stream().filter(name -> Descriptor.isComponent(name, Component.DATA)).toList();
    assertThat(data).hasSize(1);
    try (SSTable table =
        SSTable.open(home, Descriptor.parse(data.get(0)), SSTableOptions.DEFAULT, memory)) {
      new SSTableVerifier(table).verify(position -> {});
      try (PartitionCursor rows = table.scan()) {
        return new Flushed(
            table.header().stats().minTimestamp(),
            table.dataLength(),
            TableModel.linesOf(rows).stream().map(line -> since(first, line)).toList());
      }
    }
  }

  private static String since(long first, String line) {
    return TIMESTAMP
        .matcher(line)
        .replaceAll(timestamp -> "@+" + (Long.parseLong(timestamp.group(1)) - first));
  }
}
