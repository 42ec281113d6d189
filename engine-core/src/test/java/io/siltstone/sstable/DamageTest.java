package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.DamagedTable.Form;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

  private static final int FLIPS = 8;
  private static final int CUTS = 4;
  private static final int PARTITIONS = 14;
  private static final int ROWS = 90;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory(MEMORY_LIMIT);

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
    byte[] bytes = DamagedTable.content(directory, name);
    int at = -1;
    for (int i = 15; at < 0; i++) {
      at = indexOf(bytes, orderless.value(orderless.type().isReversed() ? -i : i));
    }
    bytes[at + orderless.at()] ^= (byte) orderless.change();
    directory.delete(name);
    DamagedTable.put(directory, name, bytes);
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
    ModelTables.writeUnverified(model, directory, descriptor, Form.PLAIN_OA.options(), memory);
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
    DamagedTable table = new DamagedTable(form, seed, PARTITIONS, ROWS, crcCheckChance, memory);
    table.requireSound();
    boolean hasTries = form.descriptor().version().hasTrieIndex();
    assertThat(table.file(hasTries ? Component.ROWS : Component.PRIMARY_INDEX).length)
        .as("an index with blocks")
        .isGreaterThan(12 * PARTITIONS);
    Random random = new Random(seed);
    for (Component component : table.components()) {
      if (!damaged.contains(component)) {
        continue;
      }
      byte[] original = table.file(component);
      int bits = 8 * original.length;
      int flips = Math.min(bits, FLIPS * Integer.getInteger("siltstone.scale", 1));
      for (int i = 0; i < flips; i++) {
        // All of them in order, or as many spread over the file.
        int bit = flips == bits ? i : (int) ((i + random.nextDouble()) * bits / flips);
        byte[] flipped = original.clone();
        flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
        table.damage(component, flipped, "bit " + bit);
      }
      int cuts = Math.min(original.length, CUTS * Integer.getInteger("siltstone.scale", 1));
      for (int i = 0; i < cuts; i++) {
        int length = (int) ((long) i * original.length / cuts);
        byte[] cut = Arrays.copyOf(original, length);
        table.damage(component, cut, "cut to " + length + " of " + original.length);
      }
    }
    table.requireFewHidden();
  }
}
