package io.siltstone.memtable;

import io.siltstone.partitioner.PartitionKey;
import java.util.Arrays;

/**
 * The hash index of a memtable shard: finds the partition of a key, or tells that there is none, by
 * a few reads of memory. The {@link PartitionList}, which has the order, would be searched through
 * all its levels.
 *
 * <p>A small shard has no index. That of a larger one has layers in the arena, each for twice as
 * many partitions as the one before. A partition is in the layer that was the last when it was
 * added, so that no layer is ever copied, and readers need no lock. A layer is an array of cells,
 * of five partitions each when it is full:
 *
 * <pre>
 *   cell   filter    long      four bits for each of its keys: a bloom filter that says in which
 *                              layer a key may be
 *          buckets   int × 6   the last {@link PartitionList} node that was added, which leads to
 *                              the others of the bucket
 * </pre>
 *
 * If the memory for another layer is refused, the last one takes more partitions. It takes 6.4 to
 * 13 bytes a partition. One writer. A reader that has read a sequence number of the shard finds all
 * partitions that were added up to that. Source of the filter: Putze, Sanders and Singler, Cache-,
 * Hash- and Space-Efficient Bloom Filters, 2007, with blocks of one word.
 */
final class PartitionIndex {
  /** The number of partitions from which on a shard has an index. */
  static final int LEAST_PARTITIONS = 256;

  private static final int[] NONE = {};
  private static final int FIRST_CELLS = 256;
  private static final int PARTITIONS_PER_CELL = 5;
  private static final int BUCKETS = 6;
  private static final int CELL_BYTES = Long.BYTES + BUCKETS * Integer.BYTES;
  // The last has 1 GiB.
  private static final int MOST_LAYERS = 18;
  private static final int WORD_BITS = 6;
  private static final int BYTE_MASK = 0xff;

  private final Arena arena;
  private final PartitionList list;
  // References to the layers. The array is replaced when there is another one, which is complete
  // then.
  private volatile int[] layers = NONE;
  // The number of partitions that are added before another layer is.
  private long room;

  PartitionIndex(Arena arena, PartitionList list) {
    this.arena = arena;
    this.list = list;
  }

  /** Returns whether there is an index. */
  boolean exists() {
    return layers.length > 0;
  }

  /**
   * Takes a partition that was added to the list, as one of so many. Called by the writer before
   * the sequence number of the partition is published.
   */
  void added(int node, PartitionKey key, int count) {
    if (count < LEAST_PARTITIONS) {
      return;
    }
    boolean isFirst = !exists();
    if (room == 0) {
      grow();
    }
    room--;
    int[] present = layers;
    // The first layer has taken all of the list.
    if (!isFirst) {
      add(present[present.length - 1], present.length - 1, node, KeyHash.longOf(key));
    }
  }

  private void add(int layer, int number, int node, long hash) {
    int cell = cell(hash, number);
    int bucket = cell + bucket(hash);
    list.chain(node, arena.getInt(layer, bucket));
    arena.putIntRelease(layer, bucket, node);
    arena.putLong(layer, cell, arena.getLong(layer, cell) | bits(hash));
  }

  /** Creates the index, or its next layer. */
  private void grow() {
    int[] present = layers;
    int count = present.length;
    int cells = cells(count);
    room = (long) cells * PARTITIONS_PER_CELL;
    int layer = count < MOST_LAYERS ? arena.tryAllocate(cells * CELL_BYTES) : Arena.NONE;
    if (layer == Arena.NONE) {
      return;
    }
    for (int at = 0; at < cells * CELL_BYTES; at += Long.BYTES) {
      arena.putLong(layer, at, 0);
    }
    if (count == 0) {
      addAll(layer);
    }
    int[] more = Arrays.copyOf(present, count + 1);
    more[count] = layer;
    layers = more;
  }

  private void addAll(int layer) {
    PartitionKey key = new PartitionKey();
    byte[] bytes = {};
    for (int node = list.first(); node != Arena.NONE; node = list.following(node)) {
      bytes = list.readKey(node, bytes, key);
      add(layer, 0, node, KeyHash.longOf(key));
    }
  }

  /**
   * Returns the node of a key, or {@link Arena#NONE}, which is certain for all partitions that are
   * visible to the reader. The index exists.
   *
   * @param hash of the key, as {@link KeyHash#longOf}
   */
  int find(PartitionKey key, long hash) {
    int[] present = layers;
    long bits = bits(hash);
    int bucket = bucket(hash);
    // Most partitions are in the last layers.
    for (int i = present.length - 1; i >= 0; i--) {
      int cell = cell(hash, i);
      if ((arena.getLong(present[i], cell) & bits) == bits) {
        int node = arena.getIntAcquire(present[i], cell + bucket);
        while (node != Arena.NONE && !list.isOf(node, key)) {
          node = list.chained(node);
        }
        if (node != Arena.NONE) {
          return node;
        }
      }
    }
    return Arena.NONE;
  }

  private static int cells(int layer) {
    return FIRST_CELLS << layer;
  }

  /** Returns where a layer has the cell of a key. The shard was chosen by bits further below. */
  private static int cell(long hash, int layer) {
    return ((int) (hash >>> 38) & (cells(layer) - 1)) * CELL_BYTES;
  }

  /** Returns where a cell has the bucket of a key. */
  private static int bucket(long hash) {
    int part = (int) (hash >>> (4 * WORD_BITS)) & BYTE_MASK;
    return Long.BYTES + Integer.BYTES * ((part * BUCKETS) >>> Byte.SIZE);
  }

  private static long bits(long hash) {
    long first = 1L << hash;
    long second = 1L << (hash >>> WORD_BITS);
    long third = 1L << (hash >>> (2 * WORD_BITS));
    long fourth = 1L << (hash >>> (3 * WORD_BITS));
    return first | second | third | fourth;
  }
}
