package io.siltstone.cursor;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A small cache of column maps that is safe for use by all threads and lock-free. It holds few
 * maps, so that encodings of deleted files are soon released. A caller that alternates between many
 * encodings keeps a {@link ColumnMaps} of its own.
 */
public final class RecentColumnMaps {
  // A power of two.
  private static final int PLACES = 16;

  private final TableEncoding table;
  private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

  /** Creates an empty cache of maps to a table. */
  public RecentColumnMaps(TableEncoding table) {
    this.table = table;
  }

  /**
   * Returns the map from an encoding.
   *
   * @throws IllegalArgumentException as {@link ColumnMap#of}
   */
  public ColumnMap of(RowEncoding source) {
    int place = System.identityHashCode(source) & (PLACES - 1);
    Known known = places.get(place);
    if (known == null || known.source != source) {
      known = new Known(source, ColumnMap.of(source, table));
      places.set(place, known);
    }
    return known.map;
  }

  private record Known(RowEncoding source, ColumnMap map) {}
}
