package io.siltstone.sstable.check;

import io.siltstone.type.CqlType;
import io.siltstone.type.comparable.ComparableBytes;
import io.siltstone.type.comparable.ComparableType;
import java.util.List;

/**
 * The byte-comparable form of clustering prefixes, by which {@code Rows.db} orders index blocks.
 * Confined to one thread. Source: Cassandra {@code ClusteringComparator}.
 */
final class PrefixEncoding {
  private static final int BEFORE_ROWS = 0x20;
  private static final int AFTER_ROWS = 0x60;

  private final ComparableType[] forms;
  private final boolean[] reversed;

  PrefixEncoding(List<CqlType> types) {
    this.forms = new ComparableType[types.size()];
    this.reversed = new boolean[types.size()];
    for (int i = 0; i < forms.length; i++) {
      forms[i] = ComparableType.of(types.get(i));
      reversed[i] = types.get(i).isReversed();
    }
  }

  /**
   * Makes the bytes those of a prefix.
   *
   * @throws IllegalArgumentException if a value is so corrupt that it has no order
   */
  void encode(Prefix prefix, ComparableBytes to) {
    to.clear();
    for (int i = 0; i < prefix.size; i++) {
      if (prefix.isNull(i)) {
        to.append(ComparableBytes.NULL_PART);
      } else {
        forms[i].appendPart(
            prefix.bytes(),
            prefix.offset(i),
            prefix.length(i),
            to,
            reversed[i] ? ComparableBytes.EMPTY_REVERSED_PART : ComparableBytes.EMPTY_PART);
      }
    }
    int side = Prefix.side(prefix.kind);
    to.append(side < 0 ? BEFORE_ROWS : side > 0 ? AFTER_ROWS : ComparableBytes.END);
  }
}
