package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.CorruptFileException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.PartitionCollector;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.StatisticsCollector;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the serialization header of an SSTable that has lost it: the columns of its rows, and the
 * delta bases of its timestamps, deletion times and TTLs.
 *
 * <p><b>Columns.</b> An SSTable has the columns that its table has or had, or some of them. The
 * search reads the whole data file with each possible set of columns. A set is accepted if it is
 * the only one with which the whole file can be read: two columns of one type cannot be
 * distinguished, and values must never be assigned to another column.
 *
 * <p><b>Delta bases.</b> The data does not contain them: with another base all times are shifted,
 * and nothing else changes. But the stats component of {@code Statistics.db}, which has a checksum
 * of its own, has the least and greatest of these times. The file is read with an arbitrary base,
 * and the difference between the times read and those of the stats is the difference between the
 * bases. All other figures of the stats verify the result. If the stats are lost too, the caller
 * must give the bases; otherwise the search is refused, because times are never guessed.
 *
 * <p>Used once, by one thread.
 */
final class HeaderSearch {
  // All subsets of this many columns are tried.
  private static final int MOST_SUBSET_COLUMNS = 10;

  private final ChunkedFile data;
  private final Descriptor descriptor;
  private final String path;
  private final Partitioner partitioner;
  private final @Nullable StatsMetadata stats;
  private final RebuildOptions options;
  private final List<SerializationHeader> siblings;
  private final MemoryBudget budget;

  /**
   * @param path of {@code Statistics.db}, for messages
   * @param stats null if they are lost
   * @param siblings headers of other SSTables of the table, for hints
   */
  HeaderSearch(
      ChunkedFile data,
      Descriptor descriptor,
      String path,
      Partitioner partitioner,
      @Nullable StatsMetadata stats,
      RebuildOptions options,
      List<SerializationHeader> siblings,
      MemoryBudget budget) {
    this.data = data;
    this.descriptor = descriptor;
    this.path = path;
    this.partitioner = partitioner;
    this.stats = stats;
    this.options = options;
    this.siblings = siblings;
    this.budget = budget;
  }

  /**
   * Returns the header.
   *
   * @throws CorruptSSTableException if it is not certain; the message says what the user can do
   */
  SerializationHeader find() throws IOException {
    SerializationHeader table = options.columns().current();
    if (table == null) {
      throw refused("its header is lost, and the schema that would tell the columns is not known");
    }
    if (stats == null && options.bases() == null) {
      throw basesLost(
          "its header and its stats are lost, and so are the bases that all timestamps, deletion"
              + " times and TTLs are differences from: the data does not tell them. ");
    }
    List<SerializationHeader> found = new ArrayList<>();
    for (SerializationHeader candidate : candidates(table)) {
      SerializationHeader fitting = fit(candidate);
      if (fitting != null) {
        found.add(fitting);
      }
    }
    if (found.isEmpty()) {
      throw refused(
          "its header is lost, and with none of the table's columns all rows can be read");
    }
    if (found.size() > 1) {
      throw refused(
          "its header is lost, and the rows could have the columns "
              + columns(found.get(0))
              + " as well as "
              + columns(found.get(1)));
    }
    return found.get(0);
  }

  private String hint() {
    String restore =
        "Restore the file from a backup, or give the delta bases that this SSTable had:"
            + " minTimestamp, minLocalDeletionTime and minTTL of its EncodingStats";
    if (siblings.isEmpty()) {
      return restore;
    }
    EncodingStats near = siblings.get(0).stats();
    return restore
        + "; another SSTable of the table has "
        + near.minTimestamp()
        + ", "
        + near.minLocalDeletionTime()
        + " and "
        + near.minTtl()
        + ", which proves nothing";
  }

  private static String columns(SerializationHeader header) {
    return Stream.concat(header.staticColumns().stream(), header.regularColumns().stream())
        .map(HeaderColumn::name)
        .toList()
        .toString();
  }

  private CorruptSSTableException basesLost(String reason) {
    return CorruptSSTableException.ofKind(
        CorruptSSTableException.Kind.DELTA_BASES_LOST,
        path,
        Component.STATISTICS,
        CorruptFileException.WHOLE_FILE,
        reason + hint());
  }

  private CorruptSSTableException refused(String reason) {
    return new CorruptSSTableException(
        path, Component.STATISTICS, CorruptFileException.WHOLE_FILE, reason);
  }

  // The search for the columns.

