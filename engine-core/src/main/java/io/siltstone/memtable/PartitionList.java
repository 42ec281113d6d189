package io.siltstone.memtable;

import io.siltstone.partitioner.PartitionKey;

/**
 * The partitions of a shard in partition order: a skip list in an arena.
 *
 * <pre>
 *   node   token       long
 *          created     int     sequence number of the update that made it
 *          state       int     newest {@link PartitionState}, NONE without
 *          rows        int     head of the {@link RowList}; without clustering columns the newest version of the row
 *          static row  int     its newest version, NONE without
 *          key length  int     lower 16 bits; the node's height above
 *          chain       int     the next partition of a bucket of the {@link PartitionIndex}
 *          next        int × height
 *          key         bytes
 * </pre>
 *
 * Nodes are neither moved nor removed until the memtable is freed. One writer; readers need no
 * lock.
 */
final class PartitionList {
  /** Maximum number of levels. A node is on the next one with probability 1/4. */
  static final int MAX_HEIGHT = 15;

  private static final int SAMPLE_LEVEL = 4;

  static final int STATE = 12;
  static final int ROWS = 16;
  static final int STATIC_ROW = 20;

  private static final int TOKEN = 0;
  private static final int CREATED = 8;
  private static final int LENGTH_AND_HEIGHT = 24;
  private static final int CHAIN = 28;
  private static final int NEXT = 32;
  private static final int HEIGHT_SHIFT = 16;

  private final Arena arena;
  private final PartitionIndex index;
  private final int[] predecessors = new int[MAX_HEIGHT];
  private int count;

  // Written once, before the first sequence number is published.
  private int head = Arena.NONE;
  // The number of levels in use. A reader that sees an old number only walks further.
  private int height = 1;

  PartitionList(Arena arena) {
    this.arena = arena;
    this.index = new PartitionIndex(arena, this);
  }

  /**
   * Returns the maximum number of bytes that a partition with this length of key takes, including
   * the list itself.
   */
  static long space(int keyLength) {
    return Arena.padded(NEXT + 4L * MAX_HEIGHT + keyLength) + Arena.padded(NEXT + 4L * MAX_HEIGHT);
  }

  /**
   * Returns the partition's node for the writer, or {@link Arena#NONE}, after which {@link #add}
   * may follow.
   */
  int findToWrite(PartitionKey key) {
    int indexed = index.exists() ? index.find(key, KeyHash.longOf(key)) : Arena.NONE;
    if (indexed != Arena.NONE) {
      return indexed;
    }
    if (head == Arena.NONE) {
      int made = allocate(MAX_HEIGHT, 0);
      for (int level = 0; level < MAX_HEIGHT; level++) {
        arena.putInt(made, next(level), Arena.NONE);
      }
      head = made;
    }
    int node = head;
    int following = Arena.NONE;
    for (int level = height - 1; level >= 0; level--) {
      int known = following;
      following = arena.getInt(node, next(level));
      while (following != known && following != Arena.NONE && compare(following, key) < 0) {
        node = following;
        following = arena.getInt(node, next(level));
      }
      predecessors[level] = node;
    }
    return following != Arena.NONE && compare(following, key) == 0 ? following : Arena.NONE;
  }

  /** Adds the partition that {@link #findToWrite} has just not found. Called by the writer. */
  int add(PartitionKey key, int created, int nodeHeight) {
    while (height < nodeHeight) {
      predecessors[height++] = head;
    }
    int node = allocate(nodeHeight, key.length());
    arena.putLong(node, TOKEN, key.token());
    arena.putInt(node, CREATED, created);
    arena.putInt(node, STATE, Arena.NONE);
    arena.putInt(node, ROWS, Arena.NONE);
    arena.putInt(node, STATIC_ROW, Arena.NONE);
    arena.putInt(node, CHAIN, Arena.NONE);
    arena.write(node, next(nodeHeight), key.bytes(), key.offset(), key.length());
    for (int level = 0; level < nodeHeight; level++) {
      arena.putInt(node, next(level), arena.getInt(predecessors[level], next(level)));
    }
    for (int level = 0; level < nodeHeight; level++) {
      arena.putIntRelease(predecessors[level], next(level), node);
    }
    count++;
    index.added(node, key, count);
    return node;
  }

