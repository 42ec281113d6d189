package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.Slice;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnsupportedFileException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An SSTable whose files are damaged one at a time: each damage must be found, by an exception that
 * names a component that may be at fault, or make no difference. Used by one thread.
 */
public final class DamagedTable {
  /** How an SSTable is written. */
  @SuppressWarnings("ImmutableEnumChecker")
  public enum Form {
    LZ4_NB(FormatVersion.NB, "LZ4Compressor"),
    LZ4_OA(FormatVersion.OA, "LZ4Compressor"),
    SNAPPY_PA(FormatVersion.PA, "SnappyCompressor"),
    LZ4_DA(FormatVersion.DA, "LZ4Compressor"),
    PLAIN_EA(FormatVersion.EA, ""),
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

    TableModel model(long seed, int partitions, int rows) {
      return RandomPartitions.of(new Random(seed), schema(), version, partitions, rows);
    }
  }

  /** Statics, a complex column, a descending clustering column. */
  static TableSchema schema() {
    return SchemaParser.parse(
            "CREATE TABLE ks.t (k int, c int, s text static, v text, m map<int, text>,"
                + " PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)")
        .onlyTable();
  }

  private final Form form;
  private final long seed;
  private final SSTableOptions options;
  private final TableModel model;
  private final List<String> scan;
  private final Map<Component, byte[]> files = new TreeMap<>();
  private final List<List<Slice>> slices = new ArrayList<>();
  private final List<PartitionKey> absent = new ArrayList<>();
  private final MemoryBudget memory;
  private int damages;
  private int hidden;

  /** What became of a damage. */
  public enum Result {
    /** Everything was read as it was written. */
    HARMLESS,
    /** A read, or the verifier, has named the component. */
    FOUND,
    /**
     * Some point reads do not find a key, or decide by another deletion, and only the verifier
     * finds out: one of the gaps that Cassandra's format leaves.
     */
    HIDDEN
  }