  /**
   * Returns the sets of columns that the SSTable may have.
   *
   * @throws CorruptSSTableException if there are too many sets to try all of them. If the table has
   *     never had other columns than its own, no other sets are needed: rows reveal the number of
   *     columns of the header, so that no smaller set can be mistaken for this one
   */
  private Set<SerializationHeader> candidates(SerializationHeader table)
      throws CorruptSSTableException {
    Set<SerializationHeader> candidates = new LinkedHashSet<>();
    candidates.add(table.withStats(EncodingStats.NONE));
    List<HeaderColumn> regular = withDropped(table.regularColumns(), options.columns().dropped());
    List<HeaderColumn> statics =
        withDropped(table.staticColumns(), options.columns().droppedStatic());
    int count = regular.size() + statics.size();
    if (count > MOST_SUBSET_COLUMNS) {
      if (count > table.regularColumns().size() + table.staticColumns().size()) {
        throw refused(
            "its header is lost, and the table has or had "
                + CountText.of(count, "column")
                + ", so that it cannot be found out which of them are in the rows; up to "
                + MOST_SUBSET_COLUMNS
                + " can be tried if some were dropped. Restore the file from a backup");
      }
      return candidates;
    }
    for (int bits = (1 << statics.size()) - 1; bits >= 0; bits--) {
      for (int more = (1 << regular.size()) - 1; more >= 0; more--) {
        List<HeaderColumn> chosenStatics = chosen(statics, bits);
        List<HeaderColumn> chosenRegular = chosen(regular, more);
        if (hasDistinctNames(chosenStatics) && hasDistinctNames(chosenRegular)) {
          candidates.add(
              new SerializationHeader(
                  table.keyType(),
                  table.clusteringTypes(),
                  chosenStatics,
                  chosenRegular,
                  EncodingStats.NONE));
        }
      }
    }
    return candidates;
  }

  /** Adds columns that were dropped, unless the same columns were added again. */
  private static List<HeaderColumn> withDropped(
      List<HeaderColumn> present, List<HeaderColumn> dropped) {
    return Stream.concat(present.stream(), dropped.stream()).distinct().toList();
  }

  /**
   * Returns whether no name occurs twice; a column that was dropped and added again with another
   * type is in the list once.
   */
  private static boolean hasDistinctNames(List<HeaderColumn> columns) {
    return columns.stream().map(HeaderColumn::name).distinct().count() == columns.size();
  }

