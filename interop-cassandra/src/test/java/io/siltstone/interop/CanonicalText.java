package io.siltstone.interop;

import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of an SSTable as text that does not depend on the reader: one line per partition,
 * deletion, row, cell and marker, with keys and values in hexadecimal. Two readers agree if their
 * texts are equal. Deletion times are {@code timestamp micros @ local deletion time in seconds}.
 */
final class CanonicalText {

  /** The local deletion time that means "never". */
  static final long NO_DELETION_TIME = Long.MAX_VALUE;

  private final StringBuilder text = new StringBuilder();
  private final boolean coveredColumns;
  private long rowTimestamp = Long.MIN_VALUE;
  private long rowLocalSeconds;

  /** Collects everything. */
  CanonicalText() {
    this(true);
  }

  private CanonicalText(boolean coveredColumns) {
    this.coveredColumns = coveredColumns;
  }

  /**
   * Omits deletions of columns that the deletion of their row covers. Cassandra omits them only
   * when it merges a row with something else.
   */
  static CanonicalText withoutCoveredColumns() {
    return new CanonicalText(false);
  }

  void partition(byte[] key) {
    text.append("partition ").append(hex(key)).append('\n');
  }

  void partitionDeletion(long timestampMicros, long localDeletionSeconds) {
    line(" deleted").append(deletion(timestampMicros, localDeletionSeconds)).append('\n');
  }

  void staticRow() {
    rowTimestamp = Long.MIN_VALUE;
    line(" static\n");
  }

  void row(List<byte @Nullable []> clustering) {
    rowTimestamp = Long.MIN_VALUE;
    line(" row").append(values(clustering)).append('\n');
  }

  void liveness(long timestampMicros, int ttlSeconds, long expiresSeconds) {
    line("  live ").append(timestampMicros).append(expiry(ttlSeconds, expiresSeconds)).append('\n');
  }

  void rowDeletion(long timestampMicros, long localDeletionSeconds) {
    rowTimestamp = timestampMicros;
    rowLocalSeconds = localDeletionSeconds;
    line("  deleted").append(deletion(timestampMicros, localDeletionSeconds)).append('\n');
  }

  void complexDeletion(String column, long timestampMicros, long localDeletionSeconds) {
    boolean covered =
        timestampMicros < rowTimestamp
            || (timestampMicros == rowTimestamp && localDeletionSeconds <= rowLocalSeconds);
    if (covered && !coveredColumns) {
      return;
    }
    line("  ")
        .append(column)
        .append(" deleted")
        .append(deletion(timestampMicros, localDeletionSeconds))
        .append('\n');
  }

  /**
   * Adds a cell, live or not.
   *
   * @param path of an element of a collection, null in a simple column
   * @param localDeletionSeconds time at which it was deleted or will expire, {@link
   *     #NO_DELETION_TIME} if neither
   */
  void cell(
      String column,
      byte @Nullable [] path,
      long timestampMicros,
      int ttlSeconds,
      long localDeletionSeconds,
      byte[] value) {
    line("  ").append(column);
    if (path != null) {
      text.append('[').append(hex(path)).append(']');
    }
    text.append(' ')
        .append(timestampMicros)
        .append(expiry(ttlSeconds, localDeletionSeconds))
        .append(" = ")
        .append(hex(value))
        .append('\n');
  }

  void bound(String kind, List<byte @Nullable []> prefix, long timestampMicros, long localSeconds) {
    line(" ")
        .append(kind)
        .append(values(prefix))
        .append(deletion(timestampMicros, localSeconds))
        .append('\n');
  }

  void boundary(
      String kind,
      List<byte @Nullable []> prefix,
      long endTimestampMicros,
      long endLocalSeconds,
      long startTimestampMicros,
      long startLocalSeconds) {
    line(" ")
        .append(kind)
        .append(values(prefix))
        .append(" end")
        .append(deletion(endTimestampMicros, endLocalSeconds))
        .append(" start")
        .append(deletion(startTimestampMicros, startLocalSeconds))
        .append('\n');
  }

  @Override
  public String toString() {
    return text.toString();
  }

  private StringBuilder line(String start) {
    return text.append(start);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String deletion(long timestampMicros, long localDeletionSeconds) {
    return " " + timestampMicros + " @ " + localDeletionSeconds;
  }

  private static String expiry(int ttlSeconds, long localDeletionSeconds) {
    return (ttlSeconds == 0 ? "" : " ttl " + ttlSeconds)
        + (localDeletionSeconds == NO_DELETION_TIME ? "" : " @ " + localDeletionSeconds);
  }

  private static String values(List<byte @Nullable []> clustering) {
    StringBuilder values = new StringBuilder();
    for (byte @Nullable [] value : clustering) {
      values.append(' ').append(value == null ? "null" : "x" + hex(value));
    }
    return values.toString();
  }
}
