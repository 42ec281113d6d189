package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import java.util.Arrays;
import java.util.List;

/**
 * Compares records by token, key bytes, static row first, clustering. Records of the same primary
 * key are equal. Immutable; allocates nothing.
 */
final class RecordOrder {
  private final CqlType[] clusteringTypes;

  RecordOrder(List<CqlType> clusteringTypes) {
    this.clusteringTypes = clusteringTypes.toArray(CqlType[]::new);
  }

  int clusteringColumns() {
    return clusteringTypes.length;
  }

  int compare(byte[] left, int leftRecord, byte[] right, int rightRecord) {
    int order =
        Long.compare(RecordFormat.token(left, leftRecord), RecordFormat.token(right, rightRecord));
    return order != 0 ? order : compareWithinToken(left, leftRecord, right, rightRecord);
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
    if (kind != right[rightKindAt] || kind == RecordFormat.STATIC) {
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

  /** Returns whether both records belong to the same partition. */
  static boolean samePartition(byte[] left, int leftRecord, byte[] right, int rightRecord) {
    return RecordFormat.token(left, leftRecord) == RecordFormat.token(right, rightRecord)
        && Arrays.equals(
            left,
            leftRecord + RecordFormat.KEY_AT,
            RecordFormat.kindAt(left, leftRecord),
            right,
            rightRecord + RecordFormat.KEY_AT,
            RecordFormat.kindAt(right, rightRecord));
  }
}
