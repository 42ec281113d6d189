package io.siltstone.sstable;

import static io.siltstone.sstable.SimpleTable.NOW;
import static io.siltstone.sstable.SimpleTable.NOW_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Records;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statistics with right checksums that do not enclose what is in the table. */
class StatisticsCheckTest {
  private static final PartitionKey KEY = SimpleTable.key((byte) 7);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  /** Rows at {@code from} to 5, a deleted cell, a range tombstone from 10 to {@code to}. */
  private static TableModel model(FormatVersion version, int from, int to, Deletion deletion) {
    SimpleTable table = new SimpleTable(version);
    List<Item> items =
        List.of(
            table.row(from, 10),
            SimpleTable.update(
                table.at(ClusteringKind.CLUSTERING, 5),
                SimpleTable.column(0, SimpleTable.deleted(NOW_SECONDS + 50))),
            table.bound(ClusteringKind.INCL_START_BOUND, 10, 7),
            table.bound(ClusteringKind.EXCL_END_BOUND, to, 7));
    table.partition(KEY);
    TableModel empty = table.model();
    return new TableModel(
        empty.header(), empty.partitioner(), List.of(new Partition(KEY, deletion, null, items)));
  }

  private Statistics write(TableModel model, MemoryDirectory directory, Descriptor descriptor)
      throws IOException {
    ModelTables.write(model, directory, descriptor, SSTableWriterOptions.builder().build(), memory);
    return Statistics.read(
        directory, descriptor.fileName(Component.STATISTICS), descriptor.version());
  }

  private CoveredClustering covered(int from, int to) throws IOException {
    return write(
            model(FormatVersion.OA, from, to, Deletion.NONE),
            new MemoryDirectory(),
            Descriptor.of(FormatVersion.OA, 1))
        .stats()
        .coveredClustering();
  }

  /** Verifies a table whose statistics say something else. */
  private SSTableVerifier.Result verify(
      FormatVersion version, Deletion deletion, String changed, Object value) throws IOException {
    return verify(version, deletion, stats -> Records.with(stats, changed, value));
  }

  private SSTableVerifier.Result verify(
      FormatVersion version, Deletion deletion, UnaryOperator<StatsMetadata> change)
      throws IOException {
    Descriptor descriptor = Descriptor.of(version, 1);
    MemoryDirectory directory = new MemoryDirectory();
    Statistics statistics = write(model(version, 1, 20, deletion), directory, descriptor);
    String name = descriptor.fileName(Component.STATISTICS);
    directory.delete(name);
    statistics
        .withStats(change.apply(statistics.stats()))
        .write(directory, name, version, WriteIntent.OTHER);
    try (SSTable table = SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory)) {
      return new SSTableVerifier(table).verify(position -> {});
    }
  }

  private void assertRefused(FormatVersion version, String changed, Object value, String reason) {
    assertThatThrownBy(() -> verify(version, Deletion.NONE, changed, value))
        .as(changed)
        .isInstanceOfSatisfying(
            CorruptSSTableException.class,
            e -> assertThat(e.component()).isEqualTo(Component.STATISTICS))
        .hasMessageEndingWith(reason);
  }

  @ParameterizedTest
  @EnumSource(value = FormatVersion.class, names = "NA", mode = EnumSource.Mode.EXCLUDE)
  void timesOutsideOfTheBoundsAreFound(FormatVersion version) {
    assertRefused(
        version,
        "maxTimestamp",
        NOW + 6,
        "says timestamps from " + NOW + " to " + (NOW + 6) + ", " + KEY + " has " + (NOW + 7));
    assertRefused(
        version,
        "minTimestamp",
        NOW + 1,
        "says timestamps from " + (NOW + 1) + " to " + (NOW + 7) + ", " + KEY + " has " + NOW);
    assertRefused(
        version,
        "minLocalDeletionTime",
        NOW_SECONDS + 8,
        "says local deletion times from "
            + (NOW_SECONDS + 8)
            + " to none, "
            + KEY
            + " has "
            + (NOW_SECONDS + 7));
    assertRefused(
        version,
        "maxLocalDeletionTime",
        NOW_SECONDS + 60,
        "says local deletion times from "
            + (NOW_SECONDS + 7)
            + " to "
            + (NOW_SECONDS + 60)
            + ", "
            + KEY
            + " has none");
  }

  @Test
  void rowsAndRangesOutsideOfTheCoveredClusteringAreFound() throws IOException {
    assertRefused(
        FormatVersion.OA,
        "coveredClustering",
        covered(2, 20),
        "says " + covered(2, 20) + ", " + KEY + " has CLUSTERING(0x00000001)");
    assertRefused(
        FormatVersion.OA,
        "coveredClustering",
        covered(1, 19),
        "says " + covered(1, 19) + ", " + KEY + " has EXCL_END_BOUND(0x00000014)");
    // No reader asks for it there.
    verify(FormatVersion.NB, Deletion.NONE, "coveredClustering", covered(2, 19));
  }

  /** Cassandra's scrub counts the rows of a partition that it gives up. */
  @Test
  void rowsThatAreNotThereMayBeCountedIfThePartitionsHaveTheirSizes() throws IOException {
    assertThat(verify(FormatVersion.OA, Deletion.NONE, "rows", 5L).overcounted()).isEqualTo(3);
    assertRefused(FormatVersion.OA, "rows", 1L, "counts 1 row, there are 2");
    assertThatThrownBy(
            () ->
                verify(
                    FormatVersion.OA,
                    Deletion.NONE,
                    stats -> {
                      EstimatedHistogram sizes = stats.partitionSizes();
                      return Records.with(
                          Records.with(stats, "rows", 5L),
                          "partitionSizes",
                          EstimatedHistogram.sum(List.of(sizes, sizes)));
                    }))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageEndingWith("counts 5 rows, there are 2");
  }

  @Test
  void aPartitionDeletionThatIsDeniedIsFound() throws IOException {
    Deletion deletion = new Deletion(NOW + 3, NOW_SECONDS + 30);

    assertThatThrownBy(() -> verify(FormatVersion.OA, deletion, "hasPartitionDeletions", false))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageEndingWith("says no partition deletion, " + KEY + " has one at " + (NOW + 3));
    verify(FormatVersion.OA, Deletion.NONE, "hasPartitionDeletions", true);
  }

  @ParameterizedTest
  @EnumSource(value = FormatVersion.class, names = "NA", mode = EnumSource.Mode.EXCLUDE)
  void statisticsMayBeWider(FormatVersion version) throws IOException {
    verify(version, Deletion.NONE, "minTimestamp", Long.MIN_VALUE);
    verify(version, Deletion.NONE, "maxTimestamp", Long.MAX_VALUE);
    verify(version, Deletion.NONE, "minLocalDeletionTime", 0L);
    verify(version, Deletion.NONE, "maxLocalDeletionTime", DeletionTime.NO_DELETION_TIME);
    verify(
        version, Deletion.NONE, "coveredClustering", CoveredClustering.all(List.of(CqlTypes.INT)));
  }
}
