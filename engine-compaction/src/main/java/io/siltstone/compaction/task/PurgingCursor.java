package io.siltstone.compaction.task;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.ColumnMaps;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The tombstone purge of a compaction: drops tombstones of cells, collections, rows, ranges and
 * partitions that a {@link PurgeRule} allows to drop, and expired data. An example: a compaction on
 * day 30 of a table with {@code gc_grace_seconds} of 10 days. SSTable X has an old row of partition
 * 2, and is not part of the compaction.
 *
 * <pre>
 *   k=1   DELETE on day 12                       purged
 *   k=2   DELETE on day 12                       kept, overlap
 *   k=3   DELETE on day 25                       kept, gc_grace
 *   k=4   INSERT on day 12, TTL 5 days           purged
 *   k=5   INSERT on day 26, TTL 1 day            becomes a tombstone
 *   k=6   INSERT on day 12, DELETE v on day 13   the row stays, without the tombstone of v
 * </pre>
 *
 * <ul>
 *   <li><b>k=1</b> is older than 10 days, and no other SSTable or memtable may have the partition.
 *       The data that the tombstone shadows, if there was any, was an input of this compaction, and
 *       the merge has removed it. Nothing is left of the partition, so it is not written.
 *   <li><b>k=2</b> is old enough, but X may have the partition, with data older than the tombstone.
 *       Without the tombstone, reads would show the deleted row of X again. A compaction that
 *       includes X can purge it.
 *   <li><b>k=3</b> might not have reached all replicas: {@code gc_grace_seconds} is the time that
 *       operators have to repair. A replica that missed the deletion would send its old row to
 *       those that had purged the tombstone.
 *   <li><b>k=4</b> expired on day 17. An expired cell is treated as a tombstone of the day on which
 *       it was written, and that of day 12 is old enough.
 *   <li><b>k=5</b> has expired as well, but must still shadow older values. Its value is dropped,
 *       and a tombstone of day 26 is written in its place. An expired row liveness is kept as it
 *       is.
 *   <li><b>k=6</b> loses only the tombstone of one cell, and is encoded again without it.
 * </ul>
 *
 * <p>Unchanged rows are passed through without copying, and rows of {@linkplain
 * TombstoneFreeEncodings SSTables without tombstones} are not inspected. Nothing is allocated per
 * partition, row or cell. Confined to one thread; closing it closes the source. Source: Cassandra
 * {@code PurgeFunction}, {@code BTreeRow.purge}, {@code AbstractCell.purge}, {@code
 * ComplexColumnData.purge}.
 */
final class PurgingCursor implements PartitionCursor {
  private static final byte[] NOTHING = {};

  private final PartitionCursor source;
  private final PurgeRule rule;
  private final TombstoneFreeEncodings tombstoneFree;
  private final StageCounters stageCounters;
  private final BoundaryKeyCheck boundaryKeyCheck;
  private final ColumnMaps maps;
  private final UnfilteredEncoder encoder;
  private final Unfiltered result;
  private final Clustering bound = new Clustering();

  private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
  // The first unfiltered was already read, to know that there is one.
  private boolean firstIsPending;
  private Unfiltered unfiltered;

  /**
   * @param source its rows have only columns of {@code table}
   * @param table the encoding of rows that lose something
   * @param boundaryKeyCheck notified of partitions of which nothing is left
   */
  PurgingCursor(
      PartitionCursor source,
      TableEncoding table,
      PurgeRule rule,
      TombstoneFreeEncodings tombstoneFree,
      StageCounters stageCounters,
      BoundaryKeyCheck boundaryKeyCheck) {
    this.source = source;
    this.rule = rule;
    this.tombstoneFree = tombstoneFree;
    this.stageCounters = stageCounters;
    this.boundaryKeyCheck = boundaryKeyCheck;
    this.maps = new ColumnMaps(table);
    this.encoder = new UnfilteredEncoder(table.rows());
    this.result =
        new Unfiltered(
            table.rows(), (index, reason) -> new IOException("a purged row is damaged: " + reason));
    this.unfiltered = result;
  }

  @Override
  public RowEncoding encoding() {
    return encoder.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    while (source.nextPartition()) {
      stageCounters.seen.partition(source.key());
      rule.begin(source.key());
      deletionTimestamp = source.deletionTimestamp();
      deletionLocalTime = source.deletionLocalTime();
      stageCounters.seen.partitionDeletion(deletionTimestamp);
      if (rule.decideDeletion(deletionTimestamp, deletionLocalTime)) {
        stageCounters.purged.partitionDeletion(deletionTimestamp);
        deletionTimestamp = DeletionTime.NO_TIMESTAMP;
        deletionLocalTime = DeletionTime.NO_DELETION_TIME;
      }
      firstIsPending = false;
      if (!DeletionTime.isLive(deletionTimestamp)) {
        return true;
      }
      if (findNext()) {
        firstIsPending = true;
        return true;
      }
      stageCounters.purged.partition(source.key());
      boundaryKeyCheck.pass(source.key());
    }
    return false;
  }

  @Override
  public PartitionKey key() {
    return source.key();
  }

