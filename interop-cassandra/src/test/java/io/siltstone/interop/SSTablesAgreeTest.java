package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.FormatVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine reads what Cassandra wrote, and Cassandra reads, verifies and compacts what the engine
 * rewrites of it.
 */
class SSTablesAgreeTest {
  private static final List<FormatVersion> NEWER =
      List.of(FormatVersion.OA, FormatVersion.DA, FormatVersion.PA, FormatVersion.EA);

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);
  private EngineTables engine;

  static LongStream seeds() {
    return RandomCases.seeds(8);
  }

  static Stream<Scenario> scenarios() {
    return Scenario.ofRun(CassandraNode.get().options());
  }

  @BeforeEach
  void open() {
    engine = new EngineTables();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomTables(long seed) throws Exception {
    try (RandomCases.Case test = RandomCases.run(node, seed)) {
      test.table().flush();
      check(test.table(), new Random(seed), "seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void onNamedScenarios(Scenario scenario) throws Exception {
    try (CassandraTable table = scenario.run(node)) {
      check(table, new Random(1), scenario.toString());
    }
  }

  private void check(CassandraTable table, Random random, String what) throws Exception {
    int count = 0;
    for (Path data : table.export(Files.createDirectory(directory.resolve("theirs")))) {
      String name = what + ", " + data.getFileName();
      if (Scenario.isFirstRun(node.options())) {
        // Cassandra agrees with itself.
        judge.examine(data, table);
        assertThat(judge.dump(data)).as(name).startsWith("[");
      }
      String theirs = judge.canonical(data);
      assertThat(engine.read(data)).as("%s read", name).isEqualTo(theirs);
      new SlicesAgree(engine, table, data).check(random, name);

      FormatVersion version = EngineTables.descriptor(data).version();
      SerializationHeader header;
      try (SSTable source = engine.open(data)) {
        header = source.header();
      }
      // As it is; then with other delta bases; then with the original ones, which must give the
      // same bytes.
      Path copy = folder("copy" + count);
      Path copied =
          engine.rewrite(data, copy, version, header, EngineTables.randomOptions(random, table));
      checkOurs(copied, table, theirs, name + " copied");
      List<Path> same = new ArrayList<>(List.of(copied));
      if (changesBases()) {
        SerializationHeader rebased = EngineTables.onOtherBases(header);
        Path other =
            engine.rewrite(
                data,
                folder("other" + count),
                version,
                rebased,
                EngineTables.randomOptions(random, table));
        checkOurs(other, table, theirs, name + " on other bases");
        same.add(
            engine.rewrite(
                other,
                folder("back" + count),
                version,
                header,
                EngineTables.randomOptions(random, table)));
      }
      // Such times may be rewritten in another form; Cassandra gives markers with one a wrong size.
      if (!theirs.contains("@ " + DeletionTime.INVALID_DELETION_TIME)) {
        byte[] bytes = judge.uncompressedData(data);
        for (Path rewritten : same) {
          assertThat(judge.uncompressedData(rewritten))
              .as("%s, %s", name, rewritten.getParent())
              .isEqualTo(bytes);
        }
        assertThat(judge.dump(same.get(same.size() - 1)))
            .as("%s dumped", name)
            .isEqualTo(judge.dump(data));
      }
      inOtherVersion(data, version, header, table, theirs, name);
      count++;
    }
    assertThat(count).as(what).isPositive();
  }

  /**
   * Returns whether tables are also rewritten with other delta bases, which do not depend on the
   * partitioner, and are the same in all versions from 5 on.
   */
  private boolean changesBases() {
    NodeOptions options = node.options();
    return Scenario.isLarge() || Scenario.isFirstRun(options) || !options.isSinceFive();
  }

  /**
   * What the versions have in common can be written in either. A node of version 4 does not know
   * newer ones.
   */
  private void inOtherVersion(
      Path data,
      FormatVersion version,
      SerializationHeader header,
      CassandraTable table,
      String theirs,
      String name)
      throws Exception {
    Random random = new Random(theirs.hashCode());
    SSTableWriterOptions options = EngineTables.randomOptions(random, table);
    if (version == FormatVersion.NB) {
      FormatVersion target = NEWER.get(random.nextInt(NEWER.size()));
      Path newer;
      try {
        newer =
            engine.rewrite(
                data, folder(data.getFileName() + "-" + target), target, header, options);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("at the negative timestamp");
        assertThat(theirs).as("%s has such deletions", name).containsPattern(" -\\d+ @ ");
        return;
      }
      assertThat(engine.read(newer)).as("%s as %s", name, target).isEqualTo(theirs);
      return;
    }
    inNewerVersion(data, header, options, random, theirs, table, name);
    Path older;
    try {
      older =
          engine.rewrite(
              data, folder(data.getFileName() + "-nb"), FormatVersion.NB, header, options);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("local deletion time");
      assertThat(theirs).as("%s has times beyond 2038", name).containsPattern("@ [2-9]\\d{9}");
      return;
    }
    checkOurs(older, table, theirs, name + " as nb");
  }

  /** Versions of Cassandra 5 and 6 have the same rows; a judge of 5 knows only those of 5. */
  private void inNewerVersion(
      Path data,
      SerializationHeader header,
      SSTableWriterOptions options,
      Random random,
      String theirs,
      CassandraTable table,
      String name)
      throws Exception {
    FormatVersion target = NEWER.get(random.nextInt(NEWER.size()));
    Path newer =
        engine.rewrite(data, folder(data.getFileName() + "-" + target), target, header, options);
    if (node.options().reads(target)) {
      checkOurs(newer, table, theirs, name + " as " + target);
    } else {
      assertThat(engine.read(newer)).as("%s as %s", name, target).isEqualTo(theirs);
    }
  }

  private void checkOurs(Path data, CassandraTable table, String expected, String name)
      throws Exception {
    judge.examine(data, table);
    assertThat(judge.canonical(data)).as("%s as Cassandra reads it", name).isEqualTo(expected);
    assertThat(engine.read(data)).as("%s as the engine reads it", name).isEqualTo(expected);
  }

  /** Cassandra compacts its table and this engine's copy of it to the same as its table twice. */
  @ParameterizedTest
  @MethodSource("seeds")
  void cassandraCompactsOurs(long seed) throws Exception {
    try (RandomCases.Case test = RandomCases.run(node, seed)) {
      CassandraTable table = test.table();
      table.flush();
      Path theirs = table.export(folder("theirs")).get(0);
      Path ours;
      try (SSTable source = engine.open(theirs)) {
        ours =
            engine.rewrite(
                theirs,
                folder("ours"),
                EngineTables.descriptor(theirs).version(),
                source.header(),
                EngineTables.randomOptions(new Random(seed), table));
      }
      String expected = compacted(table, List.of(theirs, theirs), "theirs-merged");
      String found = compacted(table, List.of(theirs, ours), "ours-merged");
      assertThat(found).as("seed %d", seed).isEqualTo(expected);
    }
  }

  private String compacted(CassandraTable table, List<Path> inputs, String name) throws Exception {
    table.store().truncateBlockingWithoutSnapshot();
    table.adopt(inputs);
    table.compact();
    StringBuilder text = new StringBuilder();
    for (Path merged : table.export(folder(name))) {
      String one = judge.canonical(merged);
      assertThat(engine.read(merged)).as("%s", merged).isEqualTo(one);
      text.append(one);
    }
    return text.toString();
  }

  private Path folder(String name) throws Exception {
    return Files.createDirectory(directory.resolve(name));
  }
}
