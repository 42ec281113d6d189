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
 * Writes partitions to a data file, in the form that {@link DataCursor} shows.
 *
 * <p>What is already in the table's own encoding is copied; only the size of the unfiltered before
 * is put right. Confined to one thread; leaves the output to its owner.
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

  // Of what needs no transcoding.
  private final ColumnMap same;
  // What the last unfiltered came from, and how it is written.
  private RowEncoding lastSource;
  private ColumnMap lastMap;

  /** Of rows in the given encoding. */
  public DataWriter(ByteOutput out, RowEncoding encoding, FormatVersion version) {
    this.out = out;
    this.encoding = encoding;
    this.version = version;
    this.encoder = new UnfilteredEncoder(encoding);
    this.same = ColumnMap.whole(encoding, encoding);
    this.lastSource = encoding;
    this.lastMap = same;
  }

  /** Begins a partition; its key lies behind that of the one before. */
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
   * Adds a row or marker with its body read; the static row first, if there is one. Its walk over
   * the columns may be used up.
   *
   * @return where it begins, in bytes from the partition's beginning
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

  /** Ends the partition; returns the bytes before its end mark. */
  public long endPartition() throws IOException {
    finishHeader();
    long length = offset();
    out.write(END_OF_PARTITION);
    return length;
  }

  /** Bytes written since the partition's beginning. */
  public long offset() {
    return out.position() - partitionPosition;
  }

  /** Where the present partition begins in the uncompressed file. */
  public long partitionPosition() {
    return partitionPosition;
  }

  /** Bytes of the present partition before its first row or marker. */
  public long headerLength() {
    return headerLength;
  }
}
