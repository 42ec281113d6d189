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
 * Forgets what nobody needs any more: tombstones of cells, collections, rows, ranges and partitions
 * that a {@link PurgeRule} lets go, and what has expired. An expired cell that must be remembered
 * becomes a tombstone of the time when it was written; an expired liveness stays as it is.
 *
 * <p>What nothing goes of is shown where it lies. Rows of tables that are {@linkplain
 * TombstoneFreeEncodings plain} are not looked into. Nothing is allocated per partition, row or
 * cell. Confined to one thread; closing it closes the source. Source: Cassandra {@code
 * PurgeFunction}, {@code BTreeRow.purge}, {@code AbstractCell.purge}, {@code
 * ComplexColumnData.purge}.
 */
final class PurgingCursor implements PartitionCursor {
  private static final byte[] NOTHING = {};

  private final PartitionCursor source;
  private final PurgeRule rule;
  private final TombstoneFreeEncodings plain;
  private final StageCounters stageCounters;
  private final BoundaryKeyCheck boundaryKeyCheck;
  private final ColumnMaps maps;
  private final UnfilteredEncoder encoder;
  private final Unfiltered result;
  private final Clustering bound = new Clustering();

  private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
  // The first unfiltered was looked at to know that there is one.
  private boolean firstIsPending;
  private Unfiltered unfiltered;

  /**
   * @param source whose rows have columns of {@code table} alone
   * @param table in whose encoding rows are written of which something goes
   * @param boundaryKeyCheck that hear of partitions of which nothing is left
   */
  PurgingCursor(
      PartitionCursor source,
      TableEncoding table,
      PurgeRule rule,
      TombstoneFreeEncodings plain,
      StageCounters stageCounters,
      BoundaryKeyCheck boundaryKeyCheck) {
    this.source = source;
    this.rule = rule;
    this.plain = plain;
    this.stageCounters = stageCounters;
    this.boundaryKeyCheck = boundaryKeyCheck;
    this.maps = new ColumnMaps(table);
    this.encoder = new UnfilteredEncoder(table.rows());
    this.result =
        new Unfiltered(
            table.rows(),
            (index, reason) -> new IOException("a row that was purged is damaged: " + reason));
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
        left = plain.isPlain(next.encoding()) ? next : purgeRow(next);
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
    boolean goes = rule.decide(marker.deletionTimestamp(), marker.deletionLocalTime());
    ClusteringKind kind = marker.clustering().kind();
    if (!kind.isBoundary()) {
      return goes ? null : marker;
    }
    boolean openGoes = rule.decide(marker.openTimestamp(), marker.openLocalTime());
    if (goes == openGoes) {
      return goes ? null : marker;
    }
    // What is left of a boundary is the end of the one range, or the start of the other.
    long timestamp = goes ? marker.openTimestamp() : marker.deletionTimestamp();
    long localTime = goes ? marker.openLocalTime() : marker.deletionLocalTime();
    bound.copyFrom(marker.clustering(), goes ? kind.startBound() : kind.endBound());
    encoder.marker(bound, timestamp, localTime, timestamp, localTime, 0).wrapWith(result);
    return result;
  }

  private @Nullable Unfiltered purgeRow(Unfiltered row) throws IOException {
    if (!loses(row)) {
      row.rewind();
      return row;
    }
    if (row.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(row.clustering());
    }
    if (row.hasLiveness() && !livenessGoes(row)) {
      encoder.liveness(row.livenessTimestamp(), row.livenessTtl(), row.livenessExpirationTime());
    }
    if (row.hasDeletion() && !rule.mayForget(row.deletionTimestamp(), row.deletionLocalTime())) {
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

  /** Whether something of the row goes or becomes a tombstone; decides on all that is dead. */
  private boolean loses(Unfiltered row) throws IOException {
    boolean loses = false;
    if (row.hasLiveness() && !Liveness.isPrimaryKeyLive(row, rule.nowSeconds())) {
      loses = rule.decide(row.livenessTimestamp(), row.livenessExpirationTime());
    }
    if (row.hasDeletion()) {
      loses |= rule.decide(row.deletionTimestamp(), row.deletionLocalTime());
    }
    row.rewind();
    while (row.nextColumn()) {
      if (row.isComplex()) {
        loses |=
            rule.decideDeletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
      }
      while (row.nextCell()) {
        if (!Liveness.isCellLive(row, rule.nowSeconds())) {
          loses |=
              rule.decide(row.cellTimestamp(), Liveness.cellDeletedAt(row)) || row.isCellExpiring();
          if (row.isCellExpiring()) {
            stageCounters.expiredCells++;
          }
        }
      }
    }
    return loses;
  }

  private boolean livenessGoes(Unfiltered row) {
    return !Liveness.isPrimaryKeyLive(row, rule.nowSeconds())
        && rule.mayForget(row.livenessTimestamp(), row.livenessExpirationTime());
  }

  private void encodeColumns(Unfiltered row, ColumnMap map) throws IOException {
    int[] indexes = map.indexes(row.isStatic());
    row.rewind();
    while (row.nextColumn()) {
      int column = indexes[row.columnIndex()];
      boolean isBegun = false;
      if (row.isComplex()
          && !DeletionTime.isLive(row.complexDeletionTimestamp())
          && !rule.mayForget(row.complexDeletionTimestamp(), row.complexDeletionLocalTime())) {
        encoder.column(column);
        encoder.complexDeletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
        isBegun = true;
      }
      while (row.nextCell()) {
        boolean isLive = Liveness.isCellLive(row, rule.nowSeconds());
        if (!isLive && rule.mayForget(row.cellTimestamp(), Liveness.cellDeletedAt(row))) {
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
