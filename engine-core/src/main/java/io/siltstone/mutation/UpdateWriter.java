package io.siltstone.mutation;

import io.siltstone.annotation.Expert;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of partitions from serialized values, without creating objects. {@link
 * MutationBuilder} uses it, and so do callers that write many small changes of one kind.
 *
 * <p>Use, in this order: {@link #begin}, {@link #times}; {@link #deletePartition}, {@link
 * #deleteKeysUpTo}; per row, in clustering order, {@link #beginRow}, {@link #clusteringValue}s,
 * {@link #liveness} or {@link #deleteRow}, {@link #value} or {@link #deleteValue} per column in the
 * encoding's order, {@link #endRow}; {@link #update}. The caller is responsible for the order and
 * for valid values. A row's own deletion must have a lower timestamp than its cells.
 *
 * <p>Reusable: allocates nothing once its arrays have grown. Confined to one thread.
 */
@Expert
public final class UpdateWriter {
  private static final byte[] NOTHING = {};

  private final Partitioner partitioner;
  private final long latestDeletionTime;
  private final PartitionUpdate update;
  private final UnfilteredEncoder encoder;
  private final PartitionKey key = new PartitionKey();
  private final long[] hash = new long[2];
  private @Nullable RowMerge merge;

  private long timestamp;
  private int ttl;
  private long expirationTime;
  private long now;

  /** Creates a writer of changes in the given encoding. */
  @SuppressWarnings("exports")
  public UpdateWriter(RowEncoding encoding, Partitioner partitioner) {
    this.partitioner = partitioner;
    this.latestDeletionTime = encoding.latestDeletionTime();
    this.update = new PartitionUpdate(encoding);
    this.encoder = new UnfilteredEncoder(encoding);
  }

  /**
   * Begins a change of the partition with this key, which is copied.
   *
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public void begin(byte[] bytes, int offset, int length) {
    if (length < 1 || length > PartitionKey.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a partition key of " + length + " bytes, allowed 1 to " + PartitionKey.MAX_LENGTH);
    }
    key.wrap(bytes, offset, length, partitioner.tokenWith(bytes, offset, length, hash));
    update.begin(key);
  }

  /**
   * Sets the times of the calls that follow.
   *
   * @param timestampMicros of cells, liveness and deletions
   * @param ttlSeconds of cells and liveness, {@link DeletionTime#NO_TTL} without
   * @param nowSeconds of deletions, and from which the TTL counts; in seconds since 1970
   * @throws IllegalArgumentException if the TTL is out of range or ends too late
   */
  public void times(long timestampMicros, int ttlSeconds, long nowSeconds) {
    WriteTimes.checkTimestamp(timestampMicros);
    WriteTimes.checkTtl(ttlSeconds, nowSeconds, latestDeletionTime);
    timestamp = timestampMicros;
    ttl = ttlSeconds;
    now = nowSeconds;
    expirationTime = WriteTimes.expirationSeconds(ttlSeconds, nowSeconds);
  }

  /**
   * Deletes the partition's data up to the present timestamp.
   *
   * @throws IllegalArgumentException if the format version cannot hold timestamp or time
   */
  public void deletePartition() {
    WriteTimes.checkRangeTimestamp(timestamp);
    update.deletion(timestamp, now);
  }

  /**
   * Extends the deletion of the partition to all keys up to another one; the change has no rows.
   *
   * @param end the first key that is not deleted, greater than that of the partition; null for no
   *     end
   */
  public void deleteKeysUpTo(byte @Nullable [] end) {
    update.deleteKeysUpTo(end);
  }

  /** Begins a row; its clustering values follow. */
  public void beginRow() {
    encoder.beginRow();
  }

  /** Adds the next clustering value, not null. */
  public void clusteringValue(byte[] bytes, int offset, int length) {
    encoder.clusteringValue(bytes, offset, length);
  }

  /** Makes the row live by itself, as {@code INSERT} does. */
  public void liveness() {
    encoder.liveness(timestamp, ttl, expirationTime);
  }

  /** Deletes the row's data up to the present timestamp. */
  public void deleteRow() {
    encoder.deletion(timestamp, now, false);
  }

  /**
   * Sets the value of a simple column.
   *
   * @param column index among the encoding's columns of this kind of row
   */
  public void value(int column, byte[] bytes, int offset, int length) {
    encoder.column(column);
    encoder.cell(timestamp, ttl, expirationTime, NOTHING, 0, 0, bytes, offset, length);
  }

  /** Deletes the value of a simple column. */
  public void deleteValue(int column) {
    encoder.column(column);
    encoder.cell(timestamp, DeletionTime.NO_TTL, now, NOTHING, 0, 0, NOTHING, 0, 0);
  }

  /** Ends the row. */
  public void endRow() {
    encoder.finish(0);
    update.add(encoder);
  }

  /** Adds the merged changes of a row; see {@link RowMerge#add}. */
  void add(boolean isStatic, List<RowChange> changes, RangeDeletions.Deletion active)
      throws ContradictionException {
    if (merge == null) {
      merge = new RowMerge(update.encoding(), encoder);
    }
    merge.add(isStatic, changes, active, update);
  }

  /** Adds a marker of range deletions. */
  void add(RangeDeletions.Marker marker) {
    RangeDeletions.Deletion after = marker.after();
    RangeDeletions.Deletion first =
        marker.bound().kind().closes() ? marker.before() : marker.after();
    encoder.marker(
        marker.bound(),
        first.timestamp(),
        first.localDeletionTime(),
        after.timestamp(),
        after.localDeletionTime(),
        0);
    update.add(encoder);
  }

  /** Returns the change so far; valid until the next {@link #begin}. */
  @SuppressWarnings("exports")
  public PartitionUpdate update() {
    return update;
  }
}
