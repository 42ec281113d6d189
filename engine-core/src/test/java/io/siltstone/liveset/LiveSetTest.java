package io.siltstone.liveset;

import static io.siltstone.liveset.SmallTables.SCHEMA;
import static io.siltstone.liveset.SmallTables.content;
import static io.siltstone.liveset.SmallTables.flush;
import static io.siltstone.liveset.SmallTables.key;
import static io.siltstone.liveset.SmallTables.keys;
import static io.siltstone.liveset.SmallTables.merge;
import static io.siltstone.liveset.SmallTables.open;
import static io.siltstone.liveset.SmallTables.openReadOnly;
import static io.siltstone.liveset.SmallTables.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.OutputHints;
import io.siltstone.spi.OverlapView;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableQuarantine;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a live set shows, and when files come and go. */
class LiveSetTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final MemoryDirectory root = new MemoryDirectory();
  private final Directory disk = leaks.watch(root);

  private static SortedSet<Integer> set(Integer... keys) {
    return new TreeSet<>(List.of(keys));
  }

  private Set<String> prefixesOnDisk() {
    return root.files().stream().map(SSTableComponents::prefixOf).collect(Collectors.toSet());
  }

  private static void put(Directory directory, String name, byte... bytes) throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }

  @Test
  void whatIsFlushedAndMergedIsThereAfterItIsOpenedAgain() throws IOException {
    try (LiveSet set = open(disk, memory)) {
      assertThat(content(set)).isEmpty();
      Descriptor first = flush(set, 1, 2);
      Descriptor second = flush(set, 3);
      flush(set, 9);
      assertThat(content(set)).containsExactly(set(1, 2), set(3), set(9));
      merge(set, Set.of(first, second), 4);
      assertThat(content(set)).containsExactly(set(1, 2, 3, 4), set(9));
    }
    assertThat(prefixesOnDisk()).containsExactlyInAnyOrder("oa-3-big-", "oa-4-big-");
    assertThat(content(disk, memory)).containsExactly(set(1, 2, 3, 4), set(9));
  }

  @Test
  void severalOutputsOfOneTransactionComeAtOnceAndEmptyOnesGo() throws IOException {
    List<LiveSetChange> seen = new ArrayList<>();
    LiveSetOptions options =
        SmallTables.options(memory)
            .version(FormatVersion.NB)
            .observer(
                new LiveSetObserver() {
                  @Override
                  public void changed(LiveSetChange change) {
                    seen.add(change);
                  }
                })
            .build();
    try (LiveSet set = LiveSet.open(disk, SCHEMA, options, memory)) {
      try (Claim flush = set.beginFlush(CommitLogIntervals.NONE)) {
        write(flush, List.of(1)).finish();
        flush.newOutput(OutputHints.of(SmallTables.HEADER, 1));
        write(flush, List.of(2, 3));
        assertThat(content(set)).isEmpty();
        flush.commit();
        assertThat(content(set)).containsExactly(set(1), set(2, 3));
      }
    }
    Descriptor first = Descriptor.of(FormatVersion.NB, 1);
    Descriptor third = Descriptor.of(FormatVersion.NB, 3);
    assertThat(seen)
        .containsExactly(
            new LiveSetChange(LiveSetChange.Cause.FLUSH, List.of(first, third), List.of()));
    assertThat(prefixesOnDisk()).containsExactlyInAnyOrder("nb-1-big-", "nb-3-big-");
  }

  @Test
  void aClaimWithoutCommitLeavesInputsAndNothingElse() throws IOException {
    try (LiveSet set = open(disk, memory)) {
      Descriptor input = flush(set, 1);
      List<String> before = root.files();
      try (Claim claim = set.claim(Set.of(input)).orElseThrow()) {
        write(claim, List.of(1)).finish();
        write(claim, List.of(2));
        assertThat(set.claim(Set.of(input))).as("it is claimed").isEmpty();
        assertThat(set.live().tables()).singleElement().matches(LiveTable::isClaimed);
      }
      assertThat(root.files()).isEqualTo(before);
      assertThat(set.live().tables()).singleElement().matches(table -> !table.isClaimed());
      set.claim(Set.of(input)).orElseThrow().close();
      assertThat(set.claim(Set.of(Descriptor.of(FormatVersion.OA, 77)))).isEmpty();
      assertThatThrownBy(() -> set.claim(Set.of())).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void whatWaitsForTheEndOfClaimsComesAfterTheLastAndItsFiles() throws IOException {
    LiveSet set = open(disk, memory);
    Descriptor first = flush(set, 1);
    Descriptor second = flush(set, 2);
    List<String> before = root.files();
    Claim one = set.claim(Set.of(first)).orElseThrow();
    Claim other = set.claim(Set.of(second)).orElseThrow();
    write(other, List.of(2)).finish();
    assertThatThrownBy(() -> set.whenUnclaimed(() -> {})).hasMessageContaining("is open");
    set.close();
    List<List<String>> seen = new ArrayList<>();
    Runnable look = () -> seen.add(filesOf(root));
    set.whenUnclaimed(look);
    one.close();
    assertThat(seen).isEmpty();
    other.close();
    assertThat(seen).containsExactly(before);
    other.close();
    assertThat(seen).hasSize(1);
    set.whenUnclaimed(look);
    assertThat(seen).hasSize(2);
  }

  private static List<String> filesOf(Directory directory) {
    try {
      return directory.files();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SSTableQuarantine.DIRECTORY + "/1",
        SSTableQuarantine.EARLIER_DIRECTORY,
        "backups"
      })
  void aGenerationOfWhichACopyIsKeptIsNotGivenAgain(String copies) throws IOException {
    Directory kept = disk;
    for (String name : copies.split("/", -1)) {
      kept = kept.directory(name);
    }
    kept.create("oa-41-big-Data.db", WriteIntent.OTHER).close();
    try (LiveSet set = open(disk, memory)) {
      assertThat(flush(set, 1).id()).isEqualTo("42");
    }
  }

  @Test
  void whatAViewHoldsStaysUntilItIsReleased() throws IOException {
    LiveSet set = open(disk, memory);
    Descriptor input = flush(set, 1);
    View old = set.acquire();
    merge(set, Set.of(input), 2);
    assertThat(prefixesOnDisk()).contains("oa-1-big-", "oa-2-big-");
    assertThat(keys(old.newestFirst().get(0))).isEqualTo(set(1));
    old.release();
    assertThat(prefixesOnDisk()).containsExactly("oa-2-big-");

    View last = set.acquire();
    set.close();
    assertThat(keys(last.newestFirst().get(0))).isEqualTo(set(1, 2));
    last.release();
    assertThatThrownBy(last::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(set::acquire)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> set.beginFlush(CommitLogIntervals.NONE))
        .isInstanceOf(IllegalStateException.class);
    set.close();
  }

  @Test
  void obsoleteFilesThatAreInUseWhenItIsClosedGoWhenItIsOpened() throws IOException {
    LiveSet set = open(disk, memory);
    Descriptor input = flush(set, 1);
    View old = set.acquire();
    merge(set, Set.of(input), 2);
    set.close();
    old.release();
    assertThat(prefixesOnDisk()).contains("oa-1-big-", "oa-2-big-");
    try (LiveSet shown = openReadOnly(disk, memory)) {
      assertThat(content(shown)).containsExactly(set(1, 2));
    }
    assertThat(prefixesOnDisk()).contains("oa-1-big-");
    try (LiveSet again = open(disk, memory)) {
      assertThat(content(again)).containsExactly(set(1, 2));
      assertThat(again.report().completed()).hasSize(1);
    }
    assertThat(prefixesOnDisk()).containsExactly("oa-2-big-");
  }

  @Test
  void viewsAreOrderedByTimeAndByKey() throws IOException {
    try (LiveSet set = open(disk, memory)) {
      for (int number : new int[] {5, 9, 2, 7}) {
        flush(set, number);
      }
      View view = set.acquire();
      assertThat(view.newestFirst())
          .extracting(table -> keys(table).first())
          .containsExactly(9, 7, 5, 2);
      assertThat(view.byFirstKey()).extracting(SSTable::firstKey).isSorted().hasSize(4);
      view.release();
    }
  }

  @Test
  void truncationDropsAllAndWhatIsClaimed() throws IOException {
    try (LiveSet set = open(disk, memory)) {
      Descriptor input = flush(set, 1);
      flush(set, 2);
      try (Claim claim = set.claim(Set.of(input)).orElseThrow()) {
        write(claim, List.of(1));
        set.truncation().dropAll(generation -> {});
        assertThat(content(set)).isEmpty();
        assertThat(keys(claim.inputs().get(0))).isEqualTo(set(1));
        assertThatThrownBy(claim::commit).isInstanceOf(CancellationException.class);
      }
      assertThat(root.files()).isEmpty();
      assertThat(flush(set, 3).id()).isEqualTo("4");
    }
    assertThat(content(disk, memory)).containsExactly(set(3));
  }

  @Test
  void overlapsSeeMemtablesAndAllTablesOutsideOfTheClaim() throws IOException {
    long[] memtable = {Long.MAX_VALUE};
    LiveSetOptions options =
        SmallTables.options(memory).memtables((first, last) -> memtable[0]).build();
    try (LiveSet set = LiveSet.open(disk, SCHEMA, options, memory)) {
      Descriptor input = flush(set, 1, 2, 3, 4, 5, 6, 7, 8);
      Descriptor other = flush(set, 3, 5);
      try (Claim claim = set.claim(Set.of(input)).orElseThrow()) {
        OverlapView overlaps = claim.overlaps();
        assertThat(overlaps.minTimestamp(key(3))).isEqualTo(SmallTables.EPOCH + 3);
        assertThat(overlaps.minTimestamp(key(5))).isEqualTo(SmallTables.EPOCH + 3);
        assertThat(overlaps.minTimestamp(key(8))).isEqualTo(Long.MAX_VALUE);
        assertThat(
                overlaps.minTimestamp(input(set, input).firstKey(), input(set, input).lastKey(), 0))
            .isEqualTo(SmallTables.EPOCH + 3);
        flush(set, 8);
        assertThat(overlaps.minTimestamp(key(8))).isEqualTo(SmallTables.EPOCH + 8);
        merge(set, Set.of(other), 2);
        assertThat(overlaps.minTimestamp(key(3))).isEqualTo(SmallTables.EPOCH + 2);
        memtable[0] = 17;
        assertThat(overlaps.minTimestamp(key(1))).isEqualTo(17);
      }
    }
  }

  private static SSTable input(LiveSet set, Descriptor descriptor) {
    View view = set.acquire();
    try {
      return view.byFirstKey().stream()
          .filter(table -> table.descriptor().equals(descriptor))
          .findFirst()
          .orElseThrow();
    } finally {
      view.release();
    }
  }

  @Test
  void aWriterOfATransactionIsNotToBeCommittedByItself() throws IOException {
    try (LiveSet set = open(disk, memory)) {
      try (Claim flush = set.beginFlush(CommitLogIntervals.NONE)) {
        SSTableWriter writer = write(flush, List.of(1));
        assertThatThrownBy(writer::commit)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("with others");
        flush.commit();
        assertThatThrownBy(flush::commit)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("committed");
      }
      assertThat(content(set)).containsExactly(set(1));
    }
  }

  @Test
  void aSnapshotIsADirectoryOfItsOwn() throws IOException {
    Directory target = disk.directory("snapshot");
    try (LiveSet set = open(disk, memory)) {
      flush(set, 1);
      Descriptor second = flush(set, 2);
      List<Descriptor> linked =
          snapshot(set, target, "CREATE TABLE …;", Instant.ofEpochSecond(1_700_000_000));
      assertThat(linked).contains(second).hasSize(2);
      set.truncation().dropAll(generation -> {});
      assertThatThrownBy(() -> snapshot(set, target, "", Instant.EPOCH))
          .isInstanceOf(IOException.class);
    }
    assertThat(content(target, memory)).containsExactly(set(1), set(2));
    assertThat(target.files()).contains("schema.cql", "manifest.json");
  }

  @Test
  void aSnapshotThatFailsLeavesWhatWasThereBefore() throws IOException {
    Directory target = disk.directory("snapshot");
    put(target, "schema.cql", (byte) 1);
    try (LiveSet set = open(disk, memory)) {
      flush(set, 1);
      assertThatThrownBy(() -> snapshot(set, target, "text", Instant.EPOCH))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("schema.cql");
    }
    assertThat(target.files()).containsExactly("schema.cql");
  }

  @Test
  void importThatReplacesWaitsForNoCompactionAndReleasesItsClaims() throws IOException {
    Directory source = new MemoryDirectory();
    try (LiveSet other = open(source, memory)) {
      flush(other, 5);
    }
    try (LiveSet set = open(disk, memory)) {
      Descriptor first = flush(set, 1);
      flush(set, 2);
      try (Claim claim = set.claim(Set.of(first)).orElseThrow()) {
        assertThatThrownBy(() -> set.importTables(source, VerificationLevel.NONE, true))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("a compaction works on");
        assertThat(claim.inputs()).hasSize(1);
      }
      List<Descriptor> imported = set.importTables(source, VerificationLevel.NONE, true);
      assertThat(content(set)).containsExactly(set(5));
      set.claim(Set.copyOf(imported)).orElseThrow().close();
    }
    assertThat(disk.files()).noneMatch(name -> name.contains("_txn_"));
  }

  @Test
  void importedTablesAreLinkedOrCopiedUnderNewGenerations() throws IOException {
    Directory near = disk.directory("near");
    Directory far = leaks.watch(new MemoryDirectory());
    for (Directory source : List.of(near, far)) {
      try (LiveSet set = open(source, memory)) {
        flush(set, 1);
        try (Claim flush = set.beginFlush(CommitLogIntervals.NONE)) {
          OutputHints hints =
              OutputHints.of(SmallTables.HEADER, 1)
                  .withLevel(3)
                  .withRepair(new RepairState(9, Optional.empty(), false));
          write(flush.newOutput(hints), List.of(2, 3));
          flush.commit();
        }
      }
    }
    try (WritableFile contents = near.append("oa-1-big-TOC.txt")) {
      contents.write(ByteBuffer.wrap("SAI+aa+v+TermsData.db\n".getBytes(UTF_8)));
    }
    List<String> before = near.files();
    try (LiveSet set = open(disk, memory)) {
      flush(set, 7);
      assertThat(set.importTables(near, VerificationLevel.DIGEST, false))
          .containsExactly(Descriptor.of(FormatVersion.OA, 2), Descriptor.of(FormatVersion.OA, 3));
      assertThat(set.importTables(far, VerificationLevel.DIGEST, false)).hasSize(2);
      assertThat(content(set)).containsExactly(set(1), set(1), set(2, 3), set(2, 3), set(7));
      assertThat(set.live().tables()).allMatch(table -> table.level() == 0);
      assertThat(set.live().tables()).allMatch(table -> !table.repair().isRepaired());
      assertThat(near.files()).isEqualTo(before);
    }
    // Files of indexes are not taken along, and not spoken of.
    assertThat(TextFile.read(root, "oa-2-big-TOC.txt").lines())
        .isSubsetOf(root.files().stream().map(name -> name.replace("oa-2-big-", "")).toList())
        .contains("Data.db", "TOC.txt");
    assertThat(content(near, memory)).containsExactly(set(1), set(2, 3));
    assertThat(content(disk, memory)).hasSize(5);
  }

  private static void write(SSTableWriter writer, List<Integer> keys) throws IOException {
    SmallTables.write(writer, keys);
  }

  private static SSTableWriter write(Claim claim, List<Integer> keys) throws IOException {
    return SmallTables.write(claim, keys);
  }

  @Test
  void whatDoesNotFitIsNotImported() throws IOException {
    Directory source = disk.directory("source");
    try (LiveSet set = open(source, memory)) {
      flush(set, 1);
    }
    TableSchema.Builder withoutV = TableSchema.builder("ks", "t").partitionKey("k", CqlTypes.INT);
    TableSchema other =
        TableSchema.builder("ks", "t")
            .partitionKey("k", CqlTypes.TEXT)
            .regular("v", CqlTypes.INT)
            .build();
    TableSchema retyped =
        TableSchema.builder("ks", "t")
            .partitionKey("k", CqlTypes.INT)
            .regular("v", CqlTypes.TEXT)
            .build();
    requireRefused(source, withoutV.build(), "column v");
    requireRefused(source, other, "partition key");
    requireRefused(source, retyped, "type of column v");
    LiveSetOptions ordered =
        SmallTables.options(memory).partitioner(Partitioner.BYTE_ORDERED).build();
    try (LiveSet set = LiveSet.open(disk, SCHEMA, ordered, memory)) {
      assertThatThrownBy(() -> set.importTables(source, VerificationLevel.DIGEST, false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("partitioner");
    }
    assertThatThrownBy(() -> LiveSet.open(source, SCHEMA, ordered, memory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Murmur3Partitioner");
  }

  @Test
  void whatIsLiveAlreadyIsNotImportedByAnotherName() throws IOException {
    Directory linked = disk.directory("linked");
    Directory source = disk.directory("source");
    try (LiveSet set = open(source, memory)) {
      flush(set, 1);
    }
    try (LiveSet set = open(disk, memory)) {
      assertThat(set.importTables(source, VerificationLevel.DIGEST, false)).hasSize(1);
      flush(set, 2);
      for (String name : root.files()) {
        if (name.startsWith("oa-2-big-")) {
          disk.link(name, linked, name);
        }
      }
      List<String> before = root.files();
      requireSame(set, disk, "/oa-1-big-Data.db", "/oa-1-big-Data.db");
      requireSame(set, source, "source/oa-1-big-Data.db", "/oa-1-big-Data.db");
      requireSame(set, linked, "linked/oa-2-big-Data.db", "/oa-2-big-Data.db");
      assertThat(content(set)).containsExactly(set(1), set(2));
      assertThat(root.files()).isEqualTo(before);
    }
  }

  @Test
  void whatIsCompactedWhileAnImportBeginsIsNoObstacle() throws IOException {
    Directory source = disk.directory("source");
    try (LiveSet set = open(source, memory)) {
      flush(set, 3);
    }
    AtomicReference<Runnable> compaction = new AtomicReference<>(() -> {});
    Directory compacting =
        new ForwardingDirectory(disk) {
          @Override
          public @Nullable Object identity(String name) throws IOException {
            compaction.getAndSet(() -> {}).run();
            return super.identity(name);
          }
        };
    try (LiveSet set = open(compacting, memory)) {
      Set<Descriptor> inputs = Set.of(flush(set, 1), flush(set, 2));
      compaction.set(
          () -> {
            try {
              merge(set, inputs, 4);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      assertThat(set.importTables(source, VerificationLevel.DIGEST, false)).hasSize(1);
      assertThat(content(set)).containsExactlyInAnyOrder(set(1, 2, 4), set(3));
    }
    assertThat(content(disk, memory)).containsExactlyInAnyOrder(set(1, 2, 4), set(3));
  }

  private static void requireSame(LiveSet set, Directory source, String there, String here) {
    assertThatThrownBy(() -> set.importTables(source, VerificationLevel.DIGEST, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            ".*\\Q" + there + "\\E is of the table already, as .*\\Q" + here + "\\E");
  }

  private static List<Descriptor> snapshot(
      LiveSet set, Directory target, String schemaCql, Instant createdAt) throws IOException {
    View view = set.acquire();
    try {
      Snapshot.write(set.directory(), view, target, schemaCql, createdAt, bytes -> {});
      return view.byFirstKey().stream().map(SSTable::descriptor).toList();
    } finally {
      view.release();
    }
  }

  private void requireRefused(Directory source, TableSchema schema, String reason)
      throws IOException {
    LiveSetOptions options = SmallTables.options(memory).build();
    try (LiveSet set = LiveSet.open(disk, schema, options, memory)) {
      assertThatThrownBy(() -> set.importTables(source, VerificationLevel.DIGEST, false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(reason)
          .hasMessageContaining("oa-1-big-Data.db");
      assertThat(content(set)).isEmpty();
    }
    assertThat(root.files()).isEmpty();
  }

  @Test
  void generationsFollowTheGreatestOfAllNames() throws IOException {
    put(root, "da-40-bti-Rows.db.tmp", (byte) 1);
    put(root, "nb-12-big-Index.db.tmp", (byte) 1);
    put(root, "nb-17-big-Index.db", (byte) 1);
    put(root, "notes.txt", (byte) 1);
    try (LiveSet set = open(disk, memory)) {
      assertThat(set.report().orphans()).containsExactly("nb-17-big-Index.db");
      assertThat(set.report().removed())
          .containsExactly("da-40-bti-Rows.db.tmp", "nb-12-big-Index.db.tmp");
      assertThat(root.files()).containsExactly("nb-17-big-Index.db", "notes.txt");
      assertThat(flush(set, 1).id()).isEqualTo("41");
    }
  }

  @Test
  void aTableThatCannotBeOpenedIsAnErrorOrQuarantined() throws IOException {
    String good;
    String bad;
    try (LiveSet set = open(disk, memory)) {
      bad = flush(set, 1).fileName(Component.STATISTICS);
      good = flush(set, 2).fileName(Component.DATA);
    }
    root.delete(bad);
    put(root, bad, (byte) 1);
    assertThatThrownBy(() -> open(disk, memory))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(bad);
    put(root, "da-5-bti-Data.db", (byte) 1);
    LiveSetOptions lenient = SmallTables.options(memory).lenient(true).build();
    try (LiveSet set = LiveSet.open(disk, SCHEMA, lenient, memory)) {
      assertThat(content(set)).containsExactly(set(2));
      assertThat(set.report().quarantined())
          .extracting(found -> found.path())
          .containsExactly("memory:/da-5-bti-Data.db", "memory:/oa-1-big-Data.db");
      // They may come back, with rows that a tombstone of today deletes: none may be purged.
      assertThat(set.live().memtableMinTimestamp()).isEqualTo(Long.MIN_VALUE);
      try (Claim claim = set.claim(Set.of(Descriptor.of(FormatVersion.OA, 2))).orElseThrow()) {
        SSTable input = claim.inputs().get(0);
        assertThat(claim.overlaps().minTimestamp(input.firstKey())).isEqualTo(Long.MIN_VALUE);
        assertThat(claim.overlaps().minTimestamp(input.firstKey(), input.lastKey(), 0))
            .isEqualTo(Long.MIN_VALUE);
      }
    }
    assertThat(root.files()).contains(bad, good, "da-5-bti-Data.db");
    root.delete(bad.replace("Statistics", "Data"));
    assertThatThrownBy(() -> open(disk, memory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bti");
  }

  @Test
  void nothingIsChangedReadOnly() throws IOException {
    try (LiveSet set = open(disk, memory)) {
      flush(set, 1);
    }
    put(root, "oa-9-big-Data.db.tmp", (byte) 1);
    List<String> before = root.files();
    try (LiveSet set = openReadOnly(disk, memory)) {
      assertThat(content(set)).containsExactly(set(1));
      assertThat(set.claim(Set.of(Descriptor.of(FormatVersion.OA, 1)))).isEmpty();
      assertThatThrownBy(() -> set.truncation().dropAll(generation -> {}))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> flush(set, 2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("reading only");
    }
    assertThat(root.files()).isEqualTo(before);
  }

  @Test
  void aMissingDataFileIsAnErrorOrQuarantined() throws IOException {
    String data;
    try (LiveSet set = open(disk, memory)) {
      data = flush(set, 1).fileName(Component.DATA);
      flush(set, 2);
    }
    root.delete(data);
    for (boolean isReadOnly : List.of(false, true)) {
      LiveSetOptions strict = SmallTables.options(memory).readOnly(isReadOnly).build();
      assertThatThrownBy(() -> LiveSet.open(disk, SCHEMA, strict, memory))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining(data)
          .hasMessageContaining("the file is missing, oa-1-big-TOC.txt names it");
      LiveSetOptions lenient =
          SmallTables.options(memory).readOnly(isReadOnly).lenient(true).build();
      try (LiveSet set = LiveSet.open(disk, SCHEMA, lenient, memory)) {
        assertThat(content(set)).containsExactly(set(2));
        assertThat(set.report().orphans()).isEmpty();
        assertThat(set.report().quarantined())
            .extracting(found -> found.path())
            .containsExactly("memory:/" + data);
      }
    }
    Directory other = root.directory("other");
    try (LiveSet set = open(other, memory)) {
      assertThatThrownBy(() -> set.importTables(disk, VerificationLevel.DIGEST, false))
          .isInstanceOf(CorruptSSTableException.class);
      assertThat(content(set)).isEmpty();
    }
    assertThat(other.files()).isEmpty();
  }

  @Test
  void componentsBesideNoDataAreLeftAloneIfNothingSaysThatTheyWereATable() throws IOException {
    try (LiveSet set = open(disk, memory)) {
      flush(set, 1);
    }
    root.delete("oa-1-big-Data.db");
    root.delete("oa-1-big-TOC.txt");
    List<String> before = root.files();
    try (LiveSet set = open(disk, memory)) {
      assertThat(content(set)).isEmpty();
      assertThat(set.report().orphans()).containsExactlyElementsOf(before);
    }
    assertThat(root.files()).isEqualTo(before);
    put(root, "oa-1-big-TOC.txt");
    assertThatThrownBy(() -> open(disk, memory))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("oa-1-big-Data.db")
        .hasMessageContaining("the file is missing");
  }

  @Test
  void aWriterWithoutALogLeavesATableOrNothingWhereverItStops() {
    int points =
        PowerCuts.on(FileSystemModel.JOURNALED, 17)
            .lossesPerPoint(4)
            .atEachOperation(LoneWriter::new);
    assertThat(points).isGreaterThan(30);
  }

  /** Makes a table, and removes what a writer leaves that has not given its data its name. */
  private final class LoneWriter implements PowerCuts.Case {
    private boolean isCommitted;

    @Override
    public void run(Directory disk) throws IOException {
      Descriptor descriptor = Descriptor.of(FormatVersion.OA, 1);
      try (SSTableWriter writer =
          SSTableWriter.create(
              disk,
              descriptor,
              SmallTables.HEADER,
              Partitioner.MURMUR3,
              SSTableWriterOptions.builder().expectedPartitions(1).build(),
              memory)) {
        write(writer, List.of(1));
        writer.commit();
      }
      isCommitted = true;
      disk.sync();
      isCommitted = false;
      String data = descriptor.fileName(Component.DATA);
      disk.rename(data, descriptor.temporaryFileName(Component.DATA));
      assertThat(LiveSet.nextGeneration(disk)).isEqualTo(2);
      assertThat(content(disk, memory)).isEmpty();
      assertThat(disk.files()).isEmpty();
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      List<SortedSet<Integer>> found;
      try (LiveSet set = openReadOnly(rebooted, memory)) {
        found = content(set);
      }
      assertThat(found).isIn(List.of(), List.of(set(1)));
      if (isCommitted) {
        assertThat(found).isNotEmpty();
      }
      for (int i = 0; i < 2; i++) {
        assertThat(content(rebooted, memory)).isEqualTo(found);
        assertThat(rebooted.files().isEmpty()).isEqualTo(found.isEmpty());
      }
    }
  }

  @Test
  void readOnlyWhatIsObsoleteByNowIsNoDamage() throws IOException {
    List<Runnable> deletions = new ArrayList<>();
    LiveSetOptions writing = SmallTables.options(memory).cleaner(deletions::add).build();
    for (boolean isLenient : List.of(false, true)) {
      try (LiveSet writer = LiveSet.open(disk, SCHEMA, writing, memory)) {
        Descriptor input = flush(writer, 1);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        SSTableOpener opener =
            (directory, descriptor) -> {
              if (isFirst.getAndSet(false)) {
                // The writer has just begun to delete its files.
                merge(writer, Set.of(input), 2);
                directory.delete(input.fileName(Component.STATISTICS));
              }
              return SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory);
            };
        LiveSetOptions reading =
            LiveSetOptions.builder(opener).readOnly(true).lenient(isLenient).build();
        try (LiveSet reader = LiveSet.open(disk, SCHEMA, reading, memory)) {
          assertThat(content(reader)).containsExactly(set(1, 2));
          assertThat(reader.report().quarantined()).isEmpty();
        }
        writer.truncation().dropAll(generation -> {});
      }
    }
  }

  @Test
  void readOnlyWhatIsMergedMeanwhileIsThereOnceAtLeast() throws IOException {
    long fired = 1;
    for (int call = 1; fired > 0; call++) {
      Directory tables = new MemoryDirectory();
      try (LiveSet writer = open(tables, memory)) {
        Set<Descriptor> inputs = Set.of(flush(writer, 1), flush(writer, 2));
        Fault meanwhile =
            Fault.on(Operation.LIST, Operation.OPEN, Operation.READ, Operation.LOOK_UP)
                .call(call)
                .runs(
                    "a merge",
                    () -> {
                      try {
                        merge(writer, inputs);
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                    });
        Directory watched = new FaultyDirectory(tables, 1, meanwhile);
        // In use, so that the merged ones and the log that says so stay.
        View inUse = writer.acquire();
        try (LiveSet reader = openReadOnly(watched, memory)) {
          NavigableSet<Integer> keys = new TreeSet<>();
          content(reader).forEach(keys::addAll);
          assertThat(keys).as("merged at call %s", call).containsExactly(1, 2);
        } finally {
          inUse.release();
        }
        fired = meanwhile.fired();
      }
    }
  }
}
