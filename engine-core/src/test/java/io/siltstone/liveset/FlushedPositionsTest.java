package io.siltstone.liveset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is known of commit logs when the SSTables that had their data have gone. */
class FlushedPositionsTest {
  private static final UUID HOST = new UUID(1, 2);
  private static final UUID OTHER = new UUID(3, 4);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final Directory disk = leaks.watch(new MemoryDirectory());

  private LiveSet open(UUID host) throws IOException {
    LiveSetOptions options = SmallTables.options(memory).originatingHostId(host).build();
    return LiveSet.open(disk, SmallTables.SCHEMA, options, memory);
  }

  private static CommitLogPosition at(int position) {
    return new CommitLogPosition(7, position);
  }

  /** Flushes one key. */
  private static Descriptor flush(LiveSet set, int key, int from, int to) throws IOException {
    try (Claim flush = set.beginFlush(CommitLogIntervals.of(at(from), at(to)))) {
      SmallTables.write(flush, List.of(key));
      flush.commit();
    }
    return newest(set).descriptor();
  }

  private static SSTable newest(LiveSet set) {
    View view = set.acquire();
    try {
      return view.byFirstKey().stream()
          .max((a, b) -> Long.compare(generation(a), generation(b)))
          .orElseThrow();
    } finally {
      view.release();
    }
  }

  private static long generation(SSTable table) {
    return Long.parseLong(table.descriptor().id());
  }

  private static void purge(LiveSet set, Descriptor... tables) throws IOException {
    try (Claim claim = set.claim(Set.of(tables)).orElseThrow()) {
      claim.commit();
    }
  }

  @Test
  void whatTheLastSSTableSaidIsKept() throws IOException {
    try (LiveSet set = open(HOST)) {
      assertThat(set.flushed().of(HOST)).isEqualTo(CommitLogPosition.NONE);
      assertThat(set.flushed().greatest()).isEqualTo(CommitLogPosition.NONE);
      Descriptor first = flush(set, 1, 10, 20);
      Descriptor second = flush(set, 2, 20, 35);
      // The second still says it.
      purge(set, first);
      assertThat(disk.files()).doesNotContain(FlushedPositions.FILE);
      purge(set, second);
      assertThat(disk.files()).contains(FlushedPositions.FILE);
      assertThat(set.flushed().of(HOST)).isEqualTo(at(35));
    }
    try (LiveSet set = open(OTHER)) {
      assertThat(set.flushed().of(HOST)).isEqualTo(at(35));
      assertThat(set.flushed().of(OTHER)).isEqualTo(CommitLogPosition.NONE);
      purge(set, flush(set, 3, 5, 8));
    }
    try (LiveSet set = open(HOST)) {
      assertThat(set.flushed().of(HOST)).isEqualTo(at(35));
      assertThat(set.flushed().of(OTHER)).isEqualTo(at(8));
      assertThat(set.flushed().greatest()).isEqualTo(at(35));
      flush(set, 4, 40, 50);
      assertThat(set.flushed().of(HOST)).isEqualTo(at(50));
    }
  }

  @Test
  void whatRemainsOfAnInterruptedWriteIsRemoved() throws IOException {
    TextFile.replace(disk, TextFile.temporaryName(FlushedPositions.FILE), "half");
    try (LiveSet set = open(HOST)) {
      assertThat(set.flushed().of(HOST)).isEqualTo(CommitLogPosition.NONE);
    }
    assertThat(disk.files()).isEmpty();
  }

  @Test
  void damageIsToldWithTheFile() throws IOException {
    try (LiveSet set = open(HOST)) {
      purge(set, flush(set, 1, 10, 20));
    }
    String text = TextFile.read(disk, FlushedPositions.FILE);
    for (int i = 0; i < text.length() - 1; i++) {
      String changed = text.substring(0, i) + (char) (text.charAt(i) ^ 1) + text.substring(i + 1);
      TextFile.replace(disk, FlushedPositions.FILE, changed);
      assertThatThrownBy(() -> open(HOST))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(FlushedPositions.FILE);
    }
    TextFile.replace(disk, FlushedPositions.FILE, "");
    assertThatThrownBy(() -> open(HOST)).isInstanceOf(IOException.class);
  }

  /** An offline merge: nobody's log is at work, so the inputs tell whose it was. */
  @Test
  void aMergeHasTheLogOfItsInputs() throws IOException {
    Descriptor first;
    Descriptor second;
    try (LiveSet set = open(HOST)) {
      first = flush(set, 1, 10, 20);
      second = flush(set, 2, 20, 35);
    }
    try (LiveSet set = SmallTables.open(disk, memory)) {
      SmallTables.merge(set, Set.of(first, second));
      StatsMetadata stats = newest(set).statistics().stats();
      assertThat(stats.originatingHostId()).contains(HOST);
      assertThat(stats.commitLogIntervals()).isEqualTo(CommitLogIntervals.of(at(10), at(35)));
    }
    Descriptor third;
    try (LiveSet set = open(OTHER)) {
      third = flush(set, 3, 1, 2);
      SmallTables.merge(set, Set.of(third, Descriptor.of(third.version(), 3)));
      StatsMetadata stats = newest(set).statistics().stats();
      assertThat(stats.originatingHostId()).contains(OTHER);
      assertThat(stats.commitLogIntervals()).isEqualTo(CommitLogIntervals.of(at(1), at(2)));
      assertThat(set.flushed().of(HOST)).isEqualTo(at(35));
    }
  }
}
