package io.siltstone.sstable.bti;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.Directory;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes {@code Partitions.db} and {@code Rows.db} of any number of keys and rows that follow from
 * their number, so that nothing has to be remembered. Confined to one thread.
 */
final class BtiFiles {
  /** Keys can be made in its order. */
  static final Partitioner PARTITIONER = Partitioner.BYTE_ORDERED;

  static final String PARTITIONS = "Partitions.db";
  static final String ROWS = "Rows.db";

  /** The timestamp of the range that is open in every third block. */
  static final long OPEN_TIMESTAMP = 77;

  private static final long OPEN_SECONDS = 1_700_000_000L;

  private final Directory directory;
  private final byte[] keyBytes = new byte[Long.BYTES];
  private final PartitionKey key = new PartitionKey();

  BtiFiles(Directory directory) {
    this.directory = directory;
  }

  /** Returns a key; keys with greater numbers are greater. */
  PartitionKey key(long number, long count) {
    long step = Long.MAX_VALUE / (count + 1);
    long noise = Math.floorMod(number * 0x5851_F42D_4C95_7F2DL, step);
    BigEndian.putLong(keyBytes, 0, number * step + noise);
    key.wrap(keyBytes, 0, Long.BYTES, PARTITIONER.token(keyBytes, 0, Long.BYTES));
    return key;
  }

  static long dataPosition(long number) {
    return number * 131;
  }

  /** Writes an index of partitions, none of which has blocks. */
  void writePartitions(long count) throws IOException {
    try (PartitionTrieWriter writer =
        new PartitionTrieWriter(directory.create(PARTITIONS, WriteIntent.OTHER), PARTITIONER)) {
      PartitionKey first = new PartitionKey();
      PartitionKey of = new PartitionKey();
      for (long i = 0; i < count; i++) {
        of = key(i, count);
        writer.add(of, of.longHash(), dataPosition(i));
        if (i == 0) {
          first.copyFrom(of);
        }
      }
      writer.finish(first, of);
    }
  }

  static List<CqlType> clusteringTypes() {
    return List.of(CqlTypes.TEXT, CqlTypes.reversed(CqlTypes.BIGINT));
  }

  static RowEncoding encoding() {
    return new RowEncoding(
        new SerializationHeader(
            CqlTypes.BLOB, clusteringTypes(), List.of(), List.of(), EncodingStats.NONE),
        true);
  }

  /** Returns the clustering of a row; those with greater numbers are greater. */
  static Clustering clustering(RowEncoding encoding, ClusteringKind kind, long number) {
    byte[] text = Long.toString(1_000_000_000L + number / 10).getBytes(StandardCharsets.US_ASCII);
    byte[] last = new byte[Long.BYTES];
    BigEndian.putLong(last, 0, -(number % 10));
    return Clustering.of(kind, encoding, List.of(text, last));
  }

  static long offset(long row) {
    return 20 + row * 50;
  }

  /**
   * Writes the rows of a partition, each a block of its own; in front of every third one a range
   * begins that ends with it.
   *
   * @return the position of its entry
   */
  long writeRows(long count) throws IOException {
    RowEncoding encoding = encoding();
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    Unfiltered unfiltered =
        new Unfiltered(encoding, (index, reason) -> new IOException(index + ": " + reason));
    try (RowTrieWriter writer =
        new RowTrieWriter(directory.create(ROWS, WriteIntent.OTHER), clusteringTypes(), 1)) {
      writer.startPartition();
      for (long i = 0; i < count; i++) {
        ClusteringKind kind = kind(i);
        Clustering clustering = clustering(encoding, kind, i);
        if (kind == ClusteringKind.CLUSTERING) {
          encoder.beginRow();
          encoder.clustering(clustering);
          encoder.finish(0);
        } else {
          encoder.marker(clustering, OPEN_TIMESTAMP, OPEN_SECONDS, OPEN_TIMESTAMP, OPEN_SECONDS, 0);
        }
        encoder.encoded().wrapWith(unfiltered);
        writer.add(unfiltered, offset(i), offset(i + 1));
      }
      if (!writer.endPartition(offset(count))) {
        throw new IllegalStateException("no blocks");
      }
      long position = writer.addPartition(key(0, 1), dataPosition(5), OPEN_TIMESTAMP, OPEN_SECONDS);
      writer.finish();
      return position;
    }
  }

  /** Returns the kind of what is in a place: a row, the start of a range, its end. */
  static ClusteringKind kind(long number) {
    return switch ((int) (number % 3)) {
      case 0 -> ClusteringKind.CLUSTERING;
      case 1 -> ClusteringKind.INCL_START_BOUND;
      default -> ClusteringKind.INCL_END_BOUND;
    };
  }
}
