package io.siltstone.sstable.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the resources were written by Cassandra 5.0.9. */
class StatisticsTest {

  private static final String TYPES = "nb-3-big-Statistics.db";
  private static final String KEYS_ONLY = "nb-1-big-Statistics.db";

  private final MemoryDirectory directory = new MemoryDirectory();

  @ParameterizedTest
  @ValueSource(strings = {TYPES, KEYS_ONLY})
  void whatCassandraWroteIsWrittenTheSame(String name) throws IOException {
    byte[] original = resource(name);
    assertThat(written(read(original, FormatVersion.NB), FormatVersion.NB)).isEqualTo(original);
  }

  @Test
  void tellsWhatIsInTheTable() throws IOException {
    Statistics statistics = read(resource(TYPES), FormatVersion.NB);
    assertThat(statistics.validation().partitioner()).isEqualTo(Partitioner.MURMUR3.className());
    StatsMetadata stats = statistics.stats();
    assertThat(stats.partitionSizes().count())
        .isEqualTo(stats.cellsPerPartition().count())
        .isEqualTo(statistics.compaction().cardinality().estimate())
        .isPositive();
    assertThat(stats.estimatedCells())
        .isEqualTo(
            (long) Math.ceil(stats.cellsPerPartition().mean()) * stats.partitionSizes().count());
    assertThat(stats.originatingHostId()).isPresent();
    assertThat(stats.keyRange()).isEmpty();
    assertThat(stats.minTimestamp()).isLessThanOrEqualTo(stats.maxTimestamp());
    assertThat(statistics.header().regularColumns())
        .isSortedAccordingTo(
            (a, b) ->
                a.type().isMultiCell() == b.type().isMultiCell()
                    ? a.name().compareTo(b.name())
                    : Boolean.compare(a.type().isMultiCell(), b.type().isMultiCell()))
        .extracting(HeaderColumn::name)
        .doesNotHaveDuplicates()
        .isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(FormatVersion.class)
  void everyVersionComesBack(FormatVersion version) throws IOException {
    Statistics nb = read(resource(TYPES), FormatVersion.NB);
    Statistics statistics = nb.withStats(asOf(version, nb.stats()));
    byte[] bytes = written(statistics, version);
    assertThat(read(bytes, version)).isEqualTo(statistics);
    assertThat(written(read(bytes, version), version)).isEqualTo(bytes);
  }

  @Test
  void levelAndRepairCanBeChanged() throws IOException {
    Statistics before = read(resource(TYPES), FormatVersion.NB);
    UUID session = new UUID(1, 2);
    StatsMetadata changed =
        before.stats().withLevel(3).withRepair(new RepairState(4, Optional.of(session), true));
    StatsMetadata after =
        read(written(before.withStats(changed), FormatVersion.NB), FormatVersion.NB).stats();
    assertThat(after.level()).isEqualTo(3);
    assertThat(after.repairedAt()).isEqualTo(4);
    assertThat(after.pendingRepair()).contains(session);
    assertThat(after.isTransient()).isTrue();
    assertThat(after.partitionSizes()).isEqualTo(before.stats().partitionSizes());
  }

  @Test
  void aNegativeLevelIsCorrupt() throws IOException {
    Statistics before = read(resource(TYPES), FormatVersion.NB);
    byte[] bytes = written(before.withStats(before.stats().withLevel(-1)), FormatVersion.NB);
    assertThatThrownBy(() -> read(bytes, FormatVersion.NB))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("level -1");
  }

  @Test
  void everyTruncationIsCorrupt() throws IOException {
    byte[] whole = resource(KEYS_ONLY);
    for (int length = 0; length < whole.length; length++) {
      assertCorrupt(Arrays.copyOf(whole, length), "length " + length);
    }
    assertCorrupt(Arrays.copyOf(whole, whole.length + 1), "a byte more");
  }

  @Test
  void everyFlippedByteIsCorrupt() throws IOException {
    byte[] whole = resource(KEYS_ONLY);
    for (int at = 0; at < whole.length; at++) {
      for (int mask : new int[] {1, 0x80}) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) mask;
        assertCorrupt(damaged, "byte " + at + " xor " + mask);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FormatVersion.class)
  void flippedBytesUnderRightChecksumsAreCorruptUnsupportedOrRead(FormatVersion version)
      throws IOException {
    Statistics nb = read(resource(TYPES), FormatVersion.NB);
    byte[] whole = written(nb.withStats(asOf(version, nb.stats())), version);
    int corrupt = 0;
    int unsupported = 0;
    int read = 0;
    int step = Integer.getInteger("siltstone.scale", 1) > 1 ? 1 : 6;
    for (int at = 0; at < whole.length; at += step) {
      for (int mask : new int[] {1, 0x80}) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) mask;
        try {
          read(resealed(damaged, whole), version);
          read++;
        } catch (CorruptSSTableException e) {
          assertThat(e.component()).isEqualTo(Component.STATISTICS);
          corrupt++;
        } catch (UnsupportedSSTableException e) {
          // It happens to be the name of a type.
          assertThat(e).hasMessageContaining("unknown type");
          unsupported++;
        }
      }
    }
    assertThat(corrupt).isPositive();
    assertThat(unsupported).isPositive();
    assertThat(read).isPositive();
  }

  /** Stats with all that a version has, and nothing that it has not. */
  private static StatsMetadata asOf(FormatVersion version, StatsMetadata stats) {
    return new StatsMetadata(
        stats.counts(),
        stats.times(),
        stats.coveredClustering(),
        new StatsMetadata.Markers(
            version.hasPartitionDeletionMarker() || stats.hasPartitionDeletions(),
            stats.hasLegacyCounterShards()),
        new StatsMetadata.KeySpan(
            version.hasKeyRange()
                ? Optional.of(new KeyRange(new byte[] {1, 2}, new byte[0]))
                : Optional.empty(),
            version.hasTokenSpaceCoverage() ? 0.25 : Double.NaN),
        stats.compressionRatio(),
        stats.level(),
        new RepairState(stats.repairedAt(), Optional.of(new UUID(9, 10)), stats.isTransient()),
        new StatsMetadata.CommitLogOrigin(
            CommitLogIntervals.of(new CommitLogPosition(5, 6), new CommitLogPosition(7, 8)),
            version.hasOriginatingHostId() ? Optional.of(new UUID(11, 12)) : Optional.empty()));
  }

  /** Puts right checksums where those of the undamaged file are. */
  private static byte[] resealed(byte[] damaged, byte[] whole) {
    seal(damaged, 0, 4);
    CRC32 toc = new CRC32();
    toc.update(damaged, 0, 4);
    toc.update(damaged, 8, 32);
    BigEndian.putInt(damaged, 40, (int) toc.getValue());
    for (int i = 0; i < 4; i++) {
      int from = BigEndian.getInt(whole, 12 + 8 * i);
      int to = i == 3 ? whole.length : BigEndian.getInt(whole, 20 + 8 * i);
      seal(damaged, from, to - 4);
    }
    return damaged;
  }

  private static void seal(byte[] file, int from, int to) {
    CRC32 crc = new CRC32();
    crc.update(file, from, to - from);
    BigEndian.putInt(file, to, (int) crc.getValue());
  }

  private void assertCorrupt(byte[] bytes, String what) {
    assertThatThrownBy(() -> read(bytes, FormatVersion.NB))
        .as(what)
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(Component.STATISTICS.fileName());
  }

  private Statistics read(byte[] bytes, FormatVersion version) throws IOException {
    if (directory.exists("in")) {
      directory.delete("in");
    }
    try (WritableFile file = directory.create("in", WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
    return Statistics.read(directory, "in", version);
  }

  private byte[] written(Statistics statistics, FormatVersion version) throws IOException {
    if (directory.exists("out")) {
      directory.delete("out");
    }
    statistics.write(directory, "out", version, WriteIntent.FLUSH);
    try (ReadableFile file = directory.open("out", ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      file.read(0, bytes, 0, bytes.length);
      return bytes;
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(StatisticsTest.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    }
  }
}
