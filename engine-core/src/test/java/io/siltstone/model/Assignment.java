package io.siltstone.model;

import org.jspecify.annotations.Nullable;

/**
 * What a statement does to one column.
 *
 * @param value what to set, elements to add or remove, or the {@link Part} to set; null for none
 */
public record Assignment(String column, Kind kind, @Nullable Object value) {

  /** Kinds of assignments. */
  public enum Kind {
    /** Replaces what is there. */
    SET,
    /** Appends to a list, adds to a set, puts into a map. */
    ADD,
    /** Prepends to a list. */
    PREPEND,
    /** Removes elements of a set, or the entries of a map with these keys. */
    REMOVE,
    /** Sets one entry of a map. */
    PUT,
    /** Sets one field of a user type. */
    FIELD
  }

  /** An entry of a map or a field of a user type; without a value it is deleted. */
  public record Part(Object key, @Nullable Object value) {}
}