  /**
   * Writes a random table.
   *
   * @param partitions how many
   * @param rows at most in a partition
   * @param crcCheckChance with which the checksums of chunks are compared
   * @param memory that reads may use
   */
  public DamagedTable(
      Form form, long seed, int partitions, int rows, double crcCheckChance, MemoryBudget memory)
      throws IOException {
    this.form = form;
    this.seed = seed;
    this.options = SSTableOptions.DEFAULT.withCrcCheckChance(crcCheckChance);
    this.memory = memory;
    this.model = form.model(seed, partitions, rows);
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

  /** Returns the components of the table. */
  public Set<Component> components() {
    return files.keySet();
  }

  /** Returns the undamaged content of a component. */
  public byte[] file(Component component) {
    return Objects.requireNonNull(files.get(component));
  }

  /** Fails unless the undamaged table is read as it was written. */
  public void requireSound() throws IOException {
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

  /**
   * Reads the table in all ways, with another content of one component.
   *
   * @param what the damage, for messages
   * @throws AssertionError if rows are wrong without notice, or the exception names a component
   *     that cannot be at fault
   */
  public Result damage(Component component, byte[] bytes, String what) throws IOException {
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
    String unsupported = outcome.unsupported;
    if (unsupported != null) {
      assertThat(unsupported).as(name).contains(form.descriptor().fileName(component));
      return Result.FOUND;
    }
    if (component == Component.DATA && options.crcCheckChance() == 0) {
      return Result.HARMLESS;
    }
    if (!outcome.wrong.isEmpty()) {
      // Without a checksum a filter may hide a key, and an index entry or the deletion in an
      // index block may be another that would do. Who verifies finds it.
      assertThat(component)
          .as("%s: %s", name, outcome.wrong)
          .isIn(Component.FILTER, Component.PRIMARY_INDEX, Component.PARTITIONS, Component.ROWS);
      assertThat(outcome.verified).as("%s: %s", name, outcome.wrong).isFalse();
      assertThat(outcome.wrong)
          .as(name)
          .allMatch(wrong -> wrong.startsWith("hidden") || wrong.startsWith("range"));
      hidden += component == Component.FILTER ? 0 : 1;
      return Result.HIDDEN;
    }
    return outcome.corrupt.isEmpty() ? Result.HARMLESS : Result.FOUND;
  }

  /**
   * Fails if too many damages of the index were hidden: more than one, and than a fiftieth of them,
   * or a twenty-fifth for tries.
   */
  void requireFewHidden() {
    // A node of a trie leads to several keys.
    int least = form.version.hasTrieIndex() ? 25 : 50;
    assertThat(hidden)
        .as("%s of %s damages", hidden, damages)
        .isLessThan(Math.max(2, damages / least));
  }

  /** Which components an error may name: two that contradict each other are both suspect. */
  private Set<Component> blamable(Component damaged) {
    Set<Component> blamable = EnumSet.of(damaged);
    blamable.addAll(
        switch (damaged) {
          case DATA -> EnumSet.of(Component.COMPRESSION_INFO, Component.CRC);
          case COMPRESSION_INFO, CRC, DIGEST -> EnumSet.of(Component.DATA);
          default -> EnumSet.noneOf(Component.class);
        });
    Set<Component> index = form.version.indexComponents();
    switch (damaged) {
      case DATA, COMPRESSION_INFO, FILTER -> blamable.add(form.version.keyComponent());
      case PRIMARY_INDEX, SUMMARY, PARTITIONS, ROWS -> blamable.addAll(index);
      default -> {}
    }
    if (damaged == Component.DATA) {
      blamable.addAll(index);
      blamable.remove(Component.SUMMARY);
    }
    return blamable;
  }

  /** What came of reading a table in all ways: what was found corrupt, what was silently wrong. */
  private static final class Outcome {
    private final List<CorruptSSTableException> corrupt = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private boolean verified;
    private @Nullable String unsupported;

    Outcome(DamagedTable of, Directory directory) throws IOException {
      try (SSTable table = SSTable.open(directory, of.form.descriptor(), of.options, of.memory)) {
        attempt(
            () -> {
              new SSTableVerifier(table).verify(position -> {});
              verified = true;
            });
        attempt(() -> compare("scan", ModelTables.scan(table), of.scan));
        int middle = of.model.partitions().size() / 2;
        PartitionRange range =
            new PartitionRange(
                of.model.partitions().get(middle - 1).key(),
                of.model.partitions().get(middle + 1).key());
        attempt(() -> compare("range", ModelTables.scan(table, range), of.model.scan(range)));
        try (PartitionReader reader = table.reader()) {
          for (int i = 0; i < of.model.partitions().size(); i++) {
            read(of, reader, of.model.partitions().get(i), of.slices.get(i));
          }
          for (PartitionKey key : of.absent) {
            attempt(() -> compare("absent", ModelTables.read(reader, key), List.of()));
          }
        }
      } catch (CorruptSSTableException e) {
        corrupt.add(e);
      } catch (UnsupportedFileException | UnsupportedSSTableException e) {
        // A damaged name of a compressor is one that is not known.
        unsupported = String.valueOf(e.getMessage());
      }
    }

    private void read(
        DamagedTable of, PartitionReader reader, Partition partition, List<Slice> slices)
        throws IOException {
      attempt(
          () ->
              compare(
                  "hidden", ModelTables.read(reader, partition.key()), of.model.read(partition)));
      for (boolean reversed : new boolean[] {false, true}) {
        attempt(
            () ->
                compare(
                    "hidden " + (reversed ? "reversed" : "forward"),
                    ModelTables.read(reader, partition.key(), slices, reversed),
                    of.model.read(partition, slices, reversed)));
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
      boolean hidden =
          found.isEmpty()
              || withoutTimes(found).equals(withoutTimes(expected))
              // A range whose first or last keys the index hides.
              || (what.equals("range") && Collections.indexOfSubList(expected, found) >= 0);
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
