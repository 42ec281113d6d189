package io.siltstone.cursor;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * As {@link ColumnMaps}, safe for all threads, none of which waits. Remembers few maps, so that
 * encodings of files that are gone are not held for long; who alternates between many keeps the
 * maps itself.
 */
public final class RecentColumnMaps {
  // A power of two.
  private static final int PLACES = 16;

  private final TableEncoding table;
  private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

  /** To that table. */
  public RecentColumnMaps(TableEncoding table) {
    this.table = table;
  }

  /**
   * The map from an encoding.
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
