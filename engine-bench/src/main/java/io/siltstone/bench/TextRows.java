package io.siltstone.bench;

import io.siltstone.bench.workload.BookText;
import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of about 800 bytes in memory, one per partition: {@code CREATE TABLE t (k bigint PRIMARY
 * KEY, v text)}, in partition order.
 */
public final class TextRows {
  /** Timestamp of all cells, in microseconds. */
  public static final long TIMESTAMP = 1_700_000_000_000_000L;

  /** Serialization header of all tables of these rows. */
  public static final SerializationHeader HEADER =
      new SerializationHeader(
          CqlTypes.BIGINT,
          List.of(),
          List.of(),
          List.of(new HeaderColumn("v", CqlTypes.TEXT)),
          new EncodingStats(TIMESTAMP, EncodingStats.DELETION_TIME_EPOCH, 0));

  /** Length of the shortest value of rows of about 800 bytes. */
  public static final int SHORTEST = 600;

  /** Length of the longest value of rows of about 800 bytes. */
  public static final int LONGEST = 1_000;

  private static final int TEXTS = 4_096;

  private final PartitionKey[] keys;
  private final String[] values;

  /**
   * Makes a number of rows, always the same.
   *
   * @param shortest length of the shortest value
   * @param longest length of the longest value
   */
  public TextRows(int count, int shortest, int longest) {
    BookText text = new BookText(1);
    String[] texts = new String[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
      texts[i] = StandardCharsets.US_ASCII.decode(text.piece(i, shortest, longest)).toString();
    }
    keys = new PartitionKey[count];
    values = new String[count];
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[Long.BYTES];
      BigEndian.putLong(key, 0, i);
      keys[i] = PartitionKey.of(key, Partitioner.MURMUR3.token(key, 0, key.length));
    }
    Arrays.sort(keys);
    for (int i = 0; i < count; i++) {
      values[i] = texts[(int) (keys[i].token() & (TEXTS - 1))];
    }
  }

  /** Returns the number of rows. */
  public int count() {
    return keys.length;
  }

  /** Returns the key of a row, by its index in partition order. */
  public PartitionKey key(int index) {
    return keys[index];
  }

  /** Returns the value of a row, by its index in partition order. */
  public String value(int index) {
    return values[index];
  }

  /** Encodes and writes every row. */
  public void writeTo(SSTableWriter writer, boolean unsignedDeletionTimes) throws IOException {
    RowEncoding encoding = new RowEncoding(HEADER, unsignedDeletionTimes);
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    ByteOrigin origin = (index, reason) -> new IOException("own row: " + reason);
    Unfiltered row = new Unfiltered(encoding, origin);
    byte[] nothing = {};
    for (int i = 0; i < keys.length; i++) {
      byte[] value = values[i].getBytes(StandardCharsets.UTF_8);
      encoder.beginRow();
      encoder.liveness(TIMESTAMP, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
      encoder.column(0);
      encoder.cell(
          TIMESTAMP,
          DeletionTime.NO_TTL,
          DeletionTime.NO_DELETION_TIME,
          nothing,
          0,
          0,
          value,
          0,
          value.length);
      encoder.finish(0).wrapWith(row);
      writer.startPartition(keys[i], DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
      writer.add(row);
      writer.endPartition();
    }
  }
}
