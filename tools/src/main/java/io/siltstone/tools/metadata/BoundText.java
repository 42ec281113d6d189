package io.siltstone.tools.metadata;

import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.sstable.metadata.KeyRange;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Formats the least and greatest keys and clusterings of an SSTable. Immutable. */
final class BoundText {
  private final SSTable table;
  // Before version oa the statistics have no keys; the index has them.
  private final Component keysFrom;
  private final byte[] first;
  private final byte[] last;

  BoundText(SSTable table) {
    this.table = table;
    KeyRange range = table.statistics().stats().keyRange().orElse(null);
    this.keysFrom = range == null ? Component.PRIMARY_INDEX : Component.STATISTICS;
    this.first = range == null ? table.firstKey().toByteArray() : range.first();
    this.last = range == null ? table.lastKey().toByteArray() : range.last();
  }

  String firstToken() {
    return table.partitioner().formatToken(first, 0, first.length);
  }

  String firstKey() throws CorruptSSTableException {
    return text(keysFrom, "first key", table.header().keyType(), first);
  }

  String lastToken() {
    return table.partitioner().formatToken(last, 0, last.length);
  }

  String lastKey() throws CorruptSSTableException {
    return text(keysFrom, "last key", table.header().keyType(), last);
  }

  /** Returns the values of the lower bound of the covered clustering; null for null. */
  List<@Nullable String> start() throws CorruptSSTableException {
    CoveredClustering covered = table.statistics().stats().coveredClustering();
    return values(covered.types(), covered.startSize(), covered::startValue);
  }

  /** Returns the values of the upper bound of the covered clustering; null for null. */
  List<@Nullable String> end() throws CorruptSSTableException {
    CoveredClustering covered = table.statistics().stats().coveredClustering();
    return values(covered.types(), covered.endSize(), covered::endValue);
  }

  private List<@Nullable String> values(
      List<CqlType> types, int size, IntFunction<byte @Nullable []> values)
      throws CorruptSSTableException {
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      byte[] value = values.apply(i);
      texts.add(
          value == null
              ? null
              : text(Component.STATISTICS, "covered clustering", types.get(i), value));
    }
    return texts;
  }

  private String text(Component component, String what, CqlType type, byte[] value)
      throws CorruptSSTableException {
    try {
      return type.format(value, 0, value.length);
    } catch (IllegalArgumentException e) {
      throw new CorruptSSTableException(
          table.directory().path() + "/" + table.descriptor().fileName(component),
          component,
          CorruptFileException.WHOLE_FILE,
          what + ": " + e.getMessage(),
          e);
    }
  }
}