  @Override
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  @Override
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (firstIsPending) {
      firstIsPending = false;
      return true;
    }
    return findNext();
  }

  @Override
  public Unfiltered unfiltered() {
    return unfiltered;
  }

  private boolean findNext() throws IOException {
    while (source.nextUnfiltered()) {
      Unfiltered next = source.unfiltered();
      Unfiltered left;
      if (next.isMarker()) {
        stageCounters.seen.markers++;
        left = purgeMarker(next);
        if (left == null) {
          stageCounters.purged.markers++;
        }
      } else {
        stageCounters.seen.rows++;
        left = tombstoneFree.contains(next.encoding()) ? next : purgeRow(next);
        if (left == null) {
          stageCounters.purged.rows++;
        }
        if (next.hasDeletion()) {
          stageCounters.seen.rowDeletion(next);
          if (left == null || !left.hasDeletion()) {
            stageCounters.purged.rowDeletion(next);
          }
        }
      }
      if (left != null) {
        unfiltered = left;
        return true;
      }
    }
    return false;
  }

  private @Nullable Unfiltered purgeMarker(Unfiltered marker) throws IOException {
    boolean dropsClose = rule.decide(marker.deletionTimestamp(), marker.deletionLocalTime());
    ClusteringKind kind = marker.clustering().kind();
    if (!kind.isBoundary()) {
      return dropsClose ? null : marker;
    }
    boolean dropsOpen = rule.decide(marker.openTimestamp(), marker.openLocalTime());
    if (dropsClose == dropsOpen) {
      return dropsClose ? null : marker;
    }
    // The rest of a boundary is the end of one range, or the start of the other.
    long timestamp = dropsClose ? marker.openTimestamp() : marker.deletionTimestamp();
    long localTime = dropsClose ? marker.openLocalTime() : marker.deletionLocalTime();
    bound.copyFrom(marker.clustering(), dropsClose ? kind.startBound() : kind.endBound());
    encoder.marker(bound, timestamp, localTime, timestamp, localTime, 0).wrapWith(result);
    return result;
  }

  private @Nullable Unfiltered purgeRow(Unfiltered row) throws IOException {
    if (!dropsAnything(row)) {
      row.rewind();
      return row;
    }
    if (row.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(row.clustering());
    }
    if (row.hasLiveness() && !dropsLiveness(row)) {
      encoder.liveness(row.livenessTimestamp(), row.livenessTtl(), row.livenessExpirationTime());
    }
    if (row.hasDeletion() && !rule.mayPurge(row.deletionTimestamp(), row.deletionLocalTime())) {
      encoder.deletion(
          row.deletionTimestamp(), row.deletionLocalTime(), row.isDeletionShadowable());
    }
    encodeColumns(row, maps.of(row.encoding()));
    if (encoder.isEmpty()) {
      return null;
    }
    encoder.finish(0).wrapWith(result);
    return result;
  }

  /**
   * Returns whether something of the row is dropped or becomes a tombstone, and counts all
   * decisions.
   */
  private boolean dropsAnything(Unfiltered row) throws IOException {
    boolean drops = false;
    if (row.hasLiveness() && !Liveness.isPrimaryKeyLive(row, rule.nowSeconds())) {
      drops = rule.decide(row.livenessTimestamp(), row.livenessExpirationTime());
    }
    if (row.hasDeletion()) {
      drops |= rule.decide(row.deletionTimestamp(), row.deletionLocalTime());
    }
    row.rewind();
    while (row.nextColumn()) {
      if (row.isComplex()) {
        drops |=
            rule.decideDeletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
      }
      while (row.nextCell()) {
        if (!Liveness.isCellLive(row, rule.nowSeconds())) {
          drops |=
              rule.decide(row.cellTimestamp(), Liveness.cellDeletedAt(row)) || row.isCellExpiring();
          if (row.isCellExpiring()) {
            stageCounters.expiredCells++;
          }
        }
      }
    }
    return drops;
  }

  private boolean dropsLiveness(Unfiltered row) {
    return !Liveness.isPrimaryKeyLive(row, rule.nowSeconds())
        && rule.mayPurge(row.livenessTimestamp(), row.livenessExpirationTime());
  }

  private void encodeColumns(Unfiltered row, ColumnMap map) throws IOException {
    int[] indexes = map.indexes(row.isStatic());
    row.rewind();
    while (row.nextColumn()) {
      int column = indexes[row.columnIndex()];
      boolean isBegun = false;
      if (row.isComplex()
          && !DeletionTime.isLive(row.complexDeletionTimestamp())
          && !rule.mayPurge(row.complexDeletionTimestamp(), row.complexDeletionLocalTime())) {
        encoder.column(column);
        encoder.complexDeletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
        isBegun = true;
      }
      while (row.nextCell()) {
        boolean isLive = Liveness.isCellLive(row, rule.nowSeconds());
        if (!isLive && rule.mayPurge(row.cellTimestamp(), Liveness.cellDeletedAt(row))) {
          continue;
        }
        if (!isBegun) {
          encoder.column(column);
          isBegun = true;
        }
        if (isLive || !row.isCellExpiring()) {
          encoder.copyCell(row);
        } else {
          encoder.cell(
              row.cellTimestamp(),
              DeletionTime.NO_TTL,
              Liveness.cellDeletedAt(row),
              row.bytes(),
              row.pathOffset(),
              row.pathLength(),
              NOTHING,
              0,
              0);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
