package io.siltstone.tools.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records are returned in order, equal ones as they were added, however little memory there is. */
class RecordSorterTest {
  private record Row(long token, String key, int clustering, int added) {}

  @ParameterizedTest
  @CsvSource({
    // records, different tokens, bytes of memory, bytes of the longest record
    "0, 5, 8192, 10",
    "1, 5, 8192, 10",
    "20000, 7, 4096, 40",
    "20000, 1000000, 4096, 40",
    "3000, 50, 16384, 9000",
    "20000, 300, 67108864, 40",
  })
  void sortsAsAListDoes(int count, int tokens, long budget, int longest) throws IOException {
    long seed = 7L * count + budget;
    Random random = new Random(seed);
    RecordOrder order = new RecordOrder(List.of(CqlTypes.reversed(CqlTypes.INT)));
    MemoryDirectory directory = new MemoryDirectory();
    List<Row> expected = new ArrayList<>();
    List<Row> found = new ArrayList<>();
    try (RecordSorter sorter =
        new RecordSorter(
            order, directory, "run-", budget, new CancelFlag("interrupted, nothing was loaded"))) {
      for (int i = 0; i < count; i++) {
        long token = random.nextInt(tokens) - (long) (tokens / 2);
        Row row = new Row(token, "k" + (token & 1), random.nextInt(6) - 1, i);
        expected.add(row);
        add(sorter, row, 4 + random.nextInt(longest));
      }
      try (RecordStream records = sorter.finish()) {
        while (records.next()) {
          found.add(read(records.bytes(), records.from()));
        }
      }
      long distinct = expected.stream().map(row -> row.token + row.key).distinct().count();
      assertThat((double) sorter.partitions())
          .isBetween(Math.max(1, distinct * 0.95), Math.max(1, distinct * 1.05));
      if (budget <= 16384 && count > 1) {
        assertThat(sorter.filesMade()).isGreaterThan(10);
        assertThat(sorter.passes()).isGreaterThan(2);
      }
    }
    // A clustering of -1 stands for the static row, which comes first.
    expected.sort(
        Comparator.comparingLong(Row::token)
            .thenComparing(Row::key)
            .thenComparing(row -> row.clustering >= 0)
            .thenComparing(row -> -row.clustering));
    assertThat(found).as("seed " + seed).isEqualTo(expected);
    assertThat(directory.files()).isEmpty();
  }

  private static void add(RecordSorter sorter, Row row, int filling) throws IOException {
    ByteSink key = new ByteSink(8);
    key.put(row.key.getBytes(StandardCharsets.UTF_8));
    boolean isStatic = row.clustering < 0;
    int rowLength = Integer.BYTES + Integer.BYTES + filling;
    int length =
        RecordFormat.KEY_AT
            + key.length()
            + 1
            + (isStatic ? 0 : RecordFormat.VALUE_BYTES)
            + rowLength;
    int record = sorter.allocate(length, row.token);
    byte[] bytes = sorter.bytes();
    int at =
        RecordArena.putHead(
            bytes,
            record,
            length,
            row.token,
            key,
            isStatic ? RecordFormat.STATIC : RecordFormat.ROW);
    if (!isStatic) {
      BigEndian.putInt(bytes, at, Integer.BYTES);
      BigEndian.putInt(bytes, at + Integer.BYTES, Integer.BYTES);
      at += RecordFormat.VALUE_BYTES;
    }
    BigEndian.putInt(bytes, at, row.added);
    BigEndian.putInt(bytes, at + Integer.BYTES, row.clustering);
  }

  private static Row read(byte[] bytes, int record) {
    int at = RecordFormat.rowFrom(bytes, record, 1);
    int keyLength = RecordFormat.keyLength(bytes, record);
    return new Row(
        RecordFormat.token(bytes, record),
        new String(bytes, record + RecordFormat.KEY_AT, keyLength, StandardCharsets.UTF_8),
        BigEndian.getInt(bytes, at + Integer.BYTES),
        BigEndian.getInt(bytes, at));
  }
}
