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
import io.siltstone.sstable.SSTableQuarantine;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scrub of SSTables with a trie index: what it saves with the index, and without. */
class ScrubOfTriesTest {
  private static final int KEYS = 40;
  private static final int ROWS = 80;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private MemoryDirectory disk = new MemoryDirectory();
  private List<String> content = List.of();

  /** Writes partitions of a few index blocks, with a range tombstone over several of them. */
  private Descriptor fill() throws IOException {
    Random random = new Random(1);
    disk = new MemoryDirectory();
    try (TaskTables tables = open()) {
      Descriptor descriptor =
          tables.flush(
              writes -> {
                for (int key = 0; key < KEYS; key++) {
                  for (int c = 0; c < ROWS; c++) {
                    int row = c;
                    String value = Long.toHexString(random.nextLong());
                    writes.at(100, key, b -> b.insert(row).set("v", value));
                  }
                  writes.at(50, key, b -> b.deleteRange(ClusteringRange.all().after(3).to(75)));
                }
              });
      content = tables.content();
      return descriptor;
    }
  }

  private TaskTables open() throws IOException {
    return TaskTables.open(FormatVersion.DA, disk, leaks.memory());
  }

  private void change(String name, Consumer<byte[]> change) throws IOException {
    byte[] bytes;
    try (ReadableFile file = disk.open(name, ReadIntent.SCAN)) {
      bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
    }
    change.accept(bytes);
    disk.delete(name);
    try (WritableFile file = disk.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }

  private static JobReport scrub(TaskTables tables) throws IOException {
    return tables.compact(tables.live(), tables.options(0).kind(Kind.SCRUB).build());
  }

  private static List<String> keys(List<String> content) {
    return content.stream().filter(line -> line.startsWith("key ")).toList();
  }

  @Test
  void aDamagedChunkCostsTheRowsInIt() throws IOException {
    for (int at = 0; at < 10; at += Integer.getInteger("siltstone.scale", 1) > 1 ? 1 : 3) {
      int part = at;
      Descriptor damaged = fill();
      change(
          damaged.fileName(Component.DATA), bytes -> bytes[bytes.length * part / 10 + 7] ^= 0x10);
      try (TaskTables tables = open()) {
        JobReport report = scrub(tables);
        List<String> left = tables.content();
        assertThat(report.losses().toString()).as("part %s", at).contains("is lost");
        // Only a partition all of which is in the chunk is lost: keys are in Rows.db, too.
        assertThat(keys(left)).as("part %s", at).hasSizeGreaterThanOrEqualTo(KEYS - 2);
        assertThat(content).as("part %s", at).containsAll(keys(left));
        List<String> made = new ArrayList<>(left);
        made.removeAll(content);
        assertThat(made)
            .as("part %s: the ends of a range that was cut", at)
            .allMatch(line -> line.matches("(INCL|EXCL)_(START|END)_BOUND .*"));
        assertThat(made.size()).isLessThanOrEqualTo(2 * report.losses().size());
        assertThat(left.size()).as("part %s", at).isGreaterThan(content.size() * 9 / 10);
        assertThat(tables.only().descriptor().version()).isEqualTo(FormatVersion.DA);
        assertThat(SSTableQuarantine.fileNames(disk))
            .contains(damaged.fileName(Component.PARTITIONS), damaged.fileName(Component.ROWS));
      }
    }
  }

  /** The keys of narrow partitions are only in the data, of which some cannot be read. */
  @Test
  void aBadSectorCostsNoMoreThanADamagedChunk() throws IOException {
    int[] kept = new int[2];
    for (boolean isSector : new boolean[] {false, true}) {
      disk = new MemoryDirectory();
      Random random = new Random(1);
      Descriptor descriptor;
      try (TaskTables tables = open()) {
        descriptor =
            tables.flush(
                writes -> {
                  for (int key = 0; key < 400; key++) {
                    String value = Long.toHexString(random.nextLong()).repeat(8);
                    writes.at(100, key, b -> b.insert(1).set("v", value));
                  }
                });
      }
      String data = descriptor.fileName(Component.DATA);
      long place;
      try (ReadableFile file = disk.open(data, ReadIntent.SCAN)) {
        place = file.length() / 3;
      }
      Directory found = disk;
      if (isSector) {
        found = BadSectors.in(disk, data, Set.of(place));
      } else {
        change(data, bytes -> bytes[(int) place] ^= 1);
      }
      try (TaskTables tables = TaskTables.open(FormatVersion.DA, found, leaks.memory())) {
        assertThat(scrub(tables).losses()).isNotEmpty();
        kept[isSector ? 1 : 0] = keys(tables.content()).size();
      }
    }
    assertThat(kept[1]).isEqualTo(kept[0]).isGreaterThan(300);
  }

  @Test
  void soundDataNeedsNoIndex() throws IOException {
    for (Component component : List.of(Component.PARTITIONS, Component.ROWS)) {
      Descriptor damaged = fill();
      change(damaged.fileName(component), bytes -> Arrays.fill(bytes, (byte) 0x7f));
      try (TaskTables tables = TaskTables.openForSalvage(disk, leaks.memory())) {
        assertThat(scrub(tables).losses()).as("%s", component).isEmpty();
        assertThat(tables.content()).as("%s", component).isEqualTo(content);
      }
    }
  }

  @Test
  void withoutAnIndexWhatIsBeforeTheDamageIsSaved() throws IOException {
    for (Component component : List.of(Component.PARTITIONS, Component.ROWS)) {
      Descriptor damaged = fill();
      change(damaged.fileName(component), bytes -> Arrays.fill(bytes, (byte) 0x7f));
      change(damaged.fileName(Component.DATA), bytes -> bytes[bytes.length / 2] ^= 1);
      try (TaskTables tables = TaskTables.openForSalvage(disk, leaks.memory())) {
        assertThat(scrub(tables).losses()).as("%s", component).isNotEmpty();
        List<String> left = tables.content();
        assertThat(content).as("%s", component).containsAll(keys(left));
        assertThat(keys(left)).as("%s", component).hasSizeGreaterThan(KEYS / 3);
      }
    }
  }
}
