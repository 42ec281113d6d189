package io.siltstone.commitlog.segment;

import static io.siltstone.commitlog.segment.LogBench.FIRST;
import static io.siltstone.commitlog.segment.LogBench.record;
import static io.siltstone.commitlog.segment.LogBench.replay;
import static io.siltstone.commitlog.segment.LogBench.small;
import static io.siltstone.commitlog.segment.LogBench.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.files.FileCopy;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Segments come into the archive in order, before they are deleted; and what if they cannot. */
class ArchiveTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());
  private final Directory archive = leaks.watch(new MemoryDirectory());
  private final LogBench bench = new LogBench(leaks.memory());
  private final CommitLogOptions options = small(SyncMode.BATCH).archive(archive).build();

  @Test
  void aSegmentIsInTheArchiveWhenTheNextOneIsStarted() throws IOException {
    try (CommitLog log = bench.open(disk, options)) {
      LogTable table = table(log, FIRST);
      log.append(record(table, "a"));
      log.startSegment();
      assertThat(archive.files()).containsExactly("CommitLog-1000.log");
      log.append(record(table, "b"));
      log.startSegment();
      log.discard(FIRST, log.position());
      assertThat(disk.files()).hasSize(1);
    }
    assertThat(replay(archive).texts).containsExactly("1:a", "1:b");
  }

  @Test
  @Timeout(60)
  void whoStartsSegmentsBehindOneThatCannotBeArchivedIsToldSo() throws IOException {
    String inTheWay = "CommitLog-1000.log";
    try (WritableFile other = archive.create(inTheWay, WriteIntent.OTHER)) {
      other.write(ByteBuffer.allocate(7));
    }
    try (CommitLog log = bench.open(disk, options)) {
      LogTable table = table(log, FIRST);
      for (String text : new String[] {"a", "b", "c"}) {
        log.append(record(table, text));
        assertThatThrownBy(log::startSegment)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("is not archived")
            .hasMessageContaining(inTheWay + " has 7 bytes");
      }
      assertThat(bench.archiveFailures).hasSize(3);
      log.discard(FIRST, log.position());
      assertThat(disk.files()).as("nothing is deleted that is not archived").hasSize(4);

      archive.delete(inTheWay);
      log.startSegment();
      assertThat(archive.files()).hasSize(4);
    }
    assertThat(replay(archive).texts).containsExactly("1:a", "1:b", "1:c");
  }

  /** As after a loss of power by which the segment that follows has lost its content. */
  @Test
  void aCopyThatNamesASegmentWhichIsGoneIsReplaced() throws IOException {
    try (CommitLog log = bench.open(disk, options)) {
      log.append(record(table(log, FIRST), "a"));
      log.sync();
    }
    String name = disk.files().get(0);
    long length = disk.length(name);
    FileCopy.copy(disk, name, archive, name, bytes -> {});
    try (WritableFile copy = archive.append(name)) {
      copy.write(ByteBuffer.allocate(29));
    }
    new Archive(disk, archive).add(name);
    assertThat(archive.length(name)).isEqualTo(length);
    assertThat(archive.files()).containsExactly(name);
    assertThat(replay(archive).texts).containsExactly("1:a");
  }

  @Test
  void aLongerFileOfOtherContentIsNotReplaced() throws IOException {
    try (CommitLog log = bench.open(disk, options)) {
      log.append(record(table(log, FIRST), "a"));
    }
    String name = disk.files().get(0);
    try (WritableFile other = archive.create(name, WriteIntent.OTHER)) {
      other.write(ByteBuffer.allocate((int) disk.length(name) + 1));
    }
    assertThatThrownBy(() -> new Archive(disk, archive).add(name))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the segment itself " + disk.length(name));
  }
}