  private int allocate(int nodeHeight, int keyLength) {
    int node = arena.allocateSmall(next(nodeHeight) + keyLength);
    arena.putInt(node, LENGTH_AND_HEIGHT, keyLength | nodeHeight << HEIGHT_SHIFT);
    return node;
  }

  /**
   * Returns the node of a key that is visible to readers of a sequence number, or {@link
   * Arena#NONE}.
   *
   * @param hash of the key, as {@link KeyHash#longOf}
   */
  int find(PartitionKey key, long hash, int sequence) {
    if (index.exists()) {
      int known = index.find(key, hash);
      return known != Arena.NONE && isVisible(known, sequence) ? known : Arena.NONE;
    }
    int node = firstNotBefore(key);
    return node != Arena.NONE && isVisible(node, sequence) && compare(node, key) == 0
        ? node
        : Arena.NONE;
  }

  /** Returns the first node, or {@link Arena#NONE}. */
  int first() {
    return head == Arena.NONE ? Arena.NONE : next(head, 0);
  }

  /** Returns the first node that is not before a key, or {@link Arena#NONE}. */
  int firstNotBefore(PartitionKey key) {
    if (head == Arena.NONE) {
      return Arena.NONE;
    }
    int node = head;
    int following = Arena.NONE;
    for (int level = height - 1; level >= 0; level--) {
      int known = following;
      following = next(node, level);
      while (following != known && following != Arena.NONE && compare(following, key) < 0) {
        node = following;
        following = next(node, level);
      }
    }
    return following;
  }

  /**
   * Returns the last node before a key among the high ones, about one in 256; or {@link
   * Arena#NONE}. It may be newer than any snapshot.
   */
  int sampleBefore(PartitionKey key) {
    if (head == Arena.NONE) {
      return Arena.NONE;
    }
    int node = head;
    for (int level = height - 1; level >= SAMPLE_LEVEL; level--) {
      int following = next(node, level);
      while (following != Arena.NONE && compare(following, key) < 0) {
        node = following;
        following = next(node, level);
      }
    }
    return node == head ? Arena.NONE : node;
  }

  /** Returns the node after, or {@link Arena#NONE}. */
  int following(int node) {
    return next(node, 0);
  }

  /** Returns whether readers of that sequence number see the partition. */
  boolean isVisible(int node, int sequence) {
    return Integer.compareUnsigned(arena.getInt(node, CREATED), sequence) <= 0;
  }

  /** Copies the key of a node. */
  byte[] readKey(int node, byte[] array, PartitionKey key) {
    int lengthAndHeight = arena.getInt(node, LENGTH_AND_HEIGHT);
    int length = lengthAndHeight & 0xffff;
    byte[] target = Scratch.atLeast(array, length);
    arena.read(node, next(lengthAndHeight >>> HEIGHT_SHIFT), target, 0, length);
    key.wrap(target, 0, length, arena.getLong(node, TOKEN));
    return target;
  }

  /** Returns whether a node is that of a key. */
  boolean isOf(int node, PartitionKey key) {
    return compare(node, key) == 0;
  }

  /** Returns the next node of a bucket of the index, or {@link Arena#NONE}. */
  int chained(int node) {
    return arena.getInt(node, CHAIN);
  }

  /** Sets the next node of a bucket. Called by the writer for a node that no reader sees. */
  void chain(int node, int next) {
    arena.putInt(node, CHAIN, next);
  }

  private int compare(int node, PartitionKey key) {
    long token = arena.getLong(node, TOKEN);
    if (token != key.token()) {
      return token < key.token() ? -1 : 1;
    }
    int lengthAndHeight = arena.getInt(node, LENGTH_AND_HEIGHT);
    return arena.compare(
        node,
        next(lengthAndHeight >>> HEIGHT_SHIFT),
        lengthAndHeight & 0xffff,
        key.bytes(),
        key.offset(),
        key.length());
  }

  private int next(int node, int level) {
    return arena.getIntAcquire(node, next(level));
  }

  private static int next(int level) {
    return NEXT + Integer.BYTES * level;
  }
}
