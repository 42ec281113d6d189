package io.siltstone.cursor;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Caches the column maps from the encodings of files to the encoding of one table. Only the first
 * lookup of an encoding allocates. Confined to one thread.
 */
public final class ColumnMaps {
  private static final int SPARE = 16;

  private final TableEncoding table;
  private final IdentityHashMap<RowEncoding, ColumnMap> maps = new IdentityHashMap<>();
  private @Nullable RowEncoding lastSource;
  private @Nullable ColumnMap lastMap;

  /** Creates an empty cache of maps to a table. */
  public ColumnMaps(TableEncoding table) {
    this.table = table;
  }

  /**
   * Clears the cache if it holds many more maps than are needed, most of which are then of deleted
   * files. Long-lived owners call this before they read other files.
   *
   * @param encodings number of encodings that will be looked up
   */
  public void begin(int encodings) {
    if (maps.size() > 2 * encodings + SPARE) {
      maps.clear();
      lastSource = null;
      lastMap = null;
    }
  }

  /**
   * Returns the map from an encoding.
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
      map = ColumnMap.of(source, table);
      maps.put(source, map);
    }
    lastSource = source;
    lastMap = map;
    return map;
  }
}
