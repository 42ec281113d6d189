package io.siltstone.commitlog.segment;

import static io.siltstone.commitlog.segment.LogBench.FIRST;
import static io.siltstone.commitlog.segment.LogBench.HOST;
import static io.siltstone.commitlog.segment.LogBench.SECOND;
import static io.siltstone.commitlog.segment.LogBench.record;
import static io.siltstone.commitlog.segment.LogBench.replay;
import static io.siltstone.commitlog.segment.LogBench.small;
import static io.siltstone.commitlog.segment.LogBench.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.BigEndian;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment that is missing, cut, of another log or of a later version is noticed and named. */
class MissingSegmentsTest {
  private static final int SEGMENTS = 6;
  private static final ReplayOptions WHOLE_LOG = ReplayOptions.DEFAULT.of(HOST);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final LogBench bench = new LogBench(leaks.memory());

  /** Segments of a process that died after a sync; one change in each. */
  private Directory deadLog(SyncMode mode, int discarded) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    CommitLog log = bench.open(disk, small(mode).build());
    LogTable first = table(log, FIRST);
    for (int i = 0; i < SEGMENTS + discarded; i++) {
      if (i > 0) {
        log.startSegment();
      }
      log.append(record(first, "change " + i));
      if (i == discarded - 1) {
        log.sync();
        log.discard(FIRST, log.position());
      }
    }
    log.sync();
    Directory left = disk.processDeath();
    assertThatThrownBy(log::close).isInstanceOf(IOException.class);
    assertThat(left.files()).hasSize(SEGMENTS);
    return left;
  }

  private static List<Long> ids(Directory directory) throws IOException {
    return CommitLogReplay.ids(directory);
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void everySegmentIsMissed(SyncMode mode) throws IOException {
    for (int discarded : new int[] {0, 1, 3}) {
      for (int missing = 0; missing < SEGMENTS; missing++) {
        Directory directory = deadLog(mode, discarded);
        assertThat(replay(directory, WHOLE_LOG).texts).hasSize(SEGMENTS);
        String name = SegmentFormat.name(ids(directory).get(missing));
        directory.delete(name);
        assertThatThrownBy(() -> replay(directory, WHOLE_LOG))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining(name)
            .hasMessageContaining("missing");
        LogBench.Found found = replay(directory, WHOLE_LOG.skippingDamage());
        assertThat(found.log().damage()).hasSize(1);
        assertThat(found.log().damage().get(0)).hasMessageContaining(name);
        assertThat(found.texts).hasSize(SEGMENTS - 1);
      }
    }
  }

  @Test
  void segmentsThatNoTableNeedsAreNotMissed() throws IOException {
    Directory directory = new MemoryDirectory();
    for (int run = 0; run < 4; run++) {
      CommitLog log =
          bench.open(
              directory, small(SyncMode.BATCH).build(), null, replay(directory, WHOLE_LOG).log());
      LogTable table = table(log, run % 2 == 0 ? FIRST : SECOND);
      log.append(record(table, "run " + run));
      log.startSegment();
      log.append(record(table, "more of run " + run));
      log.discard(table.id(), log.position());
      log.close();
    }
    replay(directory, WHOLE_LOG);
    assertThat(directory.files()).as("of eight that were made").hasSizeLessThan(6);
  }

  @Test
  void anOldSegmentMayBePutBack() throws IOException {
    Directory old = deadLog(SyncMode.BATCH, 0);
    String name = SegmentFormat.name(ids(old).get(2));
    Directory directory = new MemoryDirectory();
    bench.setClock(5000);
    try (CommitLog log = bench.open(directory, small(SyncMode.BATCH).build())) {
      LogTable table = table(log, FIRST);
      log.append(record(table, "gone"));
      log.startSegment();
      log.discard(FIRST, log.position());
      log.append(record(table, "later"));
      log.startSegment();
    }
    overwrite(directory, name, read(old, name));
    assertThat(replay(directory, WHOLE_LOG).texts).containsExactly("1:change 2", "1:later");
  }

  @Test
  void aSegmentThatNeverGotAHeaderIsNotMissedWhenItIsGone() throws IOException {
    Directory directory = deadLog(SyncMode.BATCH, 0);
    String last = SegmentFormat.name(ids(directory).get(SEGMENTS - 1));
    overwrite(directory, last, new byte[7]);
    ReplayedLog found = replay(directory, WHOLE_LOG).log();
    assertThat(found.tornBytes()).isEqualTo(7);
    // The end of the log is made good, and then the process dies before it goes on.
    found.settle(directory);
    assertThat(directory.files()).hasSize(SEGMENTS - 1);
    assertThat(replay(directory, WHOLE_LOG).texts).hasSize(SEGMENTS - 1);
  }

  @Test
  void anArchiveMayBeginAndEndAnywhere() throws IOException {
    Directory directory = deadLog(SyncMode.BATCH, 0);
    directory.delete(SegmentFormat.name(ids(directory).get(0)));
    directory.delete(SegmentFormat.name(ids(directory).get(SEGMENTS - 2)));
    assertThat(replay(directory).texts).hasSize(SEGMENTS - 2);
  }

  @Test
  void aSegmentThatLostItsEndBeforeAnotherIsNoticed() throws IOException {
    for (int cut = 0; cut < SEGMENTS - 1; cut++) {
      Directory directory = deadLog(SyncMode.BATCH, 0);
      String name = SegmentFormat.name(ids(directory).get(cut));
      directory.truncate(name, directory.length(name) - SegmentFormat.CONTINUED_BYTES - 1);
      assertThatThrownBy(() -> replay(directory, WHOLE_LOG))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("the next segment says");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 30, 38, 41, 50, SegmentFormat.HEADER_BYTES - 1})
  void aSegmentWhoseHeaderIsDamagedIsNoticed(int at) throws IOException {
    for (int bad = 0; bad < SEGMENTS; bad++) {
      Directory directory = deadLog(SyncMode.BATCH, 0);
      String name = SegmentFormat.name(ids(directory).get(bad));
      byte[] bytes = read(directory, name);
      bytes[at] ^= 1;
      overwrite(directory, name, bytes);
      assertThatThrownBy(() -> replay(directory, WHOLE_LOG))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void aSegmentOfAnotherDatabaseIsNoticed() throws IOException {
    Directory directory = deadLog(SyncMode.BATCH, 0);
    assertThatThrownBy(() -> replay(directory, ReplayOptions.DEFAULT.of(SECOND)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(SegmentFormat.name(ids(directory).get(0)))
        .hasMessageContaining(HOST.toString())
        .hasMessageContaining(SECOND.toString());
    assertThat(replay(directory).texts).hasSize(SEGMENTS);
  }

  @Test
  void aSegmentWithTheNameOfAnotherIsNoticed() throws IOException {
    Directory directory = deadLog(SyncMode.BATCH, 0);
    List<Long> ids = new ArrayList<>(ids(directory));
    directory.rename(SegmentFormat.name(ids.get(1)), SegmentFormat.name(ids.get(3)));
    assertThatThrownBy(() -> replay(directory, WHOLE_LOG))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("segment id " + ids.get(1) + ", its name says " + ids.get(3));
  }

  @ParameterizedTest
  @ValueSource(ints = {SegmentFormat.VERSION + 1, 77})
  void aLaterVersionIsRefusedByName(int version) throws IOException {
    for (int later = 0; later < SEGMENTS; later++) {
      Directory directory = deadLog(SyncMode.BATCH, 0);
      String name = SegmentFormat.name(ids(directory).get(later));
      byte[] bytes = read(directory, name);
      BigEndian.putInt(bytes, Integer.BYTES, version);
      overwrite(directory, name, bytes);
      for (ReplayOptions options : List.of(WHOLE_LOG, WHOLE_LOG.skippingDamage())) {
        assertThatThrownBy(() -> replay(directory, options))
            .isExactlyInstanceOf(IOException.class)
            .hasMessageContaining(name)
            .hasMessageContaining("version " + version)
            .hasMessageContaining("allowed 1 and 2");
      }
    }
  }

  @Test
  void aHeaderMayGrowWithinItsVersion() throws IOException {
    Directory directory = deadLog(SyncMode.BATCH, 0);
    long id = ids(directory).get(0);
    byte[] bytes = read(directory, SegmentFormat.name(id));
    byte[] longer = new byte[SegmentFormat.HEADER_BYTES + Long.BYTES];
    System.arraycopy(bytes, 0, longer, 0, SegmentFormat.HEADER_BYTES);
    BigEndian.putInt(longer, SegmentHeader.COMMON_BYTES, longer.length);
    java.util.zip.CRC32 crc = new java.util.zip.CRC32();
    crc.update(longer, 0, longer.length - Integer.BYTES);
    BigEndian.putInt(longer, longer.length - Integer.BYTES, (int) crc.getValue());
    SegmentHeader header = SegmentHeader.read("a log", longer);
    assertThat(header.length()).isEqualTo(longer.length);
    assertThat(header.id()).isEqualTo(id);
    assertThat(header.hostId()).isEqualTo(HOST);
  }

  private static byte[] read(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
      return bytes;
    }
  }

  private static void overwrite(Directory directory, String name, byte[] bytes) throws IOException {
    if (directory.exists(name)) {
      directory.delete(name);
    }
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
  }

  /** None of the records is synced: a power loss may leave this, and so may damage after a kill. */
  @Test
  void intactRecordsAfterADamagedOneAreTold() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    CommitLog log = bench.open(disk, small(SyncMode.PERIODIC).build());
    LogTable first = table(log, FIRST);
    for (int i = 0; i < 10; i++) {
      log.append(record(first, "change " + i));
    }
    Directory left = disk.processDeath();
    assertThatThrownBy(log::close).isInstanceOf(IOException.class);
    String name = left.files().get(0);
    byte[] bytes = read(left, name);
    bytes[bytes.length / 2] ^= 1;
    overwrite(left, name, bytes);
    LogBench.Found found = replay(left, WHOLE_LOG);
    assertThat(found.texts).hasSizeBetween(1, 8);
    assertThat(found.log().damage()).isEmpty();
    assertThat(found.log().cutOff())
        .singleElement()
        .satisfies(
            place -> assertThat(place).hasMessageContainingAll(name, "intact records follow"));
    // A record that was not finished is nothing to tell of.
    left.truncate(name, found.log().end().position() + 5);
    assertThat(replay(left, WHOLE_LOG).log().cutOff()).isEmpty();
  }
}
