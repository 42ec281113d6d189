package io.siltstone.sstable.check;

import io.siltstone.type.CqlType;
import java.util.List;

/** What the parser of a data file has found in it. */
final class DataFigures {
  private static final byte[] NOTHING = {};

  long partitions;
  long partitionDeletions;

  /** Rows, static ones that are not empty included. */
  long rows;

  long markers;
  long cells;

  /** Sum of the second halves of the keys' hashes. */
  long keysHash;

  /** Sum of the hashes of the partitions' deletions. */
  long deletionsHash;

  /** Hash of all that the index must say. */
  final IndexHash indexHash = new IndexHash();

  byte[] firstKey = NOTHING;
  byte[] lastKey = NOTHING;

  long minTimestamp = Long.MAX_VALUE;
  long maxTimestamp = Long.MIN_VALUE;
  long minLocalTime = Long.MAX_VALUE;
  long maxLocalTime = Long.MIN_VALUE;

  /** Whether something has neither a deletion time nor an expiration. */
  boolean hasLive;

  /** The first and the last row or marker of all partitions, if there is one. */
  final Prefix least;

  final Prefix greatest;
  boolean hasBounds;

  DataFigures(List<CqlType> clusteringTypes) {
    least = new Prefix(clusteringTypes);
    greatest = new Prefix(clusteringTypes);
  }

  /** Takes the first row or marker for the least and the greatest. */
  void setBounds(Prefix first) {
    least.copyOf(first);
    greatest.copyOf(first);
    hasBounds = true;
  }
}