  private static List<HeaderColumn> chosen(List<HeaderColumn> of, int bits) {
    List<HeaderColumn> chosen = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      if ((bits & 1 << i) != 0) {
        chosen.add(of.get(i));
      }
    }
    chosen.sort(HeaderColumn.CELL_ORDER);
    return chosen;
  }

  // The search for the delta bases.

  /**
   * The statistics that were collected while the data was read with a header.
   *
   * @param all statistics of the whole content
   * @param relative statistics without the deletions of partitions, whose times do not depend on
   *     the bases
   * @param fixed statistics of the deletions of partitions only
   */
  private record Seen(StatsMetadata all, StatsMetadata relative, StatsMetadata fixed) {}

  /** Returns the header with its bases, or null if the rows do not have these columns. */
  private @Nullable SerializationHeader fit(SerializationHeader columns) throws IOException {
    EncodingStats given = options.bases();
    StatsMetadata known = stats;
    if (known == null) {
      SerializationHeader header = columns.withStats(given == null ? EncodingStats.NONE : given);
      return read(header) == null ? null : header;
    }
    EncodingStats guess = guess(known);
    Seen seen = read(columns.withStats(guess));
    if (seen == null || !hasSameShape(seen.all(), known)) {
      return null;
    }
    EncodingStats bases = solve(guess, seen, known);
    if (bases == null) {
      throw basesLost(
          "its header is lost, and the least and greatest times in its stats are those of deletions"
              + " of partitions, so they do not tell the bases of the other times. ");
    }
    if (!bases.equals(guess)) {
      seen = read(columns.withStats(bases));
    }
    return seen != null && hasSameTimes(seen.all(), known) ? columns.withStats(bases) : null;
  }

  /** Returns the likely bases: in most SSTables they are the least values of the content. */
  private static EncodingStats guess(StatsMetadata known) {
    long deletion = known.minLocalDeletionTime();
    return new EncodingStats(
        known.minTimestamp() == Long.MIN_VALUE
            ? EncodingStats.TIMESTAMP_EPOCH
            : known.minTimestamp(),
        deletion > Integer.MAX_VALUE || deletion < 0 ? EncodingStats.DELETION_TIME_EPOCH : deletion,
        known.minTtl());
  }

  /**
   * Returns the bases with which the statistics that were read equal the known ones; null if they
   * cannot be determined.
   */
  private static @Nullable EncodingStats solve(
      EncodingStats guess, Seen seen, StatsMetadata known) {
    Long timestamp = timestampShift(seen, known);
    Long deletionTime = deletionTimeShift(seen, known);
    if (timestamp == null || deletionTime == null) {
      return null;
    }
    // If the base is too small, a TTL may look as if there were none.
    int ttl = known.maxTtl() == 0 ? 0 : known.maxTtl() - seen.all().maxTtl();
    return new EncodingStats(
        guess.minTimestamp() + timestamp,
        guess.minLocalDeletionTime() + deletionTime,
        guess.minTtl() + ttl);
  }

  private static @Nullable Long timestampShift(Seen seen, StatsMetadata known) {
    StatsMetadata relative = seen.relative();
    StatsMetadata fixed = seen.fixed();
    if (relative.minTimestamp() == Long.MIN_VALUE) {
      return 0L;
    }
    boolean hasFixed = fixed.minTimestamp() != Long.MIN_VALUE;
    if (!hasFixed || known.minTimestamp() < fixed.minTimestamp()) {
      return known.minTimestamp() - relative.minTimestamp();
    }
    return known.maxTimestamp() > fixed.maxTimestamp()
        ? (Long) (known.maxTimestamp() - relative.maxTimestamp())
        : null;
  }

  private static @Nullable Long deletionTimeShift(Seen seen, StatsMetadata known) {
    long none = DeletionTime.NO_DELETION_TIME;
    long least = seen.relative().minLocalDeletionTime();
    long fixed = seen.fixed().minLocalDeletionTime();
    if (least == none || known.minLocalDeletionTime() == none) {
      return 0L;
    }
    if (fixed == none || known.minLocalDeletionTime() < fixed) {
      return known.minLocalDeletionTime() - least;
    }
    long greatest = seen.relative().maxLocalDeletionTime();
    return greatest != none && known.maxLocalDeletionTime() > seen.fixed().maxLocalDeletionTime()
        ? (Long) (known.maxLocalDeletionTime() - greatest)
        : null;
  }

  /** Returns whether both have the same number of rows and columns. */
  private static boolean hasSameShape(StatsMetadata seen, StatsMetadata known) {
    return seen.totalRows() == known.totalRows()
        && seen.totalColumnsSet() == known.totalColumnsSet()
        && seen.partitionSizes().count() == known.partitionSizes().count();
  }

  private static boolean hasSameTimes(StatsMetadata seen, StatsMetadata known) {
    return seen.minTimestamp() == known.minTimestamp()
        && seen.maxTimestamp() == known.maxTimestamp()
        && seen.minLocalDeletionTime() == known.minLocalDeletionTime()
        && seen.maxLocalDeletionTime() == known.maxLocalDeletionTime()
        && seen.minTtl() == known.minTtl()
        && seen.maxTtl() == known.maxTtl();
  }

  /** Reads all rows with a header; returns null if they cannot be read. */
  private @Nullable Seen read(SerializationHeader header) throws IOException {
    StatisticsCollector all = new StatisticsCollector(header, descriptor.version());
    StatisticsCollector relative = new StatisticsCollector(header, descriptor.version());
    StatisticsCollector fixed = new StatisticsCollector(header, descriptor.version());
    RowStatistics allRows = new RowStatistics(all);
    RowStatistics relativeRows = new RowStatistics(relative);
    PartitionCollector partitions = new PartitionCollector();
    DerivedComponents derived =
        new DerivedComponents(data, header, descriptor, partitioner, budget);
    try (DataCursor cursor = derived.cursor()) {
      while (cursor.nextPartition()) {
        allRows.startPartition(cursor.deletionTimestamp(), cursor.deletionLocalTime());
        fixed.partitionDeletion(cursor.deletionTimestamp(), cursor.deletionLocalTime());
        while (cursor.nextUnfiltered()) {
          allRows.add(cursor.unfiltered());
          relativeRows.add(cursor.unfiltered());
        }
        partitions.add(
            cursor.key(), cursor.position() - cursor.partitionPosition(), allRows.cells());
        partitions.keyRange(cursor.key(), cursor.key());
      }
      return new Seen(
          finished(all, partitions), finished(relative, partitions), finished(fixed, partitions));
    } catch (CorruptSSTableException | IllegalArgumentException | IllegalStateException e) {
      return null;
    }
  }

  private StatsMetadata finished(StatisticsCollector collector, PartitionCollector partitions) {
    return collector
        .finish(partitions, partitioner.className(), 1, 0, 0, RepairState.UNREPAIRED, null)
        .stats();
  }
}
