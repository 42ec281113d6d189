package io.siltstone.rows;

import static io.siltstone.rows.Example.WRITTEN_MICROS;
import static io.siltstone.rows.Example.WRITTEN_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.CursorSource;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.rows.LiveRows.QueryCancelledException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Columns of a query's result in vectors; that they are the right rows, random queries show. */
class ColumnarReaderTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** Notes which method was called with which value. */
  private static final class Noting implements ColumnVector {
    private final List<String> calls = new ArrayList<>();

    @Override
    public void putNull(int row) {
      calls.add("null");
    }

    @Override
    public void putBoolean(int row, boolean value) {
      calls.add("boolean " + value);
    }

    @Override
    public void putByte(int row, byte value) {
      calls.add("byte " + value);
    }

    @Override
    public void putShort(int row, short value) {
      calls.add("short " + value);
    }

    @Override
    public void putInt(int row, int value) {
      calls.add("int " + value);
    }

    @Override
    public void putLong(int row, long value) {
      calls.add("long " + value);
    }

    @Override
    public void putFloat(int row, float value) {
      calls.add("float " + value);
    }

    @Override
    public void putDouble(int row, double value) {
      calls.add("double " + value);
    }

    @Override
    public void putBytes(int row, byte[] from, int offset, int length) {
      calls.add("bytes " + HexFormat.of().formatHex(from, offset, offset + length));
    }
  }

  /** A vector of integers of any width. */
  private static final class Longs implements ColumnVector {
    private final long[] values = new long[100];

    @Override
    public void putNull(int row) {
      values[row] = Long.MIN_VALUE;
    }

    @Override
    public void putLong(int row, long value) {
      values[row] = value;
    }
  }

  private StoredTable stored(Example table) throws IOException {
    return new StoredTable(table.model(), FormatVersion.OA, leaks.memory());
  }

  @Test
  void eachTypeArrivesByItsMethod() throws IOException {
    Map<String, Object> values =
        Map.ofEntries(
            Map.entry("boolean", true),
            Map.entry("tinyint", (byte) -2),
            Map.entry("smallint", (short) -300),
            Map.entry("int", -70_000),
            Map.entry("bigint", 1L << 40),
            Map.entry("date", LocalDate.ofEpochDay(-3)),
            Map.entry("timestamp", Instant.ofEpochMilli(-5)),
            Map.entry("time", LocalTime.ofNanoOfDay(7)),
            Map.entry("float", 1.5f),
            Map.entry("double", -2.5),
            Map.entry("text", "ä"),
            Map.entry("ascii", "a"),
            Map.entry("blob", new byte[] {1, 2}),
            Map.entry("varint", 300),
            Map.entry("uuid", new UUID(1, 2)),
            Map.entry("frozen<list<int>>", List.of(1)));
    Map<String, String> expected =
        Map.ofEntries(
            Map.entry("boolean", "boolean true"),
            Map.entry("tinyint", "byte -2"),
            Map.entry("smallint", "short -300"),
            Map.entry("int", "int -70000"),
            Map.entry("bigint", "long 1099511627776"),
            Map.entry("date", "int -3"),
            Map.entry("timestamp", "long -5"),
            Map.entry("time", "long 7"),
            Map.entry("float", "float 1.5"),
            Map.entry("double", "double -2.5"),
            Map.entry("text", "bytes c3a4"),
            Map.entry("ascii", "bytes 61"),
            Map.entry("blob", "bytes 0102"),
            Map.entry("varint", "bytes 012c"),
            Map.entry("uuid", "bytes 00000000000000010000000000000002"),
            Map.entry("frozen<list<int>>", "bytes 000000010000000400000001"));
    for (Map.Entry<String, Object> entry : values.entrySet()) {
      Example table =
          new Example("CREATE TABLE ks.t (k int PRIMARY KEY, v " + entry.getKey() + ", n text)");
      table.partition(1).insert().set("v", entry.getValue());
      try (StoredTable stored = stored(table);
          ColumnarReader reader =
              stored.columns(table.query().select("v", "n").build(), WRITTEN_SECONDS)) {
        Noting value = new Noting();
        Noting none = new Noting();
        assertThat(reader.fill(new ColumnVector[] {null, value, none}, 10)).isEqualTo(1);
        assertThat(value.calls).as(entry.getKey()).containsExactly(expected.get(entry.getKey()));
        assertThat(none.calls).containsExactly("null");
      }
    }
  }

  @Test
  void aVectorOfLongsTakesIntegersOfAnyWidth() throws IOException {
    Example table =
        new Example(
            "CREATE TABLE ks.t (k int, c tinyint, s smallint static, d date,"
                + " PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)");
    table.partition(7).staticRow().set("s", (short) 9);
    table.insert((byte) 1).set("d", LocalDate.ofEpochDay(11));
    table.insert((byte) 2);
    try (StoredTable stored = stored(table);
        ColumnarReader reader = stored.columns(table.query().build(), WRITTEN_SECONDS)) {
      Longs[] vectors = new Longs[4];
      Arrays.setAll(vectors, i -> new Longs());
      assertThat(reader.columns()).hasToString("[k, c, s, d]");
      assertThat(reader.fill(vectors, 100)).isEqualTo(2);
      assertThat(Arrays.stream(vectors).map(vector -> Arrays.copyOf(vector.values, 2)))
          .containsExactly(
              new long[] {7, 7},
              new long[] {2, 1},
              new long[] {9, 9},
              new long[] {Long.MIN_VALUE, 11});
      assertThat(reader.fill(vectors, 100)).isZero();
      assertThat(reader.rows()).isEqualTo(2);
      assertThat(reader.pagingState()).isEmpty();
    }
  }

  @Test
  void emptyValuesAreNullWhereTheyMeanNothing() throws IOException {
    Example table = new Example("CREATE TABLE ks.t (k int PRIMARY KEY, i int, t text, u uuid)");
    table.partition(1).insert();
    for (String column : List.of("i", "t", "u")) {
      table.raw(column, new byte[0]);
    }
    try (StoredTable stored = stored(table);
        ColumnarReader reader = stored.columns(table.query().build(), WRITTEN_SECONDS)) {
      Noting all = new Noting();
      assertThat(reader.fill(new ColumnVector[] {null, all, all, all}, 1)).isEqualTo(1);
      assertThat(all.calls).containsExactly("null", "bytes ", "null");
    }
  }

  @Test
  void timesArePutWhereTheyAreAskedFor() throws IOException {
    Example table = new Example("CREATE TABLE ks.t (k int PRIMARY KEY, v int, w int, m set<int>)");
    table.partition(1).insert().set("v", 1, 100).set("w", 2);
    table.element("m", 4, null, 50).element("m", 5, null, 60);
    try (StoredTable stored = stored(table);
        ColumnarReader reader =
            stored.columns(table.query().select("v", "w", "m").build(), WRITTEN_SECONDS + 10)) {
      ColumnarRows.Recorder[] vectors = new ColumnarRows.Recorder[4];
      Arrays.setAll(vectors, i -> new ColumnarRows.Recorder());
      assertThat(reader.fill(vectors, 1)).isEqualTo(1);
      assertThat(Arrays.stream(vectors).map(vector -> vector.get(0)))
          .containsExactly(
              1L,
              "1 at " + WRITTEN_MICROS + " for 90",
              "2 at " + WRITTEN_MICROS + " for 0",
              "0000000200000004000000040000000400000005 at " + WRITTEN_MICROS + " for 40");
    }
  }

  @Test
  void rowsAreCountedWithoutVectors() throws IOException {
    Example table = manyRows();
    try (StoredTable stored = stored(table);
        ColumnarReader reader = stored.columns(table.query().limit(95).build(), WRITTEN_SECONDS)) {
      @Nullable ColumnVector[] none = new ColumnVector[2];
      assertThat(reader.fill(none, 60)).isEqualTo(60);
      assertThat(reader.fill(none, 60)).isEqualTo(35);
      assertThat(reader.fill(none, 60)).isZero();
      assertThat(reader.pagingState()).isEmpty();
    }
  }

  private static Example manyRows() {
    Example table = new Example("CREATE TABLE ks.t (k int, c int, PRIMARY KEY (k, c))");
    for (int i = 0; i < 100; i++) {
      table.partition(i / 10).insert(i);
    }
    return table;
  }

  @Test
  void aReadThatWasCancelledGoesOnAfterItsLastBatch() throws IOException {
    Example table = manyRows();
    Query query = table.query().build();
    Random random = new Random(3);
    List<Long> all = new ArrayList<>();
    int cancelled = 0;
    try (StoredTable stored = stored(table)) {
      @Nullable Query next = query;
      while (next != null) {
        try (ColumnarReader reader = stored.columns(next, WRITTEN_SECONDS)) {
          Longs values = new Longs();
          int count = reader.fill(new ColumnVector[] {null, values}, 1 + random.nextInt(30));
          Arrays.stream(values.values).limit(count).forEach(all::add);
          // Cancelled by its first row, so that another one is never reached.
          Cancelling cancelling = new Cancelling(reader);
          if (reader.pagingState().isPresent()) {
            try {
              int more = reader.fill(new ColumnVector[] {cancelling, values}, 40);
              assertThat(more).isZero();
            } catch (QueryCancelledException e) {
              assertThat(e).hasMessageContaining("it has returned " + count + " row");
              cancelled++;
            }
          }
          next = reader.pagingState().map(query::after).orElse(null);
        }
      }
      assertThat(all)
          .isEqualTo(
              stored.all(query, WRITTEN_SECONDS).stream()
                  .map(row -> (long) row.getInt("c"))
                  .toList());
      assertThat(cancelled).isPositive();
    }
  }

  private record Cancelling(ColumnarReader reader) implements ColumnVector {
    @Override
    public void putNull(int row) {
      throw new AssertionError("keys are not null");
    }

    @Override
    public void putLong(int row, long value) {
      reader.cancel();
    }
  }

  @Test
  void aTimeoutEndsABatch() throws IOException {
    Example table = manyRows();
    Query query = table.query().timeout(Duration.ofNanos(50)).build();
    AtomicLong clock = new AtomicLong();
    List<Boolean> ended = new ArrayList<>();
    try (StoredTable stored = stored(table);
        ColumnarReader reader =
            ColumnarReader.open(
                query, WRITTEN_SECONDS, new Ended(stored, ended), clock::getAndIncrement)) {
      @Nullable ColumnVector[] none = new ColumnVector[2];
      assertThat(reader.fill(none, 10)).isEqualTo(10);
      clock.set(100);
      QueryCancelledException thrown =
          catchThrowableOfType(QueryCancelledException.class, () -> reader.fill(none, 1000));
      assertThat(thrown.timeout()).contains(Duration.ofNanos(50));
      assertThat(thrown).hasMessageContaining("it has returned 10 rows");
      assertThat(ended).containsExactly(true);
      assertThat(stored.open()).isZero();
      assertThatThrownBy(() -> reader.fill(none, 1)).isSameAs(thrown);
      assertThat(reader.rows()).isEqualTo(10);
      Query rest = table.query().build().after(reader.pagingState().orElseThrow());
      assertThat(stored.all(rest, WRITTEN_SECONDS)).hasSize(90);
    }
  }

  /** Notes how reads ended early. */
  private record Ended(StoredTable stored, List<Boolean> ended) implements CursorSource {
    @Override
    public PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
      return stored.open(read);
    }

    @Override
    public void ended(boolean isTimeout) {
      ended.add(isTimeout);
    }
  }

  @Test
  void whatCannotBeFilledIsRefusedByName() throws IOException {
    Example table = new Example("CREATE TABLE ks.t (k int PRIMARY KEY, v text, i tinyint)");
    table.partition(1).insert().set("v", "x").raw("i", new byte[] {1, 2, 3});
    Query query = table.query().select("v", "i").build();
    try (StoredTable stored = stored(table)) {
      try (ColumnarReader reader = stored.columns(query, WRITTEN_SECONDS)) {
        assertThatThrownBy(() -> reader.fill(new ColumnVector[2], 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("2 vectors for the 3 columns [k, v, i]");
        assertThatThrownBy(() -> reader.fill(new ColumnVector[3], 0))
            .hasMessage("a batch of 0 rows, allowed 1 or more");
        Longs longs = new Longs();
        assertThatThrownBy(() -> reader.fill(new ColumnVector[] {null, longs, null}, 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "column 'v' is of type text, and its vector takes no bytes: "
                    + Longs.class.getName());
        assertThatThrownBy(() -> reader.fill(new ColumnVector[3], 1))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("a read failed before");
      }
      try (ColumnarReader reader = stored.columns(query, WRITTEN_SECONDS)) {
        assertThatThrownBy(() -> reader.fill(new ColumnVector[] {null, null, new Longs()}, 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "the value of column 'i' of ks.t is none of type tinyint: tinyint of 3 bytes, allowed"
                    + " 1");
      }
      ColumnarReader closed = stored.columns(query, WRITTEN_SECONDS);
      closed.close();
      closed.close();
      assertThatThrownBy(() -> closed.fill(new ColumnVector[3], 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the rows were closed");
      assertThat(stored.open()).isZero();
    }
  }
}
