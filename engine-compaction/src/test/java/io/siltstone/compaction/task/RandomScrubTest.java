package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damage of wide partitions, wrong bytes or unreadable ones, loses only the data of the damaged
 * chunks and of the index blocks that they touch; no range tombstone covers other rows than before.
 * If the index is damaged too, more may be lost, but nothing is invented. Tables and damages are
 * random: {@code -Dsiltstone.seed=N} repeats one, {@code -Dsiltstone.scale=N} runs more.
 */
class RandomScrubTest {
  private static final int CHUNK = 4 * 1024;

  // The size of an index block, and half a row.
  private static final int BLOCK = 1024 + 256;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryDirectory disk = new MemoryDirectory();

  static LongStream seeds() {
    Long seed = Long.getLong("siltstone.seed");
    return seed != null ? LongStream.of(seed) : LongStream.range(0, 20L * scale());
  }

  private static int scale() {
    return Integer.getInteger("siltstone.scale", 1);
  }

  /** A row or static row, and the range deletion that covers it. */
  private record Row(String key, String text, String range, long from, long to) {}

  @ParameterizedTest
  @MethodSource("seeds")
  void onlyWhatIsDamagedIsLost(long seed) throws IOException {
    Random random = new Random(seed);
    Descriptor descriptor;
    List<Row> before;
    try (TaskTables tables = TaskTables.open(disk, leaks.memory())) {
      descriptor = fill(tables, random);
      before = rows(tables, tables.live());
    }
    String data = descriptor.fileName(Component.DATA);
    Set<Long> places = places(data, random);
    Directory found = disk;
    if (random.nextInt(3) == 0) {
      found = BadSectors.in(disk, data, places);
    } else {
      for (long place : places) {
        flip(data, (int) place, random);
      }
    }
    boolean hasIndex = random.nextInt(3) > 0;
    if (!hasIndex) {
      String index = descriptor.fileName(Component.PRIMARY_INDEX);
      flip(index, random.nextInt(bytes(index).length), random);
    }
    Set<Long> damaged = chunksOf(places, bytes(descriptor.fileName(Component.COMPRESSION_INFO)));
    try (TaskTables tables = TaskTables.openForSalvage(found, leaks.memory())) {
      JobReport report = tables.compact(tables.live(), tables.options(0).kind(Kind.SCRUB).build());
      assertThat(report.losses()).isNotEmpty();
      verify(tables);
      check(before, rows(tables, tables.live()), hasIndex, damaged, report.losses().toString());
    }
  }

  private static Descriptor fill(TaskTables tables, Random random) throws IOException {
    return tables.flush(
        writes -> {
          int partitions = 1 + random.nextInt(4);
          for (int key = 0; key < partitions; key++) {
            int rows = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 500 + random.nextInt(1500);
            if (random.nextBoolean()) {
              writes.at(10, key, b -> b.set("s", 7));
            }
            if (random.nextInt(3) == 0) {
              writes.at(5, key, b -> b.deletePartition());
            }
            for (int c = 0; c < rows; c++) {
              int row = c;
              String value = Long.toHexString(random.nextLong()).repeat(1 + random.nextInt(4));
              if (random.nextInt(10) > 0) {
                writes.at(100, key, b -> b.insert(row).set("v", value));
              }
            }
            for (int ranges = random.nextInt(60); ranges > 0; ranges--) {
              // Half of the ranges cover rows that stay visible, half have deleted existing ones.
              long time = random.nextBoolean() ? 50 : 200 + random.nextInt(3);
              int from = random.nextInt(rows);
              int to = from + random.nextInt(1 + rows / 10);
              boolean isIncluded = random.nextBoolean();
              writes.at(
                  time,
                  key,
                  b ->
                      b.deleteRange(
                          isIncluded
                              ? ClusteringRange.all().from(from).to(to)
                              : ClusteringRange.all().after(from).before(to + 1)));
            }
          }
        });
  }

