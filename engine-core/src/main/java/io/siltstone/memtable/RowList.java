package io.siltstone.memtable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;

/**
 * The rows of a partition in clustering order: a skip list in an arena. A flyweight that works on
 * any partition's list.
 *
 * <pre>
 *   node   newest               int   the row's newest version, see {@link RowVersions}; NONE in the head
 *          clustering length    int   0 in the head
 *          height               int   lower 8 bits; above them where the clustering begins in the first version's bytes
 *          next                 int × height
 *          first version              the one that the node was made with
 * </pre>
 *
 * The head is a node without a row, as high as the highest node. When a higher node is added, a
 * copy of the head replaces it in the partition. Readers that still use the old head find all rows
 * that are visible to them: it was complete when they took their sequence number.
 *
 * <p>Confined to one thread; each reader and writer has its own.
 */
final class RowList {
  private static final int MAX_HEIGHT = 15;

  static final int NEWEST = 0;

  private static final int CLUSTERING_LENGTH = 4;
  private static final int HEIGHT = 8;
  private static final int NEXT = 12;
  private static final int HEIGHT_BITS = 8;
  private static final int HEIGHT_MASK = (1 << HEIGHT_BITS) - 1;
  // A head grows by this many levels at once.
  private static final int HEAD_STEP = 2;

  private final RowEncoding encoding;
  private final ClusteringComparator comparator;
  private final Clustering clustering = new Clustering();
  private final int[] predecessors = new int[MAX_HEIGHT];
  private byte[] bytes = new byte[128];

  RowList(RowEncoding encoding) {
    this.encoding = encoding;
    this.comparator = new ClusteringComparator(encoding.header().clusteringTypes());
  }

  /** Returns the most bytes that a row with that many bytes takes. */
  static long space(int length) {
    return firstVersion(MAX_HEIGHT) + RowVersions.space(length);
  }

  /** Returns the most bytes that all heads of a list take. */
  static long headSpace() {
    return (1L + MAX_HEIGHT / HEAD_STEP) * firstVersion(MAX_HEIGHT);
  }

  /**
   * Returns the row's node for the writer, or {@link Arena#NONE}, after which {@link #add} may
   * follow.
   *
   * @param head NONE if there is no list yet
   */
  int findToWrite(Arena arena, int head, Clustering row) {
    int node = head;
    int following = Arena.NONE;
    for (int level = head == Arena.NONE ? -1 : height(arena, head) - 1; level >= 0; level--) {
      int known = following;
      following = next(arena, node, level);
      while (following != known && following != Arena.NONE && compare(arena, following, row) < 0) {
        node = following;
        following = next(arena, node, level);
      }
      predecessors[level] = node;
    }
    return following != Arena.NONE && compare(arena, following, row) == 0 ? following : Arena.NONE;
  }

  /**
   * Adds a row that {@link #findToWrite} has just not found, with its first version. Called by the
   * writer.
   *
   * @param partition whose field {@link PartitionList#ROWS} holds the head
   * @param wantedHeight of the node; it is at most one level above all others
   */
  void add(Arena arena, int partition, int head, Unfiltered row, int sequence, int wantedHeight) {
    int levels = head == Arena.NONE ? 0 : height(arena, head);
    int nodeHeight = Math.min(MAX_HEIGHT, Math.min(wantedHeight, levels + 1));
    int list = head;
    if (nodeHeight > levels) {
      list = higherHead(arena, head, levels);
      arena.putIntRelease(partition, PartitionList.ROWS, list);
    }
    Clustering place = row.clustering();
    int length = row.end() - row.from();
    int node = arena.allocate(firstVersion(nodeHeight) + RowVersions.BYTES + length);
    int version = node + firstVersion(nodeHeight) / 8;
    RowVersions.write(arena, version, sequence, Arena.NONE, Arena.NONE, row);
    arena.putInt(node, NEWEST, version);
    arena.putInt(node, CLUSTERING_LENGTH, place.serializedLength());
    arena.putInt(node, HEIGHT, nodeHeight | (place.from() - row.from()) << HEIGHT_BITS);
    for (int level = 0; level < nodeHeight; level++) {
      arena.putInt(node, NEXT + 4 * level, arena.getInt(predecessors[level], NEXT + 4 * level));
    }
    for (int level = 0; level < nodeHeight; level++) {
      arena.putIntRelease(predecessors[level], NEXT + 4 * level, node);
    }
  }

