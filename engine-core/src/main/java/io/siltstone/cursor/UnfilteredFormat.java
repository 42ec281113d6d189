package io.siltstone.cursor;

/**
 * The byte form of rows and range-tombstone markers in {@code Data.db}.
 *
 * <pre>
 *   row       flags      byte
 *             extended   byte   if EXTENSION
 *             clustering        if not static: see {@link Clustering}
 *             size       vint   bytes from after this field to the end of the row
 *             previous   vint   bytes from the start of the unfiltered before this one (from the start of the partition
 *                               for the first one; 0 for the static row)
 *             timestamp  vint   if HAS_TIMESTAMP
 *             ttl, ldt   vint   if HAS_TTL: time to live, local expiration time
 *             deletion   vint×2 if HAS_DELETION: timestamp, local deletion time
 *             columns           if not HAS_ALL_COLUMNS: which of the header's columns are present
 *             per column present, in the header's order:
 *               simple   cell
 *               complex  deletion vint×2 if HAS_COMPLEX_DELETION; count vint; cells
 *   cell      flags      byte
 *             timestamp  vint   unless USE_ROW_TIMESTAMP
 *             ldt        vint   if deleted or expiring, unless USE_ROW_TTL
 *             ttl        vint   if expiring, unless USE_ROW_TTL
 *             path              in complex columns: vint length, bytes
 *             value             unless HAS_EMPTY_VALUE: vint length unless the type's is fixed, bytes
 *   marker    flags      byte   IS_MARKER
 *             kind       byte   code of {@link ClusteringKind}
 *             count      short  of the clustering values
 *             clustering
 *             size, previous vint, as in a row
 *             deletion   vint×2 a boundary has two: of the range that ends, of the one that begins
 *   end       flags      byte   END_OF_PARTITION
 * </pre>
 *
 * Timestamps, local deletion times and TTLs are unsigned deltas against the header's {@link
 * EncodingStats}, wrapping around (deletion times and TTLs in 32 bits, sign-extended). Columns
 * present: with fewer than 64 in the header a vint whose bits say which are missing; else a vint of
 * the count missing, then the vint indexes of those present if they are less than half, or of those
 * missing. Source: Cassandra {@code UnfilteredSerializer}, {@code Cell.Serializer}, {@code
 * Columns.Serializer}.
 */
final class UnfilteredFormat {
  static final int END_OF_PARTITION = 0x01;
  static final int IS_MARKER = 0x02;
  static final int HAS_TIMESTAMP = 0x04;
  static final int HAS_TTL = 0x08;
  static final int HAS_DELETION = 0x10;
  static final int HAS_ALL_COLUMNS = 0x20;
  static final int HAS_COMPLEX_DELETION = 0x40;
  static final int EXTENSION = 0x80;

  static final int IS_STATIC = 0x01;
  static final int HAS_SHADOWABLE_DELETION = 0x02;

  static final int CELL_IS_DELETED = 0x01;
  static final int CELL_IS_EXPIRING = 0x02;
  static final int CELL_HAS_EMPTY_VALUE = 0x04;
  static final int CELL_USE_ROW_TIMESTAMP = 0x08;
  static final int CELL_USE_ROW_TTL = 0x10;
  static final int CELL_FLAGS = 0x1f;

  /**
   * With this many columns in the header or more, those present are listed rather than given as
   * bits.
   */
  static final int LARGE_COLUMN_COUNT = 64;

  private UnfilteredFormat() {}
}
