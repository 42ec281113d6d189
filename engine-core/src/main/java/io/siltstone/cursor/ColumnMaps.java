package io.siltstone.cursor;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The column maps from the encodings that were met to one table's. Looking one up allocates nothing
 * the second time. Confined to one thread.
 */
public final class ColumnMaps {
  /** Encodings of files that are gone are forgotten at the latest when there are as many. */
  private static final int MOST = 4096;

  private final TableEncoding table;
  private final IdentityHashMap<RowEncoding, ColumnMap> maps = new IdentityHashMap<>();
  private @Nullable RowEncoding lastSource;
  private @Nullable ColumnMap lastMap;

  /** To that table. */
  public ColumnMaps(TableEncoding table) {
    this.table = table;
  }

  /**
   * The map from an encoding.
   *
   * @throws IllegalArgumentException as {@link ColumnMap#of}
   */
  public ColumnMap of(RowEncoding source) {
    ColumnMap last = lastMap;
    if (source == lastSource && last != null) {
      return last;
    }
    ColumnMap map = maps.get(source);
    if (map == null) {
      if (maps.size() == MOST) {
        maps.clear();
      }
      map = ColumnMap.of(source, table);
      maps.put(source, map);
    }
    lastSource = source;
    lastMap = map;
    return map;
  }
}