  /**
   * Returns a copy of the head with more levels, and replaces the head by it among the
   * predecessors.
   */
  private int higherHead(Arena arena, int head, int levels) {
    int higher = Math.min(MAX_HEIGHT, levels == 0 ? 1 : levels + HEAD_STEP);
    int copy = arena.allocate(firstVersion(higher));
    arena.putInt(copy, NEWEST, Arena.NONE);
    arena.putInt(copy, CLUSTERING_LENGTH, 0);
    arena.putInt(copy, HEIGHT, higher);
    for (int level = 0; level < higher; level++) {
      arena.putInt(
          copy,
          NEXT + 4 * level,
          level < levels ? arena.getInt(head, NEXT + 4 * level) : Arena.NONE);
      if (level >= levels || predecessors[level] == head) {
        predecessors[level] = copy;
      }
    }
    return copy;
  }

  /** Returns the first row, or {@link Arena#NONE}. */
  int first(Arena arena, int head) {
    return next(arena, head, 0);
  }

  /** Returns the row after, or {@link Arena#NONE}. */
  int following(Arena arena, int node) {
    return next(arena, node, 0);
  }

  /** Returns the first row after a bound, or {@link Arena#NONE}. */
  int firstBehind(Arena arena, int head, Clustering bound) {
    int node = head;
    int following = Arena.NONE;
    for (int level = height(arena, head) - 1; level >= 0; level--) {
      int known = following;
      following = next(arena, node, level);
      while (following != known
          && following != Arena.NONE
          && compare(arena, following, bound) < 0) {
        node = following;
        following = next(arena, node, level);
      }
    }
    return following;
  }

  /**
   * Returns the last node of at least a given height before a bound, or before another node; the
   * head if there is none.
   *
   * @param lowest level at which the search ends
   */
  int lastBefore(Arena arena, int head, Clustering bound, int lowest) {
    int node = head;
    int following = Arena.NONE;
    for (int level = height(arena, head) - 1; level >= lowest; level--) {
      int known = following;
      following = next(arena, node, level);
      while (following != known
          && following != Arena.NONE
          && compare(arena, following, bound) < 0) {
        node = following;
        following = next(arena, node, level);
      }
    }
    return node;
  }

  /** Returns the row's place: a view that is valid until the next call of any method. */
  Clustering clustering(Arena arena, int node) {
    int length = arena.getInt(node, CLUSTERING_LENGTH);
    int shape = arena.getInt(node, HEIGHT);
    bytes = Scratch.atLeast(bytes, 1 + length);
    bytes[0] = ClusteringKind.CLUSTERING.code();
    arena.read(
        node,
        firstVersion(shape & HEIGHT_MASK) + RowVersions.BYTES + (shape >>> HEIGHT_BITS),
        bytes,
        1,
        length);
    clustering.wrapPrefix(encoding, bytes, 0, 1 + length);
    return clustering;
  }

  /** Compares a row's clustering with a bound or that of another row. */
  int compare(Arena arena, int node, Clustering bound) {
    return comparator.compare(clustering(arena, node), bound);
  }

  private static int height(Arena arena, int node) {
    return arena.getInt(node, HEIGHT) & HEIGHT_MASK;
  }

  private static int next(Arena arena, int node, int level) {
    return arena.getIntAcquire(node, NEXT + 4 * level);
  }

  /** Returns the offset of the first version in a node. */
  private static int firstVersion(int height) {
    return (int) Arena.padded(NEXT + 4L * height);
  }
}
