package io.siltstone.sstable.data;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.chunk.ByteOutput;
import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.EncodedUnfiltered;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.IdentityHashMap;

/**
 * Writes partitions to a data file, in the format that {@link DataCursor} describes.
 *
 * <p>Rows in the table's own encoding are copied; only the size of the row or marker before is
 * corrected. Confined to one thread. The caller closes the output.
 */
public final class DataWriter {
  private static final byte END_OF_PARTITION = 1;

  private final ByteOutput out;
  private final RowEncoding encoding;
  private final FormatVersion version;
  private final UnfilteredEncoder encoder;
  private final IdentityHashMap<RowEncoding, ColumnMap> columnMaps = new IdentityHashMap<>();
  private final byte[] scratch = new byte[2 * Vint.MAX_LENGTH];
  private byte[] head = new byte[128];

  private long partitionPosition;
  private long headerLength;
  private long previousOffset;
  private boolean staticPending;

  // Used for rows that need no transcoding.
  private final ColumnMap same;
  // The encoding of the last row or marker, and the way in which it is written.
  private RowEncoding lastSource;
  private ColumnMap lastMap;

  /** Creates a writer of rows in the given encoding. */
  public DataWriter(ByteOutput out, RowEncoding encoding, FormatVersion version) {
    this.out = out;
    this.encoding = encoding;
    this.version = version;
    this.encoder = new UnfilteredEncoder(encoding);
    this.same = ColumnMap.whole(encoding, encoding);
    this.lastSource = encoding;
    this.lastMap = same;
  }

  /** Begins a partition; its key is greater than the one before. */
  public void startPartition(PartitionKey key, long timestamp, long localDeletionTime)
      throws IOException {
    partitionPosition = out.position();
    int most = Short.BYTES + key.length() + DeletionTimes.MAX_LENGTH;
    if (head.length < most) {
      head = new byte[2 * most];
    }
    BigEndian.putShort(head, 0, key.length());
    System.arraycopy(key.bytes(), key.offset(), head, Short.BYTES, key.length());
    int length =
        DeletionTimes.write(
            version, head, Short.BYTES + key.length(), timestamp, localDeletionTime);
    out.write(head, 0, length);
    headerLength = offset();
    previousOffset = 0;
    staticPending = encoding.header().hasStatic();
  }

  /**
   * Adds a row or marker whose body has been read; a static row comes first. Its iteration over the
   * columns may be consumed.
   *
   * @return its offset in bytes from the partition's beginning
   */
  public long add(Unfiltered unfiltered) throws IOException {
    if (unfiltered.isStatic()) {
      if (!staticPending) {
        throw new IllegalArgumentException("a static row in a table or a place that has none");
      }
      long offset = offset();
      staticPending = false;
      write(unfiltered, 0);
      headerLength = offset();
      return offset;
    }
    finishHeader();
    long offset = offset();
    write(unfiltered, offset - previousOffset);
    previousOffset = offset;
    return offset;
  }

  private void finishHeader() throws IOException {
    if (staticPending) {
      staticPending = false;
      encoder.beginStaticRow();
      write(encoder.finish(0));
      headerLength = offset();
    }
  }

  private void write(Unfiltered unfiltered, long previousSize) throws IOException {
    RowEncoding source = unfiltered.encoding();
    if (source != lastSource) {
      lastMap = columnMap(source);
      lastSource = source;
    }
    ColumnMap map = lastMap;
    if (map != same) {
      write(encoder.transcode(unfiltered, map.indexes(unfiltered.isStatic()), previousSize));
      return;
    }
    byte[] bytes = unfiltered.bytes();
    int from = unfiltered.from();
    int end = unfiltered.end();
    if (unfiltered.previousSize() == previousSize && !unfiltered.isSizeShort()) {
      out.write(bytes, from, end - from);
      return;
    }
    int sizeAt = unfiltered.sizeAt();
    int contentFrom = unfiltered.contentFrom();
    long size = (long) end - contentFrom + Vint.length(previousSize);
    int behind = Vint.write(scratch, Vint.write(scratch, 0, size), previousSize);
    out.write(bytes, from, sizeAt - from);
    out.write(scratch, 0, behind);
    out.write(bytes, contentFrom, end - contentFrom);
  }

  private void write(EncodedUnfiltered encoded) throws IOException {
    out.write(encoded.bytes(), 0, encoded.length());
  }

  private ColumnMap columnMap(RowEncoding source) {
    ColumnMap known = columnMaps.get(source);
    if (known == null) {
      known = source.isSameAs(encoding) ? same : ColumnMap.whole(source, encoding);
      columnMaps.put(source, known);
    }
    return known;
  }

  /** Ends the partition and returns its length before the end mark. */
  public long endPartition() throws IOException {
    finishHeader();
    long length = offset();
    out.write(END_OF_PARTITION);
    return length;
  }

  /** Returns the number of bytes written since the partition's beginning. */
  public long offset() {
    return out.position() - partitionPosition;
  }

  /** Returns the position of the current partition in the uncompressed file. */
  public long partitionPosition() {
    return partitionPosition;
  }

  /** Returns the length of the current partition before its first row or marker. */
  public long headerLength() {
    return headerLength;
  }
}
