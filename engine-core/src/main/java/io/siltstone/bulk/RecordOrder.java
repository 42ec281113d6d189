package io.siltstone.bulk;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import java.util.Arrays;
import java.util.List;

/**
 * Compares records by key bytes, kind and clustering, once their tokens are known to be equal.
 * Records of the same kind and primary key are equal. Immutable; allocates nothing.
 */
final class RecordOrder {
  private final CqlType[] clusteringTypes;

  RecordOrder(List<CqlType> clusteringTypes) {
    this.clusteringTypes = clusteringTypes.toArray(CqlType[]::new);
  }

  int clusteringColumns() {
    return clusteringTypes.length;
  }

  /** Compares records with the same token. */
  int compareWithinToken(byte[] left, int leftRecord, byte[] right, int rightRecord) {
    int leftKindAt = RecordFormat.kindAt(left, leftRecord);
    int rightKindAt = RecordFormat.kindAt(right, rightRecord);
    int order =
        Arrays.compareUnsigned(
            left,
            leftRecord + RecordFormat.KEY_AT,
            leftKindAt,
            right,
            rightRecord + RecordFormat.KEY_AT,
            rightKindAt);
    if (order != 0) {
      return order;
    }
    int kind = left[leftKindAt];
    if (kind != right[rightKindAt] || kind != RecordFormat.ROW) {
      return kind - right[rightKindAt];
    }
    int leftValues = leftKindAt + 1;
    int rightValues = rightKindAt + 1;
    int leftRow = leftValues + clusteringTypes.length * RecordFormat.VALUE_BYTES;
    int rightRow = rightValues + clusteringTypes.length * RecordFormat.VALUE_BYTES;
    for (CqlType type : clusteringTypes) {
      order =
          type.compare(
              left,
              leftRow + BigEndian.getInt(left, leftValues),
              BigEndian.getInt(left, leftValues + Integer.BYTES),
              right,
              rightRow + BigEndian.getInt(right, rightValues),
              BigEndian.getInt(right, rightValues + Integer.BYTES));
      if (order != 0) {
        return order;
      }
      leftValues += RecordFormat.VALUE_BYTES;
      rightValues += RecordFormat.VALUE_BYTES;
    }
    return 0;
  }

  /** Returns whether both records, which have the same token, belong to the same partition. */
  static boolean isSamePartition(byte[] left, int leftRecord, byte[] right, int rightRecord) {
    return Arrays.equals(
        left,
        leftRecord + RecordFormat.KEY_AT,
        RecordFormat.kindAt(left, leftRecord),
        right,
        rightRecord + RecordFormat.KEY_AT,
        RecordFormat.kindAt(right, rightRecord));
  }
}
