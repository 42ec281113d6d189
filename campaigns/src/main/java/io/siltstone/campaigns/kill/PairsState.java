package io.siltstone.campaigns.kill;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The content that one thread has written to the key-value database, as maps: entries whose keys
 * begin with the thread's number, rows of a table that all threads share, and its own table, which
 * is created and dropped. Confined to one thread.
 */
final class PairsState {
  private final NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
  private final SortedSet<Integer> shared = new TreeSet<>();
  private @Nullable SortedMap<Integer, String> own;
  private boolean hasExtraColumn;

  NavigableMap<byte[], byte[]> entries() {
    return entries;
  }

  SortedSet<Integer> shared() {
    return shared;
  }

  /** Returns the rows of the thread's own table, or null if there is no such table. */
  @Nullable SortedMap<Integer, String> own() {
    return own;
  }

  boolean hasExtraColumn() {
    return hasExtraColumn;
  }

  void createOwn() {
    own = new TreeMap<>();
    hasExtraColumn = false;
  }

  void dropOwn() {
    own = null;
    hasExtraColumn = false;
  }

  void setExtraColumn(boolean isThere) {
    hasExtraColumn = isThere;
  }

  /** Returns the first difference from another state, or null if there is none. */
  @Nullable String difference(PairsState found) {
    for (byte[] key : entries.keySet()) {
      if (!Arrays.equals(entries.get(key), found.entries.get(key))) {
        return "entry "
            + Arrays.toString(key)
            + ": expected "
            + text(entries.get(key))
            + ", found "
            + text(found.entries.get(key));
      }
    }
    for (byte[] key : found.entries.keySet()) {
      if (!entries.containsKey(key)) {
        return "entry " + Arrays.toString(key) + " was found and was never put, or was deleted";
      }
    }
    if (!shared.equals(found.shared)) {
      return "shared rows: expected " + shared + ", found " + found.shared;
    }
    if (own == null ? found.own != null : !own.equals(found.own)) {
      return "own table: expected " + own + ", found " + found.own;
    }
    if (hasExtraColumn != found.hasExtraColumn) {
      return "extra column: expected " + hasExtraColumn + ", found " + found.hasExtraColumn;
    }
    return null;
  }

  private static String text(byte @Nullable [] value) {
    return value == null ? "none" : value.length + " bytes, hash " + Arrays.hashCode(value);
  }
}
