package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.RebuildReport;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.DamagedTable.Form;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is lost or damaged of one component is rebuilt from the others, or refused. Enlarged with
 * {@code -Dsiltstone.scale=N}.
 */
class SSTableRebuildTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private MemoryDirectory write(Form form, TableModel model) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    SSTableWriterOptions options =
        form.options().toBuilder().expectedPartitions(model.partitions().size()).build();
    ModelTables.write(model, disk, form.descriptor(), options, memory);
    return disk;
  }

  private RebuildOptions options(Form form, TableModel model) {
    SSTableWriterOptions written = form.options();
    return new RebuildOptions(
        new RebuildOptions.Columns(model.header(), List.of(), List.of()),
        new RebuildOptions.Settings(
            written.compression(),
            written.bloomFilterFpChance(),
            written.minIndexInterval(),
            written.columnIndexSizeBytes()),
        null,
        null,
        false);
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) file.length());
      file.readFully(0, buffer);
      return buffer.array();
    }
  }

  private static void replace(Directory directory, String name, byte[] bytes) throws IOException {
    if (directory.exists(name)) {
      directory.delete(name);
    }
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }

  private static Map<Component, byte[]> contents(Directory directory, Descriptor descriptor)
      throws IOException {
    Map<Component, byte[]> contents = new TreeMap<>();
    for (Component component : Component.values()) {
      String name = descriptor.fileName(component);
      if (directory.exists(name)) {
        contents.put(component, bytes(directory, name));
      }
    }
    return contents;
  }

  private static Set<Component> rebuilt(RebuildReport report) {
    return report.rebuilt().stream()
        .map(RebuildReport.Rebuilt::component)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Component.class)));
  }

  private RebuildReport rebuild(Directory directory, Form form, TableModel model)
      throws IOException {
    return SSTableRebuild.run(directory, form.descriptor(), options(form, model), memory);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void ofASoundTableNothingIsRebuilt(Form form) throws IOException {
    TableModel model = form.model(1, 14, 90);
    MemoryDirectory disk = write(form, model);
    List<String> files = disk.files();
    RebuildReport report = rebuild(disk, form, model);
    assertThat(report.rebuilt()).isEmpty();
    assertThat(report.remarks()).isEmpty();
    assertThat(disk.files()).isEqualTo(files);
    assertThat(disk.directories()).isEmpty();
  }

  /** Of what our own writer wrote each comes back byte for byte, if it says nothing of its own. */
  @ParameterizedTest
  @EnumSource(Form.class)
  void eachComponentThatIsMissingIsRebuiltAsItWas(Form form) throws IOException {
    TableModel model = form.model(2, 14, 90);
    Map<Component, byte[]> original = contents(write(form, model), form.descriptor());
    for (Component component : original.keySet()) {
      if (component == Component.DATA || component == Component.STATISTICS) {
        continue;
      }
      MemoryDirectory disk = write(form, model);
      disk.delete(form.descriptor().fileName(component));
      RebuildReport report = rebuild(disk, form, model);
      assertThat(rebuilt(report)).as("%s", component).contains(component);
      Map<Component, byte[]> after = contents(disk, form.descriptor());
      assertThat(after.keySet()).isEqualTo(original.keySet());
      if (component == Component.TOC) {
        assertThat(text(after.get(component)).lines())
            .containsExactlyInAnyOrderElementsOf(text(original.get(component)).lines().toList());
      } else {
        assertThat(after.get(component)).as("%s", component).isEqualTo(original.get(component));
      }
      ModelTables.assertHolds(model, disk, form.descriptor(), memory);
    }
  }

  /**
   * One flipped bit in any component but the data: the table is as it was, or the rebuild is
   * refused with a reason and changes nothing.
   */
  @ParameterizedTest
  @EnumSource(Form.class)
  void aFlippedBitIsMendedOrRefusedAndNeverGuessed(Form form) throws IOException {
    TableModel model = form.model(3, 14, 90);
    Map<Component, byte[]> original = contents(write(form, model), form.descriptor());
    int refused = 0;
    int tried = 0;
    for (Component component : original.keySet()) {
      if (component == Component.DATA) {
        continue;
      }
      byte[] sound = original.get(component);
      int step = Math.max(1, sound.length / (4 * SCALE));
      for (int at = 0; at < sound.length; at += step) {
        MemoryDirectory disk = new MemoryDirectory();
        for (Map.Entry<Component, byte[]> file : original.entrySet()) {
          replace(disk, form.descriptor().fileName(file.getKey()), file.getValue());
        }
        byte[] damaged = sound.clone();
        damaged[at] ^= (byte) (1 << (at & 7));
        String name = form.descriptor().fileName(component);
        replace(disk, name, damaged);
        List<String> files = disk.files();
        tried++;
        try {
          RebuildReport report = rebuild(disk, form, model);
          ModelTables.assertHolds(model, disk, form.descriptor(), memory);
          if (!report.rebuilt().isEmpty()) {
            assertThat(bytes(quarantined(disk, 1), name)).isEqualTo(damaged);
          }
        } catch (CorruptSSTableException e) {
          refused++;
          assertThat(e).hasMessageContaining(form.descriptor().toString());
          assertThat(bytes(disk, name)).isEqualTo(damaged);
          assertThat(disk.files()).isEqualTo(files);
        }
      }
    }
    assertThat(refused).as("refused of %s", tried).isLessThanOrEqualTo(tried / 20);
  }

  private static Directory quarantined(Directory disk, int number) throws IOException {
    return disk.directory(SSTableQuarantine.DIRECTORY).directory(String.valueOf(number));
  }

  @Test
  void aSecondRebuildKeepsWhatTheFirstOneHasQuarantined() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(4, 14, 90);
    MemoryDirectory disk = write(form, model);
    String name = form.descriptor().fileName(Component.DIGEST);
    for (int number = 1; number <= 2; number++) {
      byte[] damaged = {(byte) ('0' + number)};
      replace(disk, name, damaged);
      assertThat(rebuild(disk, form, model).rebuilt()).hasSize(1);
      assertThat(bytes(quarantined(disk, number), name)).isEqualTo(damaged);
    }
    assertThat(bytes(quarantined(disk, 1), name)).isEqualTo(new byte[] {'1'});
    assertThat(SSTableQuarantine.fileNames(disk)).containsExactly(name);
  }

  @Test
  void aFileWithTheNumberOfADirectoryIsSteppedOver() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(4, 14, 90);
    MemoryDirectory disk = write(form, model);
    Directory quarantine = disk.directory(SSTableQuarantine.DIRECTORY);
    replace(quarantine, "8", new byte[] {1});
    String name = form.descriptor().fileName(Component.DIGEST);
    byte[] damaged = {'0'};
    replace(disk, name, damaged);
    assertThat(rebuild(disk, form, model).rebuilt()).hasSize(1);
    assertThat(bytes(quarantined(disk, 9), name)).isEqualTo(damaged);
    assertThat(bytes(quarantine, "8")).isEqualTo(new byte[] {1});
  }

  @Test
  void aFileWithTheNameOfTheQuarantineIsNamed() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(4, 14, 90);
    MemoryDirectory disk = write(form, model);
    replace(disk, SSTableQuarantine.DIRECTORY, new byte[] {1});
    String name = form.descriptor().fileName(Component.DIGEST);
    replace(disk, name, new byte[] {'0'});
    List<String> files = disk.files();
    assertThatThrownBy(() -> rebuild(disk, form, model))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/quarantine is a file, expected a directory");
    assertThat(disk.files()).isEqualTo(files);
    assertThat(bytes(disk, name)).isEqualTo(new byte[] {'0'});
  }

  @Test
  void eachComponentOfTheStatisticsIsSavedByItself() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(4, 14, 90);
    String name = form.descriptor().fileName(Component.STATISTICS);
    byte[] original = bytes(write(form, model), name);
    Statistics before = Statistics.read(write(form, model), name, form.descriptor().version());
    // Where each begins: validation, compaction, stats, header.
    for (int part = 0; part < 4; part++) {
      MemoryDirectory disk = write(form, model);
      byte[] damaged = original.clone();
      int at = ByteBuffer.wrap(damaged).getInt(8 + 8 * part + 4);
      damaged[at + 9] ^= 1;
      replace(disk, name, damaged);
      RebuildReport report = rebuild(disk, form, model);
      assertThat(rebuilt(report)).containsExactly(Component.STATISTICS);
      Statistics after = Statistics.read(disk, name, form.descriptor().version());
      assertThat(after.header()).as("part %s", part).isEqualTo(before.header());
      if (part != 2) {
        assertThat(bytes(disk, name)).as("part %s", part).isEqualTo(original);
      } else {
        assertThat(report.remarks())
            .singleElement()
            .asString()
            .contains("level, state of repair and position in the commit log are lost");
      }
      ModelTables.assertHolds(model, disk, form.descriptor(), memory);
    }
  }

  @Test
  void timesAreNeverGuessed() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(5, 14, 90);
    MemoryDirectory disk = write(form, model);
    disk.delete(form.descriptor().fileName(Component.STATISTICS));
    List<String> files = disk.files();
    assertThatThrownBy(() -> rebuild(disk, form, model))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("the data does not tell them")
        .hasMessageContaining("minTimestamp, minLocalDeletionTime and minTTL");
    assertThat(disk.files()).isEqualTo(files);

    // Somebody knows them.
    EncodingStats bases = model.header().stats();
    RebuildOptions known = options(form, model);
    RebuildReport report =
        SSTableRebuild.run(disk, form.descriptor(), known.withBases(bases), memory);
    assertThat(rebuilt(report)).containsExactly(Component.STATISTICS);
    assertThat(report.remarks())
        .anyMatch(remark -> remark.contains("The bases that were given cannot be checked"));
    ModelTables.assertHolds(model, disk, form.descriptor(), memory);
  }

  private static SerializationHeader intColumns(List<String> statics, List<String> regulars) {
    return new SerializationHeader(
        CqlTypes.BLOB,
        List.of(CqlTypes.INT),
        statics.stream().map(name -> new HeaderColumn(name, CqlTypes.INT)).toList(),
        regulars.stream().map(name -> new HeaderColumn(name, CqlTypes.INT)).toList(),
        EncodingStats.NONE);
  }

  /** Writes rows with values in all columns of a header, and damages the header. */
  private MemoryDirectory withDamagedHeader(SerializationHeader written) throws IOException {
    SimpleTable table = new SimpleTable(FormatVersion.OA, written);
    for (byte key = 1; key <= 3; key++) {
      table.partitionWithStatic(
          SimpleTable.key(key),
          written.staticColumns().isEmpty()
              ? null
              : SimpleTable.staticRow(columns(written.staticColumns().size())),
          SimpleTable.row(
              table.at(ClusteringKind.CLUSTERING, 1), columns(written.regularColumns().size())));
    }
    MemoryDirectory disk = write(Form.LZ4_OA, table.model());
    String name = Form.LZ4_OA.descriptor().fileName(Component.STATISTICS);
    byte[] statistics = bytes(disk, name);
    statistics[statistics.length - 12] ^= 4;
    replace(disk, name, statistics);
    return disk;
  }

  private static TableModel.Column[] columns(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> SimpleTable.column(i, SimpleTable.live(SimpleTable.intBytes(i))))
        .toArray(TableModel.Column[]::new);
  }

  private RebuildReport rebuild(
      Directory disk, SerializationHeader table, List<String> dropped, List<String> droppedStatics)
      throws IOException {
    SerializationHeader former = intColumns(droppedStatics, dropped);
    return SSTableRebuild.run(
        disk,
        Form.LZ4_OA.descriptor(),
        new RebuildOptions(
            new RebuildOptions.Columns(table, former.regularColumns(), former.staticColumns()),
            new RebuildOptions.Settings(Form.LZ4_OA.options().compression(), 0.01, 128, 65_536),
            null,
            null,
            false),
        memory);
  }

  @Test
  void valuesAreNeverGivenToAColumnThatReplacedTheirs() throws IOException {
    MemoryDirectory regular = withDamagedHeader(intColumns(List.of(), List.of("a", "b")));
    assertThatThrownBy(
            () ->
                rebuild(regular, intColumns(List.of(), List.of("a", "c")), List.of("b"), List.of()))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("the rows could have the columns");
    MemoryDirectory statics = withDamagedHeader(intColumns(List.of("s"), List.of("a")));
    assertThatThrownBy(
            () -> rebuild(statics, intColumns(List.of("t"), List.of("a")), List.of(), List.of("s")))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("the rows could have the columns");
  }

  @Test
  void moreColumnsThanCanBeTriedAreCertainOnlyIfNoneWasDropped() throws IOException {
    List<String> names = IntStream.range(0, 12).mapToObj(i -> "v" + (char) ('a' + i)).toList();
    SerializationHeader written = intColumns(List.of(), names);
    MemoryDirectory disk = withDamagedHeader(written);
    List<String> present = new ArrayList<>(names);
    present.set(5, "vff");
    assertThatThrownBy(
            () -> rebuild(disk, intColumns(List.of(), present), List.of("vf"), List.of()))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("the table has or had 13 columns");
    assertThat(rebuilt(rebuild(disk, written, List.of(), List.of())))
        .contains(Component.STATISTICS);
  }

  @Test
  void basesThatAreNotTheLeastAreFoundFromTheStats() throws IOException {
    Form form = Form.PLAIN_OA;
    TableModel model = form.model(6, 14, 90);
    SerializationHeader header = model.header();
    EncodingStats bases = header.stats();
    EncodingStats other =
        new EncodingStats(
            bases.minTimestamp() - 12_345, bases.minLocalDeletionTime() - 77, bases.minTtl());
    TableModel shifted =
        new TableModel(header.withStats(other), model.partitioner(), model.partitions());
    MemoryDirectory disk = write(form, shifted);
    assertThat(other.minTimestamp()).isNotEqualTo(bases.minTimestamp());
    String name = form.descriptor().fileName(Component.STATISTICS);
    byte[] original = bytes(disk, name);
    byte[] damaged = original.clone();
    damaged[damaged.length - 6] ^= 1;
    replace(disk, name, damaged);
    rebuild(disk, form, shifted);
    assertThat(
            Statistics.read(disk, name, form.descriptor().version())
                .header()
                .stats()
                .minTimestamp())
        .isEqualTo(other.minTimestamp());
    ModelTables.assertHolds(shifted, disk, form.descriptor(), memory);
  }

  @Test
  void statisticsOfAnotherTableAreNotTakenForDamaged() throws IOException {
    for (Form form : List.of(Form.LZ4_OA, Form.LZ4_NB)) {
      TableModel model = form.model(7, 14, 90);
      MemoryDirectory disk = write(form, model);
      String name = form.descriptor().fileName(Component.STATISTICS);
      byte[] foreign = bytes(write(form, form.model(8, 14, 90)), name);
      replace(disk, name, foreign);
      assertThatThrownBy(() -> rebuild(disk, form, model))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining(name);
      assertThat(bytes(disk, name)).isEqualTo(foreign);
    }
  }

  @Test
  void damagedDataIsRefusedAndScrubIsNamed() throws IOException {
    for (Form form : List.of(Form.LZ4_OA, Form.PLAIN_OA)) {
      TableModel model = form.model(9, 14, 90);
      MemoryDirectory disk = write(form, model);
      String name = form.descriptor().fileName(Component.DATA);
      byte[] data = bytes(disk, name);
      data[data.length / 2] ^= 1;
      replace(disk, name, data);
      // Also what could be rebuilt is not, so that nothing is half done.
      disk.delete(form.descriptor().fileName(Component.FILTER));
      List<String> files = disk.files();
      assertThatThrownBy(() -> rebuild(disk, form, model))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("scrub");
      assertThat(disk.files()).isEqualTo(files);
    }
  }

  @Test
  void aDryRunChangesNothing() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(10, 14, 90);
    MemoryDirectory disk = write(form, model);
    disk.delete(form.descriptor().fileName(Component.SUMMARY));
    List<String> files = disk.files();
    RebuildOptions known = options(form, model);
    RebuildReport report =
        SSTableRebuild.run(disk, form.descriptor(), known.withDryRun(true), memory);
    assertThat(rebuilt(report)).containsExactly(Component.SUMMARY);
    assertThat(disk.files()).isEqualTo(files);
  }

  @Test
  void severalComponentsAtOnceAreRebuilt() throws IOException {
    for (Form form : Form.values()) {
      TableModel model = form.model(11, 14, 90);
      MemoryDirectory disk = write(form, model);
      Set<Component> missing = EnumSet.of(Component.FILTER, Component.DIGEST, Component.TOC);
      missing.addAll(form.descriptor().version().indexComponents());
      for (Component component : missing) {
        disk.delete(form.descriptor().fileName(component));
      }
      String statistics = form.descriptor().fileName(Component.STATISTICS);
      byte[] bytes = bytes(disk, statistics);
      // Of the second component, that for compaction.
      bytes[ByteBuffer.wrap(bytes).getInt(20) + 3] ^= 4;
      replace(disk, statistics, bytes);
      rebuild(disk, form, model);
      ModelTables.assertHolds(model, disk, form.descriptor(), memory);
    }
  }

  /** A file of a single chunk does not say how long a chunk may be. */
  @Test
  void theDescriptionOfASingleChunkIsRebuilt() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(12, 14, 90);
    CompressionOptions large = CompressionOptions.DEFAULT.withChunkLengthInKb(256);
    MemoryDirectory disk = new MemoryDirectory();
    ModelTables.write(
        model,
        disk,
        form.descriptor(),
        form.options().toBuilder().compression(large).build(),
        memory);
    disk.delete(form.descriptor().fileName(Component.COMPRESSION_INFO));
    rebuild(disk, form, model);
    ModelTables.assertHolds(model, disk, form.descriptor(), memory);
  }

  private static CompressionDictionary dictionary(byte[] data, CompressionOptions compression) {
    List<byte[]> samples = new ArrayList<>();
    int chunk = compression.chunkLengthBytes();
    for (int at = 0; at + chunk <= data.length; at += chunk) {
      samples.add(Arrays.copyOfRange(data, at, at + chunk));
    }
    return CompressionDictionary.train(samples, compression, 1_800_000_000_000L);
  }

  /** A dictionary is taken from the file itself, from another SSTable, or from the table. */
  @Test
  void theDescriptionOfChunksWithADictionaryIsRebuilt() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(13, 40, 90);
    CompressionOptions compression =
        CompressionOptions.fromMap(
            Map.of(
                "class", "ZstdDictionaryCompressor",
                "chunk_length_in_kb", "1",
                "training_max_dictionary_size", "4KiB"));
    Descriptor first = Descriptor.of(FormatVersion.PA, 1);
    Descriptor second = Descriptor.of(FormatVersion.PA, 2);
    SSTableWriterOptions plain =
        form.options().toBuilder().compression(CompressionOptions.NONE).build();
    MemoryDirectory sample = new MemoryDirectory();
    ModelTables.write(model, sample, first, plain, memory);
    CompressionDictionary dictionary =
        dictionary(bytes(sample, first.fileName(Component.DATA)), compression);
    SSTableWriterOptions written =
        form.options().toBuilder().compression(compression.withDictionary(dictionary)).build();
    MemoryDirectory disk = new MemoryDirectory();
    ModelTables.write(model, disk, first, written, memory);
    ModelTables.write(model, disk, second, written, memory);
    RebuildOptions known =
        new RebuildOptions(
            new RebuildOptions.Columns(model.header(), List.of(), List.of()),
            new RebuildOptions.Settings(compression, 0.01, 128, 1024),
            null,
            null,
            false);
    String info = first.fileName(Component.COMPRESSION_INFO);
    byte[] original = bytes(disk, info);
    byte[] damaged = original.clone();
    // The last offset is followed by kind, id, length, bytes and checksum of the dictionary.
    int section = 1 + Long.BYTES + 2 * Integer.BYTES + dictionary.length();
    damaged[original.length - section - 1] ^= 4;
    replace(disk, info, damaged);
    RebuildReport report = SSTableRebuild.run(disk, first, known, memory);
    assertThat(rebuilt(report)).containsExactly(Component.COMPRESSION_INFO);
    assertThat(bytes(disk, info)).isEqualTo(original);
    disk.delete(info);
    SSTableRebuild.run(disk, first, known, memory);
    assertThat(bytes(disk, info)).isEqualTo(original);
    ModelTables.assertHolds(model, disk, first, memory);
    disk.delete(info);
    disk.delete(second.fileName(Component.COMPRESSION_INFO));
    assertThatThrownBy(() -> SSTableRebuild.run(disk, first, known, memory))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(first.fileName(Component.DATA));
    SSTableRebuild.run(disk, first, known.withDictionary(dictionary), memory);
    assertThat(bytes(disk, info)).isEqualTo(original);
  }

  /** Cassandra 5.0, for which the version is written, has no compressor with a dictionary. */
  @Test
  void theDescriptionInAnOlderVersionNamesNoCompressorWithADictionary() throws IOException {
    Form form = Form.LZ4_OA;
    TableModel model = form.model(14, 14, 90);
    CompressionOptions compression =
        CompressionOptions.fromMap(Map.of("class", "ZstdDictionaryCompressor"));
    MemoryDirectory disk = new MemoryDirectory();
    SSTableWriterOptions written = form.options().toBuilder().compression(compression).build();
    ModelTables.write(model, disk, form.descriptor(), written, memory);
    String info = form.descriptor().fileName(Component.COMPRESSION_INFO);
    byte[] original = bytes(disk, info);
    disk.delete(info);
    RebuildOptions known =
        new RebuildOptions(
            new RebuildOptions.Columns(model.header(), List.of(), List.of()),
            new RebuildOptions.Settings(compression, 0.01, 128, 1024),
            null,
            null,
            false);
    SSTableRebuild.run(disk, form.descriptor(), known, memory);
    assertThat(bytes(disk, info)).isEqualTo(original);
  }

  private static String text(byte @Nullable [] bytes) {
    return new String(Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
  }
}
