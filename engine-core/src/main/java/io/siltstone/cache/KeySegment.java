package io.siltstone.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A part of the {@link KeyCache}: sets of eight slots in one array, so that a look-up touches only
 * two or three adjacent cache lines.
 *
 * <pre>
 *   slot   tag     long   the key it is for
 *          place   long   see {@link KeyLookup}; 0 if the slot is empty. Its lowest three bits
 *                         count how often it was found, up to seven times
 * </pre>
 *
 * <p>A key belongs to one set. The array begins small and doubles when a set is full, up to its
 * maximum size. From then on a new key replaces another one of its set (CLOCK eviction): one that
 * was not found since the clock's hand last passed it, which is true of most. Readers take no lock:
 * the place is cleared before its tag is changed, and a reader reads the tag before and after the
 * place.
 */
final class KeySegment {
  /** Number of slots of a set. */
  static final int WAYS = 8;

  /** Size of a slot in bytes. */
  static final int SLOT_BYTES = 2 * Long.BYTES;

  /** Number of bits of a place that the segment uses. */
  static final int COUNT_BITS = 3;

  /** The value of no place. */
  static final long NONE = 0;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SET_LONGS = 2 * WAYS;
  private static final long COUNT_MASK = (1 << COUNT_BITS) - 1;

  // Beyond the bits that choose the segment.
  private static final int FIRST_WAY_SHIFT = 16;

  private final int mostSets;
  private volatile long[] slots = {};

  // Guarded by this.
  private int hand;
  private int entries;
  private long evictions;

  /**
   * Creates an empty segment.
   *
   * @param mostSets 1 or more
   */
  KeySegment(int mostSets) {
    this.mostSets = mostSets;
  }

  private static int setOf(long tag, long[] slots) {
    long sets = slots.length / SET_LONGS;
    return (int) (((tag >>> Integer.SIZE) * sets) >>> Integer.SIZE) * SET_LONGS;
  }

  /**
   * Returns the way of a set at which the search for a key begins. A key that is added takes the
   * first empty slot from there on, so that most are found at once.
   */
  private static int firstWay(long tag) {
    return (int) (tag >>> FIRST_WAY_SHIFT);
  }

  /** Returns the place of a key, its lowest bits zero, or {@link #NONE}. */
  long find(long tag) {
    long[] present = slots;
    if (present.length == 0) {
      return NONE;
    }
    int from = setOf(tag, present);
    int way = firstWay(tag);
    for (int i = 0; i < WAYS; i++, way++) {
      int at = from + 2 * (way & (WAYS - 1));
      if ((long) LONGS.getAcquire(present, at) == tag) {
        long place = (long) LONGS.getAcquire(present, at + 1);
        if (place != NONE && (long) LONGS.getAcquire(present, at) == tag) {
          if ((place & COUNT_MASK) != COUNT_MASK) {
            LONGS.weakCompareAndSetPlain(present, at + 1, place, place + 1);
          }
          return place & ~COUNT_MASK;
        }
      }
    }
    return NONE;
  }

  /**
   * Adds a place, which replaces that of the same key or of another one.
   *
   * @param place not {@link #NONE}, its lowest bits zero
   */
  synchronized void add(long tag, long place) {
    if (slots.length == 0) {
      slots = new long[SET_LONGS];
    }
    int at = slotFor(tag, slots);
    while (at < 0 && slots.length / SET_LONGS < mostSets) {
      grow();
      at = slotFor(tag, slots);
    }
    long[] present = slots;
    if (at < 0) {
      at = victim(setOf(tag, present), present);
      evictions++;
    } else if (present[at + 1] == NONE) {
      entries++;
    }
    LONGS.setVolatile(present, at + 1, NONE);
    LONGS.setVolatile(present, at, tag);
    LONGS.setVolatile(present, at + 1, place);
  }

  /** Returns the slot of the key, or the first empty one from its first way on, or -1. */
  private static int slotFor(long tag, long[] in) {
    int from = setOf(tag, in);
    int empty = -1;
    int way = firstWay(tag);
    for (int i = 0; i < WAYS; i++, way++) {
      int at = from + 2 * (way & (WAYS - 1));
      if (in[at + 1] == NONE) {
        empty = empty < 0 ? at : empty;
      } else if (in[at] == tag) {
        return at;
      }
    }
    return empty;
  }

  private void grow() {
    long[] old = slots;
    int sets = (int) Math.min(mostSets, 2L * (old.length / SET_LONGS));
    long[] grown = new long[sets * SET_LONGS];
    for (int at = 0; at < old.length; at += 2) {
      if (old[at + 1] != NONE) {
        // A set of the new array may get more keys than it has slots.
        int to = slotFor(old[at], grown);
        if (to >= 0) {
          grown[to] = old[at];
          grown[to + 1] = old[at + 1];
        } else {
          entries--;
          evictions++;
        }
      }
    }
    slots = grown;
  }

  /** Returns a slot of a set whose key has not been found for long. */
  private int victim(int from, long[] in) {
    int way = hand++ & (WAYS - 1);
    while (true) {
      int at = from + 2 * way;
      long place = in[at + 1];
      if ((place & COUNT_MASK) == 0) {
        return at;
      }
      // Counts of concurrent readers may be lost.
      LONGS.setRelease(in, at + 1, place - 1);
      way = (way + 1) & (WAYS - 1);
    }
  }

  synchronized int entries() {
    return entries;
  }

  synchronized long evictions() {
    return evictions;
  }

  long bytes() {
    return (long) slots.length * Long.BYTES;
  }
}
