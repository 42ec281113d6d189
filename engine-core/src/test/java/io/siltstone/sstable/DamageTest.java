package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Column;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever is damaged: a table gives what was written or says which component is corrupt, and
 * nothing else. A sample of all flips and cuts; all of them with {@code -Dsiltstone.scale=1000}.
 */
class DamageTest {
  /** More than any read of these tables needs. */
  private static final long MEMORY_LIMIT = 4 << 20;

  private static final int FLIPS = 30;
  private static final int CUTS = 8;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory(MEMORY_LIMIT);

  /** What is damaged. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Form {
    LZ4_NB(FormatVersion.NB, "LZ4Compressor"),
    LZ4_OA(FormatVersion.OA, "LZ4Compressor"),
    SNAPPY_OA(FormatVersion.OA, "SnappyCompressor"),
    ZSTD_NB(FormatVersion.NB, "ZstdCompressor"),
    DEFLATE_OA(FormatVersion.OA, "DeflateCompressor"),
    NOOP_NB(FormatVersion.NB, "NoopCompressor"),
    PLAIN_NB(FormatVersion.NB, ""),
    PLAIN_OA(FormatVersion.OA, "");

    private final FormatVersion version;
    private final CompressionOptions compression;

    Form(FormatVersion version, String compressor) {
      this.version = version;
      this.compression =
          compressor.isEmpty()
              ? CompressionOptions.NONE
              : CompressionOptions.fromMap(Map.of("class", compressor, "chunk_length_in_kb", "1"));
    }

    Descriptor descriptor() {
      return Descriptor.of(version, 1);
    }

    SSTableWriterOptions options() {
      return SSTableWriterOptions.builder()
          .compression(compression)
          .columnIndexSizeBytes(1024)
          .minIndexInterval(3)
          .expectedPartitions(50)
          .build();
    }

    TableModel model(long seed) {
      return RandomPartitions.of(new Random(seed), schema(), version, 14, 90);
    }
  }

  /** Statics, a complex column, a descending clustering column. */
  static TableSchema schema() {
    return SchemaParser.parse(
            "CREATE TABLE ks.t (k int, c int, s text static, v text, m map<int, text>,"
                + " PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)")
        .onlyTable();
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void everyFlippedBitIsFoundOrDoesNotMatter(Form form) throws IOException {
    damageAll(form, 1, EnumSet.allOf(Component.class));
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void withoutCheckingChunksNothingButValuesGoesWrong(Form form) throws IOException {
    // Others are read the same with and without.
    damageAll(
        form,
        0,
        EnumSet.of(Component.DATA, Component.COMPRESSION_INFO, Component.CRC, Component.DIGEST));
  }

  /**
   * A clustering type, and what of its value is changed so that nothing can be compared with it.
   */
  private record Orderless(CqlType type, String literal, int at, int change) {
    byte[] value(int number) {
      return type.encodeLiteral(literal.formatted(0x01020300 + number));
    }
  }

  private static List<Orderless> orderless() {
    CqlType integers = CqlTypes.list(CqlTypes.INT).frozen();
    return List.of(
        new Orderless(integers, "[%d]", 4, 0x40),
        new Orderless(CqlTypes.reversed(integers), "[%d]", 4, 0x80),
        new Orderless(CqlTypes.tuple(List.of(CqlTypes.INT)), "(%d)", 0, 0x40),
        new Orderless(CqlTypes.map(CqlTypes.INT, CqlTypes.INT).frozen(), "{%d: 1}", 12, 0x40),
        // A length of 4 for one of 8.
        new Orderless(CqlTypes.list(CqlTypes.DECIMAL).frozen(), "[%d]", 7, 0x0c));
  }

  /** Nothing says that it is not, but the values themselves. */
  @Test
  void aClusteringThatCannotBeComparedIsCorrupt() throws IOException {
    for (Orderless orderless : orderless()) {
      for (Component component : List.of(Component.PRIMARY_INDEX, Component.DATA)) {
        damageClustering(orderless, component);
      }
    }
  }

  private void damageClustering(Orderless orderless, Component component) throws IOException {
    SimpleTable table = tableOf(orderless.type(), new HeaderColumn("v", CqlTypes.BLOB));
    List<Item> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int number = orderless.type().isReversed() ? -i : i;
      rows.add(SimpleTable.row(at(table, orderless.value(number)), value(new byte[100])));
    }
    TableModel model =
        table.partition(SimpleTable.key((byte) 1), rows.toArray(Item[]::new)).model();
    MemoryDirectory directory = new MemoryDirectory();
    Descriptor descriptor = Form.PLAIN_OA.descriptor();
    ModelTables.write(model, directory, descriptor, Form.PLAIN_OA.options(), memory);
    String name = descriptor.fileName(component);
    byte[] bytes = content(directory, name);
    int at = -1;
    for (int i = 15; at < 0; i++) {
      at = indexOf(bytes, orderless.value(orderless.type().isReversed() ? -i : i));
    }
    bytes[at + orderless.at()] ^= (byte) orderless.change();
    directory.delete(name);
    put(directory, name, bytes);
    directory.delete(descriptor.fileName(Component.DIGEST));
    SSTableOptions unchecked = SSTableOptions.DEFAULT.withCrcCheckChance(0);
    int corrupt = 0;
    try (SSTable opened = SSTable.open(directory, descriptor, unchecked, memory);
        PartitionReader reader = opened.reader()) {
      assertThatThrownBy(() -> new SSTableVerifier(opened).verify(position -> {}))
          .isInstanceOfSatisfying(
              CorruptSSTableException.class, e -> assertThat(e.component()).isEqualTo(component));
      Partition partition = model.partitions().get(0);
      for (Item row : rows) {
        List<Slice> slices = List.of(Slice.of(row.clustering()));
        for (boolean reversed : new boolean[] {false, true}) {
          try {
            assertThat(ModelTables.read(reader, partition.key(), slices, reversed))
                .isEqualTo(model.read(partition, slices, reversed));
          } catch (CorruptSSTableException e) {
            corrupt++;
          }
        }
      }
    }
    assertThat(corrupt).as("%s, %s", orderless, component).isPositive();
  }

  /** Cassandra takes four bytes for a decimal, too, but cannot compare it. */
  @Test
  void aDecimalWithoutDigitsIsCorruptAsClustering() throws IOException {
    SimpleTable table = tableOf(CqlTypes.DECIMAL, new HeaderColumn("v", CqlTypes.BLOB));
    Item row = SimpleTable.row(at(table, new byte[Integer.BYTES]), value(new byte[1]));
    assertCorruptData(
        table.partition(SimpleTable.key((byte) 1), row).model(), "decimal of 4 bytes");
  }

  @Test
  void cellsOutOfOrderAreFound() throws IOException {
    HeaderColumn map = new HeaderColumn("m", CqlTypes.map(CqlTypes.INT, CqlTypes.INT));
    for (int[] paths : new int[][] {{2, 1}, {1, 2, 2}}) {
      SimpleTable table = tableOf(CqlTypes.INT, map);
      List<Cell> cells = new ArrayList<>();
      for (int path : paths) {
        cells.add(
            new Cell(
                SimpleTable.intBytes(path),
                SimpleTable.NOW,
                DeletionTime.NO_TTL,
                DeletionTime.NO_DELETION_TIME,
                SimpleTable.intBytes(7)));
      }
      Item row =
          SimpleTable.row(
              table.at(ClusteringKind.CLUSTERING, 1), new Column(0, Deletion.NONE, cells));
      assertCorruptData(table.partition(SimpleTable.key((byte) 1), row).model(), "out of order");
    }
  }

  private void assertCorruptData(TableModel model, String message) throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    Descriptor descriptor = Form.PLAIN_OA.descriptor();
    ModelTables.write(model, directory, descriptor, Form.PLAIN_OA.options(), memory);
    try (SSTable opened = SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory)) {
      assertThatThrownBy(() -> new SSTableVerifier(opened).verify(position -> {}))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining(descriptor.fileName(Component.DATA))
          .hasMessageContaining(message);
    }
  }

  private static SimpleTable tableOf(CqlType clustering, HeaderColumn column) {
    return new SimpleTable(
        FormatVersion.OA,
        new SerializationHeader(
            CqlTypes.BLOB, List.of(clustering), List.of(), List.of(column), EncodingStats.NONE));
  }

  private static Clustering at(SimpleTable table, byte[] value) {
    return Clustering.of(ClusteringKind.CLUSTERING, table.encoding(), List.of(value));
  }

  private static Column value(byte[] bytes) {
    return SimpleTable.column(0, SimpleTable.live(bytes));
  }

  /** Where bytes lie in others, -1 if nowhere. */
  private static int indexOf(byte[] bytes, byte[] wanted) {
    for (int at = 0; at <= bytes.length - wanted.length; at++) {
      if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }

  private void damageAll(Form form, double crcCheckChance, Set<Component> damaged)
      throws IOException {
    long seed = Long.getLong("siltstone.seed", form.name().hashCode());
    Bench bench = new Bench(form, seed, crcCheckChance);
    bench.assertUndamagedHolds();
    Random random = new Random(seed);
    for (Component component : bench.files.keySet()) {
      if (!damaged.contains(component)) {
        continue;
      }
      byte[] original = bench.file(component);
      int bits = 8 * original.length;
      int flips = Math.min(bits, FLIPS * Integer.getInteger("siltstone.scale", 1));
      for (int i = 0; i < flips; i++) {
        // All of them in order, or as many spread over the file.
        int bit = flips == bits ? i : (int) ((i + random.nextDouble()) * bits / flips);
        byte[] flipped = original.clone();
        flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
        bench.damage(component, flipped, "bit " + bit);
      }
      int cuts = Math.min(original.length, CUTS * Integer.getInteger("siltstone.scale", 1));
      for (int i = 0; i < cuts; i++) {
        int length = (int) ((long) i * original.length / cuts);
        byte[] cut = Arrays.copyOf(original, length);
        bench.damage(component, cut, "cut to " + length + " of " + original.length);
      }
    }
    bench.assertFewHidden();
  }

  /** A table whose files are replaced one at a time. */
  private final class Bench {
    private final Form form;
    private final long seed;
    private final SSTableOptions options;
    private final TableModel model;
    private final List<String> scan;
    private final Map<Component, byte[]> files = new TreeMap<>();
    private final List<List<Slice>> slices = new ArrayList<>();
    private final List<PartitionKey> absent = new ArrayList<>();
    private int damages;
    private int hidden;

    Bench(Form form, long seed, double crcCheckChance) throws IOException {
      this.form = form;
      this.seed = seed;
      this.options = SSTableOptions.DEFAULT.withCrcCheckChance(crcCheckChance);
      this.model = form.model(seed);
      this.scan = model.scan();
      MemoryDirectory written = new MemoryDirectory();
      ModelTables.write(model, written, form.descriptor(), form.options(), memory);
      for (Component component : Component.values()) {
        String name = form.descriptor().fileName(component);
        if (written.exists(name)) {
          files.put(component, content(written, name));
        }
      }
      Random random = new Random(seed);
      try (SSTable table = SSTable.open(written, form.descriptor(), options, memory)) {
        for (Partition partition : model.partitions()) {
          slices.add(RandomPartitions.slices(random, model, table.encoding(), partition));
        }
      }
      for (int i = 0; i < 3; i++) {
        byte[] key = {1, 2, 3, (byte) i};
        absent.add(PartitionKey.of(key, model.partitioner().token(key, 0, key.length)));
      }
    }

    byte[] file(Component component) {
      return Objects.requireNonNull(files.get(component));
    }

    void assertUndamagedHolds() throws IOException {
      assertThat(file(Component.PRIMARY_INDEX).length)
          .as("an index with blocks")
          .isGreaterThan(12 * model.partitions().size());
      Outcome outcome = read(Map.of());
      assertThat(outcome.wrong).isEmpty();
      assertThat(outcome.corrupt).isEmpty();
    }

    private Outcome read(Map<Component, byte[]> replaced) throws IOException {
      MemoryDirectory directory = new MemoryDirectory();
      for (Map.Entry<Component, byte[]> file : files.entrySet()) {
        byte[] bytes = replaced.getOrDefault(file.getKey(), file.getValue());
        put(directory, form.descriptor().fileName(file.getKey()), bytes);
      }
      return new Outcome(this, directory);
    }

    void damage(Component component, byte[] bytes, String what) throws IOException {
      String name = form + ", seed " + seed + ", " + component + ", " + what;
      Outcome outcome;
      try {
        outcome = read(Map.of(component, bytes));
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError(name + ": " + e, e);
      }
      damages++;
      for (CorruptSSTableException e : outcome.corrupt) {
        assertThat(blamable(component)).as("%s: %s", name, e).contains(e.component());
        assertThat(e.path()).as(name).endsWith(form.descriptor().fileName(e.component()));
      }
      if (component == Component.DATA && options.crcCheckChance() == 0) {
        return;
      }
      if (!outcome.wrong.isEmpty()) {
        // Without a checksum a filter may hide a key, and an index entry or the deletion in an
        // index block may be another that would do. Who verifies finds it.
        assertThat(component)
            .as("%s: %s", name, outcome.wrong)
            .isIn(Component.FILTER, Component.PRIMARY_INDEX);
        assertThat(outcome.verified).as("%s: %s", name, outcome.wrong).isFalse();
        assertThat(outcome.wrong).as(name).allMatch(wrong -> wrong.startsWith("hidden"));
        hidden += component == Component.PRIMARY_INDEX ? 1 : 0;
      }
    }

    void assertFewHidden() {
      assertThat(hidden).as("%s of %s damages", hidden, damages).isLessThan(damages / 50);
    }

    /** Which components an error may name: two that contradict each other are both suspect. */
    private static Set<Component> blamable(Component damaged) {
      return switch (damaged) {
        case DATA ->
            EnumSet.of(
                Component.DATA, Component.COMPRESSION_INFO, Component.CRC, Component.PRIMARY_INDEX);
        case FILTER -> EnumSet.of(Component.FILTER, Component.PRIMARY_INDEX);
        case COMPRESSION_INFO ->
            EnumSet.of(Component.DATA, Component.COMPRESSION_INFO, Component.PRIMARY_INDEX);
        case CRC -> EnumSet.of(Component.DATA, Component.CRC);
        case DIGEST -> EnumSet.of(Component.DATA, Component.DIGEST);
        case SUMMARY -> EnumSet.of(Component.SUMMARY, Component.PRIMARY_INDEX);
        case PRIMARY_INDEX -> EnumSet.of(Component.PRIMARY_INDEX, Component.SUMMARY);
        default -> EnumSet.of(damaged);
      };
    }
  }

  /** What came of reading a table in all ways: what was found corrupt, what was silently wrong. */
  private final class Outcome {
    private final List<CorruptSSTableException> corrupt = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private boolean verified;

    Outcome(Bench bench, Directory directory) throws IOException {
      try (SSTable table =
          SSTable.open(directory, bench.form.descriptor(), bench.options, memory)) {
        attempt(
            () -> {
              new SSTableVerifier(table).verify(position -> {});
              verified = true;
            });
        attempt(() -> compare("scan", ModelTables.scan(table), bench.scan));
        int middle = bench.model.partitions().size() / 2;
        PartitionRange range =
            new PartitionRange(
                bench.model.partitions().get(middle - 1).key(),
                bench.model.partitions().get(middle + 1).key());
        attempt(() -> compare("range", ModelTables.scan(table, range), bench.model.scan(range)));
        try (PartitionReader reader = table.reader()) {
          for (int i = 0; i < bench.model.partitions().size(); i++) {
            read(bench, reader, bench.model.partitions().get(i), bench.slices.get(i));
          }
          for (PartitionKey key : bench.absent) {
            attempt(() -> compare("absent", ModelTables.read(reader, key), List.of()));
          }
        }
      } catch (CorruptSSTableException e) {
        corrupt.add(e);
      }
    }

    private void read(Bench bench, PartitionReader reader, Partition partition, List<Slice> slices)
        throws IOException {
      attempt(
          () ->
              compare(
                  "hidden",
                  ModelTables.read(reader, partition.key()),
                  bench.model.read(partition)));
      for (boolean reversed : new boolean[] {false, true}) {
        attempt(
            () ->
                compare(
                    "hidden " + (reversed ? "reversed" : "forward"),
                    ModelTables.read(reader, partition.key(), slices, reversed),
                    bench.model.read(partition, slices, reversed)));
      }
    }

    private void attempt(Reading reading) throws IOException {
      try {
        reading.run();
      } catch (CorruptSSTableException e) {
        corrupt.add(e);
      }
    }

    private void compare(String what, List<String> found, List<String> expected) {
      if (found.equals(expected)) {
        return;
      }
      boolean hidden = found.isEmpty() || withoutTimes(found).equals(withoutTimes(expected));
      wrong.add(
          (hidden ? what : "wrong " + what)
              + ": first of the lines that differ "
              + found.stream().filter(line -> !expected.contains(line)).findFirst()
              + " for "
              + expected.stream().filter(line -> !found.contains(line)).findFirst()
              + " of "
              + expected.size()
              + ", found "
              + found.size());
    }

    /** Without the deletions of markers, which slices may have from an index block. */
    private static List<String> withoutTimes(List<String> lines) {
      return lines.stream()
          .map(line -> line.contains("BOUND") ? line.replaceAll(" deleted@\\S+", "") : line)
          .toList();
    }
  }

  private interface Reading {
    void run() throws IOException;
  }

  static byte[] content(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      assertThat(file.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
      return bytes;
    }
  }

  static void put(Directory directory, String name, byte[] bytes) throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
  }
}
