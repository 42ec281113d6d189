package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Refs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Wherever a transaction was interrupted, Cassandra and the engine find the same SSTables live, by
 * the logs of either, and leave the same files after their cleanup.
 */
class TransactionLogAgreesTest {
  private static final Set<String> CHANGES =
      Set.of("create", "append", "rename", "delete", "truncate", "sync", "link");

  @TempDir Path states;

  private final CassandraNode node = CassandraNode.get();
  private EngineTables engine;
  private CassandraTable table;
  private TableSchema schema;
  private Path home;

  @BeforeEach
  void open() {
    engine = new EngineTables();
    String name = node.newTableName();
    table =
        CassandraTable.create(
            node, name, List.of(), "CREATE TABLE ks." + name + " (k int PRIMARY KEY, v text)");
    schema = SchemaParser.parse(CassandraTable.schemaText(table.metadata())).onlyTable();
    home = table.store().getDirectories().getDirectoryForNewSSTables().toPath();
  }

  @AfterEach
  void close() {
    table.close();
    engine.close();
  }

  /** Flushes two SSTables with interleaved partitions. */
  private void flushTwo() {
    for (int i = 0; i < 2; i++) {
      for (int k = i; k < 50; k += 2) {
        table.execute(
            "INSERT INTO ks." + table.name() + " (k, v) VALUES (" + k + ", 'x') USING TIMESTAMP 5",
            1_700_000_000L,
            List.of());
      }
      table.flush();
    }
  }

  private LiveSet liveSet(Directory directory, boolean readOnly) throws IOException {
    MemoryBudget budget = engine.budget();
    LiveSetOptions options =
        LiveSetOptions.builder(
                (in, descriptor) -> SSTable.open(in, descriptor, SSTableOptions.DEFAULT, budget))
            .readOnly(readOnly)
            .build();
    return LiveSet.open(directory, schema, options, budget);
  }

