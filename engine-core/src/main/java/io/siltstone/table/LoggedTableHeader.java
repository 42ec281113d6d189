package io.siltstone.table;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The header of a table in the commit log, before the first of its changes. It is all that is
 * needed to read them, even if the table was altered since.
 *
 * <pre>
 *   byte    version of this form, 1
 *   byte    1 if local deletion times are unsigned
 *   int64   least timestamp   ┐
 *   int64   least deletion time│ the bases of delta-encoded times
 *   int32   least TTL         ┘
 *   UTF-8   the table's CQL, to the end
 * </pre>
 *
 * All big-endian. The changes are in the form of {@link io.siltstone.cursor.PartitionUpdate}.
 */
final class LoggedTableHeader {
  private static final byte VERSION = 1;
  private static final int MIN_TIMESTAMP_AT = 2;
  private static final int MIN_DELETION_TIME_AT = MIN_TIMESTAMP_AT + Long.BYTES;
  private static final int MIN_TTL_AT = MIN_DELETION_TIME_AT + Long.BYTES;
  private static final int CQL_AT = MIN_TTL_AT + Integer.BYTES;

  private LoggedTableHeader() {}

  /**
   * Encodes the header of a table.
   *
   * @param encoding of its changes, made from the schema
   */
  static byte[] encode(TableSchema schema, RowEncoding encoding) {
    byte[] cql = schema.toCql().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[CQL_AT + cql.length];
    EncodingStats stats = encoding.header().stats();
    bytes[0] = VERSION;
    bytes[1] = (byte) (encoding.hasUnsignedDeletionTimes() ? 1 : 0);
    BigEndian.putLong(bytes, MIN_TIMESTAMP_AT, stats.minTimestamp());
    BigEndian.putLong(bytes, MIN_DELETION_TIME_AT, stats.minLocalDeletionTime());
    BigEndian.putInt(bytes, MIN_TTL_AT, stats.minTtl());
    System.arraycopy(cql, 0, bytes, CQL_AT, cql.length);
    return bytes;
  }

  /**
   * Returns the encoding of the changes after a header.
   *
   * @throws IOException if it is not a header
   */
  static RowEncoding decode(byte[] bytes) throws IOException {
    TableSchema schema = schema(bytes);
    EncodingStats stats =
        new EncodingStats(
            BigEndian.getLong(bytes, MIN_TIMESTAMP_AT),
            BigEndian.getLong(bytes, MIN_DELETION_TIME_AT),
            BigEndian.getInt(bytes, MIN_TTL_AT));
    return RowEncoding.of(schema, stats, bytes[1] == 1);
  }

  /**
   * Returns the definition in a header.
   *
   * @throws IOException if it is not a header
   */
  static TableSchema schema(byte[] bytes) throws IOException {
    if (bytes.length <= CQL_AT || bytes[0] != VERSION || (bytes[1] & ~1) != 0) {
      throw new IOException(
          bytes.length <= CQL_AT
              ? "a table's header of " + bytes.length + " bytes"
              : "a table's header of version " + bytes[0] + " and flags " + bytes[1]);
    }
    String cql = new String(bytes, CQL_AT, bytes.length - CQL_AT, StandardCharsets.UTF_8);
    try {
      // Parsed leniently, as when the table was opened: earlier versions allowed what is refused
      // today.
      return SchemaParser.parseLeniently(cql).onlyTable();
    } catch (SchemaException | IllegalStateException e) {
      throw new IOException("a table's header that is no CQL: " + e.getMessage(), e);
    }
  }
}