  /** The rows of all partitions, with their places if there is one SSTable. */
  private static List<Row> rows(TaskTables tables, Set<Descriptor> of) throws IOException {
    List<Row> rows = new ArrayList<>();
    if (of.isEmpty()) {
      return rows;
    }
    List<long[]> places = of.size() == 1 ? places(tables, of) : List.of();
    String key = "";
    String none = "none";
    String range = none;
    for (String line : tables.content(of)) {
      String kind = line.substring(0, line.indexOf(' '));
      if (kind.endsWith("CLUSTERING")) {
        long[] place = places.isEmpty() ? new long[2] : places.get(rows.size());
        rows.add(new Row(key, line, range, place[0], place[1]));
      } else if (kind.equals("key")) {
        assertThat(range).isEqualTo(none);
        key = line;
      } else {
        boolean opens = kind.contains("START");
        range = opens ? line.substring(line.lastIndexOf(' ')) : none;
      }
    }
    assertThat(range).isEqualTo(none);
    return rows;
  }

  private static List<long[]> places(TaskTables tables, Set<Descriptor> of) throws IOException {
    List<long[]> places = new ArrayList<>();
    try (Claim claim = tables.set.claim(of).orElseThrow();
        DataCursor cursor = claim.inputs().get(0).scan()) {
      while (cursor.nextPartition()) {
        while (cursor.nextUnfiltered()) {
          if (!cursor.unfiltered().isMarker()) {
            places.add(new long[] {cursor.unfilteredPosition(), cursor.position()});
          }
        }
      }
    }
    return places;
  }

  /** Some bytes of a file. */
  private Set<Long> places(String name, Random random) throws IOException {
    int length = bytes(name).length;
    Set<Long> places = new TreeSet<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      places.add((long) random.nextInt(length));
    }
    return places;
  }

  private void flip(String name, int at, Random random) throws IOException {
    byte[] bytes = bytes(name);
    bytes[at] ^= (byte) (1 << random.nextInt(8));
    disk.delete(name);
    try (WritableFile file = disk.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }

  /** Returns where the chunks of places in the file begin in the uncompressed data. */
  private static Set<Long> chunksOf(Set<Long> places, byte[] info) {
    List<Long> chunks = chunks(info);
    return places.stream()
        .map(at -> (chunks.stream().filter(offset -> offset <= at).count() - 1) * CHUNK)
        .collect(Collectors.toSet());
  }

  /** The offsets at the end of a {@code CompressionInfo.db}, whose number is stated before them. */
  private static List<Long> chunks(byte[] info) {
    ByteBuffer buffer = ByteBuffer.wrap(info);
    for (int count = 1; ; count++) {
      int at = info.length - count * Long.BYTES - Integer.BYTES;
      if (buffer.getInt(at) == count) {
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          offsets.add(buffer.getLong(at + Integer.BYTES + i * Long.BYTES));
        }
        return offsets;
      }
    }
  }

  private byte[] bytes(String name) throws IOException {
    try (ReadableFile file = disk.open(name, ReadIntent.SCAN)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) file.length());
      file.read(0, buffer);
      return buffer.array();
    }
  }

  private static void verify(TaskTables tables) throws IOException {
    if (!tables.live().isEmpty()) {
      try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
        for (SSTable output : claim.inputs()) {
          new SSTableVerifier(output).verify(position -> {});
        }
      }
    }
  }

  private static void check(
      List<Row> before, List<Row> after, boolean hasIndex, Set<Long> damaged, String losses) {
    Map<String, Row> left = new HashMap<>();
    after.forEach(row -> left.put(row.key() + row.text(), row));
    // Partitions that are too small for index blocks.
    Set<String> small = new HashSet<>();
    before.stream()
        .collect(Collectors.groupingBy(Row::key))
        .forEach(
            (key, rows) -> {
              if (rows.get(rows.size() - 1).to() - rows.get(0).from() <= 2 * BLOCK) {
                small.add(key);
              }
            });
    int known = 0;
    for (Row row : before) {
      Row now = left.get(row.key() + row.text());
      if (now != null) {
        known++;
        assertThat(now.range()).as(row + ", " + losses).isEqualTo(row.range());
      } else {
        assertThat(!hasIndex || small.contains(row.key()) || mayBeLost(row, damaged))
            .as(row + " is lost, " + losses)
            .isTrue();
      }
    }
    assertThat(after).hasSize(known);
  }

  /** Returns whether a place is in a damaged chunk, or in an index block that touches one. */
  private static boolean mayBeLost(Row row, Set<Long> damaged) {
    return damaged.stream()
        .anyMatch(chunk -> row.to() > chunk && row.from() < chunk + CHUNK + 2 * BLOCK);
  }
}
