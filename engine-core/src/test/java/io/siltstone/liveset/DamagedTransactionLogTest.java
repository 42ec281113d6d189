package io.siltstone.liveset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Damaged transaction logs are refused, or what is certain is assumed and said. */
class DamagedTransactionLogTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  private final MemoryDirectory disk = new MemoryDirectory();
  private final MemoryBudget memory = PooledMemory.unlimited();
  private String log = "";
  private int copies;

  @AfterEach
  void close() {
    memory.close();
  }

  /**
   * Leaves the files of a merge that was committed, and whose inputs are still there: of the keys 1
   * and 2 it has kept the first only, as if the other had been deleted.
   */
  private Directory committed() throws IOException {
    Directory left = disk.directory("left");
    Directory directory = disk.directory("table");
    try (LiveSet set = SmallTables.open(directory, memory)) {
      flush(set, 1);
      flush(set, 2);
      View reader = set.acquire();
      Set<Descriptor> inputs = new HashSet<>();
      reader.byFirstKey().forEach(table -> inputs.add(table.descriptor()));
      try (Claim claim = set.claim(inputs).orElseThrow()) {
        SmallTables.write(claim, List.of(1));
        claim.commit();
      }
      for (String name : directory.files()) {
        directory.link(name, left, name);
      }
      reader.release();
    }
    log = left.files().stream().filter(FoundTransactionLog::isName).findFirst().orElseThrow();
    return left;
  }

  private static void flush(LiveSet set, int key) throws IOException {
    try (Claim flush = set.beginFlush(CommitLogIntervals.NONE)) {
      SmallTables.write(flush, List.of(key));
      flush.commit();
    }
  }

  /** With the same times of change, and another log. */
  private Directory with(Directory left, byte[] text) throws IOException {
    Directory copy = disk.directory("copy" + copies++);
    for (String name : left.files()) {
      if (!name.equals(log)) {
        left.link(name, copy, name);
      }
    }
    try (WritableFile file = copy.create(log, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(text));
    }
    return copy;
  }

  private LiveSet open(Directory directory, boolean isLenient) throws IOException {
    return LiveSet.open(
        directory,
        SmallTables.SCHEMA,
        SmallTables.options(memory).lenient(isLenient).build(),
        memory);
  }

  private static Set<Integer> keys(LiveSet set) throws IOException {
    Set<Integer> keys = new TreeSet<>();
    SmallTables.content(set).forEach(keys::addAll);
    return keys;
  }

  @Test
  void aWrongBitIsRefusedAndCorrectedByALenientOpening() throws IOException {
    Directory left = committed();
    byte[] text = TextFile.read(left, log).getBytes(StandardCharsets.UTF_8);
    int assumed = 0;
    // All bits of the last line and of the ends of lines, and some of the others.
    int last = text.length - 27;
    for (int bit = 0; bit < text.length * Byte.SIZE; bit++) {
      int at = bit / Byte.SIZE;
      if (SCALE == 1 && at < last && text[at] != '\n' && bit % 7 != 0) {
        continue;
      }
      byte[] damaged = text.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      String what = "bit " + bit + " of " + new String(damaged, StandardCharsets.ISO_8859_1);
      try (LiveSet set = open(with(left, damaged), false)) {
        // Letters of either case are the same to Cassandra, too.
        assertThat(keys(set)).as(what).containsExactly(1);
      } catch (CorruptFileException e) {
        assertThat(e).as(what).hasMessageContaining(log);
      }
      try (LiveSet set = open(with(left, damaged), true)) {
        assertThat(keys(set)).as(what).containsExactly(1);
        assumed += set.assumptions().size();
      }
    }
    assertThat(assumed).isGreaterThan(text.length);
  }

  @Test
  void whatIsNotCertainIsRefusedByALenientOpeningToo() throws IOException {
    Directory left = committed();
    List<String> lines = TextFile.read(left, log).lines().toList();
    for (int line = 0; line < lines.size() - 1; line++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < lines.size(); i++) {
        text.append(i == line ? "nothing that can be read" : lines.get(i)).append('\n');
      }
      Directory damaged = with(left, text.toString().getBytes(StandardCharsets.UTF_8));
      List<String> before = damaged.files();
      assertThatThrownBy(() -> open(damaged, true).close())
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContainingAll(log, "cannot be told which SSTables are obsolete");
      assertThat(damaged.files()).isEqualTo(before);
    }
  }

  /** Of a transaction that has not happened nothing that a line may have named is deleted. */
  @Test
  void anUnreadableLineOfAnUncommittedTransactionKeepsAllSSTables() throws IOException {
    Directory left = committed();
    List<String> lines = TextFile.read(left, log).lines().toList();
    for (int line = 0; line < lines.size() - 2; line++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < lines.size() - 1; i++) {
        text.append(i == line ? "nothing that can be read" : lines.get(i)).append('\n');
      }
      Directory damaged = with(left, text.toString().getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> open(damaged, false).close()).hasMessageContaining(log);
      try (LiveSet set = open(damaged, true)) {
        assertThat(keys(set)).containsExactly(1, 2);
        assertThat(set.assumptions()).hasSize(1);
        assertThat(set.assumptions().get(0).assumption()).contains("has not happened");
      }
    }
  }

  /** Files are deleted only when the last line is there: what is gone proves that it was. */
  @Test
  void aTornEndBehindWhichDeletionsHaveBegunIsTakenForACommit() throws IOException {
    Directory left = committed();
    String text = TextFile.read(left, log);
    String torn = text.substring(0, text.length() - 12);
    Directory damaged = with(left, torn.getBytes(StandardCharsets.UTF_8));
    damaged.delete("oa-1-big-Index.db");
    assertThatThrownBy(() -> open(damaged, false).close())
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("whether the transaction has happened cannot be told");
    try (LiveSet set = open(damaged, true)) {
      assertThat(keys(set)).containsExactly(1);
      assertThat(set.assumptions()).hasSize(1);
    }
    assertThat(damaged.files()).doesNotContain(log).noneMatch(name -> name.startsWith("oa-1-"));
  }
}