  /** Returns the SSTables that the engine finds live; unless it is read-only, it cleans up. */
  private Set<String> ours(Path directory, boolean readOnly) throws IOException {
    try (LiveSet set = liveSet(NioDirectory.open(directory), readOnly)) {
      return set.live().tables().stream()
          .map(LiveTable::descriptor)
          .map(descriptor -> descriptor.fileName(Component.DATA))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void cassandraCleansUpAfterUs() throws Exception {
    flushTwo();
    Path inputs = Files.createDirectory(states.resolve("inputs"));
    table.export(inputs);
    table.store().truncateBlockingWithoutSnapshot();
    LifecycleTransaction.waitForDeletions();
    replace(home, inputs);
    Set<String> before = ours(home, true);
    assertThat(before).hasSize(2);

    List<Path> interrupted = new ArrayList<>();
    try (LiveSet set = liveSet(watched(NioDirectory.open(home), interrupted), false)) {
      Set<Descriptor> all = new HashSet<>();
      set.live().tables().forEach(live -> all.add(live.descriptor()));
      try (Claim claim = set.claim(all).orElseThrow()) {
        merge(claim);
        claim.commit();
      }
      try (Claim claim = set.claim(Set.of(only(set))).orElseThrow()) {
        merge(claim); // given up
      }
      set.truncation().dropAll(generation -> {});
    }
    Set<Set<String>> seen = new HashSet<>();
    for (Path state : interrupted) {
      replace(home, state);
      Set<String> live = ours(home, true);
      seen.add(live);
      assertThat(theirs(home)).as("listed in %s", files(state)).isEqualTo(live);
      assertThat(LifecycleTransaction.removeUnfinishedLeftovers(table.store()))
          .as("cleaned %s", files(state))
          .isTrue();
      assertThat(dataFiles(home)).as("left of %s", files(state)).isEqualTo(live);
      assertThat(files(home)).noneMatch(name -> name.endsWith(".log"));

      replace(home, state);
      assertThat(ours(home, false)).isEqualTo(live);
      assertThat(dataFiles(home)).as("left of %s by us", files(state)).isEqualTo(live);
    }
    // The inputs, the output that took their place, nothing.
    assertThat(seen).hasSize(3).contains(before, Set.of());
    replace(home, Files.createDirectory(states.resolve("empty")));
  }

  private static Descriptor only(LiveSet set) {
    assertThat(set.live().tables()).hasSize(1);
    return set.live().tables().iterator().next().descriptor();
  }

  private void merge(Claim claim) throws IOException {
    List<PartitionCursor> scans = new ArrayList<>();
    for (SSTable input : claim.inputs()) {
      scans.add(input.scan());
    }
    TableEncoding encoding = TableEncoding.of(schema);
    try (MergeCursor merge = new MergeCursor(encoding)) {
      merge.begin(scans, false);
      SSTableWriter writer = claim.newOutput(OutputHints.of(claim.inputs().get(0).header(), 100));
      while (merge.nextPartition()) {
        writer.add(merge);
      }
    }
  }

  /** Copies all files before and after each change, if they are not as in another copy. */
  private Directory watched(Directory directory, List<Path> copies) {
    return (Directory)
        Proxy.newProxyInstance(
            Directory.class.getClassLoader(),
            new Class<?>[] {Directory.class},
            (proxy, method, arguments) -> {
              try {
                if (!CHANGES.contains(method.getName())) {
                  return method.invoke(directory, arguments);
                }
                addCopy(copies);
                Object result = method.invoke(directory, arguments);
                addCopy(copies);
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private int copied;
  private final Set<Map<String, String>> different = new HashSet<>();

  private void addCopy(List<Path> copies) throws IOException {
    Map<String, String> present = new TreeMap<>();
    for (String name : files(home)) {
      CRC32 crc = new CRC32();
      crc.update(Files.readAllBytes(home.resolve(name)));
      present.put(name, crc.getValue() + " " + Files.getLastModifiedTime(home.resolve(name)));
    }
    if (different.add(present)) {
      copies.add(copy());
    }
  }

  private Path copy() throws IOException {
    Path copy = Files.createDirectory(states.resolve("state" + copied++));
    replace(copy, home);
    return copy;
  }

  @Test
  void weCleanUpAfterCassandra() throws Exception {
    flushTwo();
    Set<SSTableReader> before = table.store().getLiveSSTables();
    Set<String> old = names(before);
    Set<String> merged;
    Path began;
    Path prepared;
    Path committed;
    Path aborted;
    // Referenced files are not deleted.
    try (Refs<SSTableReader> held = Refs.ref(before)) {
      assertThat(held.size()).isEqualTo(2);
      SSTableReader given = add(before.iterator().next());
      try (LifecycleTransaction transaction = begin(before)) {
        transaction.trackNew(given);
        began = copy();
        transaction.update(given, false);
        transaction.checkpoint();
        try (Refs<SSTableReader> also = Refs.ref(Set.of(given))) {
          assertThat(also.size()).isEqualTo(1);
          transaction.abort();
          aborted = copy();
        }
      }
      LifecycleTransaction.waitForDeletions();

      SSTableReader output = add(before.iterator().next());
      merged = names(Set.of(output));
      LifecycleTransaction transaction = begin(before);
      transaction.trackNew(output);
      transaction.update(output, false);
      transaction.obsoleteOriginals();
      transaction.prepareToCommit();
      prepared = copy();
      transaction.commit();
      committed = copy();
      transaction.close();
    }
    LifecycleTransaction.waitForDeletions();
    agree(began, old);
    agree(aborted, old);
    agree(prepared, old);
    agree(committed, merged);
  }

  private LifecycleTransaction begin(Set<SSTableReader> inputs) {
    return Objects.requireNonNull(
        table.store().getTracker().tryModify(inputs, OperationType.COMPACTION));
  }

  /** Returns an unregistered copy of an SSTable under a new generation. */
  private SSTableReader add(SSTableReader of) throws IOException {
    org.apache.cassandra.io.sstable.Descriptor target =
        table.store().newSSTableDescriptor(of.descriptor.directory, of.descriptor.version);
    for (var component : of.descriptor.discoverComponents()) {
      Files.copy(of.descriptor.fileFor(component).toPath(), target.fileFor(component).toPath());
    }
    return SSTableReader.open(table.store(), target, table.store().metadata);
  }

  private void agree(Path state, Set<String> live) throws IOException {
    assertThat(files(state)).as("a log is there").anyMatch(name -> name.endsWith(".log"));
    assertThat(ours(state, true)).as("live in %s", files(state)).isEqualTo(live);
    List<String> found = files(state);
    assertThat(ours(state, false)).isEqualTo(live);
    assertThat(dataFiles(state)).as("left of %s", found).isEqualTo(live);
    assertThat(files(state)).noneMatch(name -> name.endsWith(".log"));
  }

  private static Set<String> names(Set<SSTableReader> sstables) {
    return sstables.stream()
        .map(sstable -> Path.of(sstable.getFilename()).getFileName().toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the SSTables that Cassandra finds live. */
  private static Set<String> theirs(Path directory) {
    return LifecycleTransaction.getFiles(
            directory,
            (file, type) -> type == Directories.FileType.FINAL && file.name().endsWith("-Data.db"),
            Directories.OnTxnErr.THROW)
        .stream()
        .map(file -> file.name())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> dataFiles(Path directory) throws IOException {
    return files(directory).stream()
        .filter(name -> name.endsWith("-Data.db"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(Files::isRegularFile)
          .map(path -> path.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  /**
   * Replaces the files of a directory with those of another, with their modification times, which
   * logs contain.
   */
  private static void replace(Path directory, Path from) throws IOException {
    for (String name : files(directory)) {
      Files.delete(directory.resolve(name));
    }
    for (String name : files(from)) {
      Files.copy(from.resolve(name), directory.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }
}
