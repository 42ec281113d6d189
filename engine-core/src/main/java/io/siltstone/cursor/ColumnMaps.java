package io.siltstone.cursor;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The column maps from the encodings that were met to one table's. Looking one up allocates nothing
 * the second time. Confined to one thread.
 */
public final class ColumnMaps {
  private static final int SPARE = 16;

  private final TableEncoding table;
  private final IdentityHashMap<RowEncoding, ColumnMap> maps = new IdentityHashMap<>();
  private @Nullable RowEncoding lastSource;
  private @Nullable ColumnMap lastMap;

  /** To that table. */
  public ColumnMaps(TableEncoding table) {
    this.table = table;
  }

  /**
   * Forgets what it knows if that is much more than is needed: most of it is then of files that are
   * gone. To be called by those who last, before they meet other files.
   *
   * @param encodings that are to be met
   */
  public void begin(int encodings) {
    if (maps.size() > 2 * encodings + SPARE) {
      maps.clear();
      lastSource = null;
      lastMap = null;
    }
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
      map = ColumnMap.of(source, table);
      maps.put(source, map);
    }
    lastSource = source;
    lastMap = map;
    return map;
  }
}
