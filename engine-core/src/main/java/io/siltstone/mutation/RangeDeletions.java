package io.siltstone.mutation;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Range deletions of one partition, in any order and overlapping as they may, as markers of ranges
 * that do not: at every place the newest one counts. Confined to one thread.
 */
final class RangeDeletions {
  /**
   * A deletion's two numbers, ordered by which of two counts.
   *
   * @param timestamp in microseconds
   * @param localDeletionTime in seconds since 1970
   */
  record Deletion(long timestamp, long localDeletionTime) implements Comparable<Deletion> {
    static final Deletion NONE =
        new Deletion(DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);

    @Override
    public int compareTo(Deletion other) {
      return timestamp != other.timestamp
          ? Long.compare(timestamp, other.timestamp)
          : Long.compare(localDeletionTime, other.localDeletionTime);
    }
  }

  /**
   * A place where the deletion that counts changes.
   *
   * @param before what counts before it, {@link Deletion#NONE} for nothing
   * @param behind what counts behind it, {@link Deletion#NONE} for nothing
   */
  record Marker(Clustering bound, Deletion before, Deletion behind) {}

  private record Edge(Clustering bound, Deletion deletion) {}

  private final ClusteringComparator order;
  private final List<Edge> edges = new ArrayList<>();

  RangeDeletions(ClusteringComparator order) {
    this.order = order;
  }

  /** Adds a range; one that ends before it begins is none. */
  void add(Slice slice, Deletion deletion) {
    if (order.compare(slice.start(), slice.end()) < 0) {
      edges.add(new Edge(slice.start(), deletion));
      edges.add(new Edge(slice.end(), deletion));
    }
  }

  /** Adds one end of a range, whose other end is or will be added with the same deletion. */
  void add(Clustering bound, Deletion deletion) {
    edges.add(new Edge(bound, deletion));
  }

  boolean isEmpty() {
    return edges.isEmpty();
  }

  /**
   * The markers in clustering order.
   *
   * @param atLeast deletions that do not count beside this one are left out
   */
  List<Marker> markers(Deletion atLeast) {
    List<Edge> sorted = new ArrayList<>(edges);
    sorted.removeIf(edge -> edge.deletion.compareTo(atLeast) <= 0);
    sorted.sort((left, right) -> order.compare(left.bound, right.bound));
    List<Marker> markers = new ArrayList<>();
    TreeMap<Deletion, Integer> open = new TreeMap<>();
    Deletion before = Deletion.NONE;
    int next = 0;
    while (next < sorted.size()) {
      Clustering place = sorted.get(next).bound;
      for (; next < sorted.size() && order.compare(sorted.get(next).bound, place) == 0; next++) {
        Edge edge = sorted.get(next);
        open.merge(edge.deletion, edge.bound.kind().opens() ? 1 : -1, RangeDeletions::sumOrNone);
      }
      Deletion behind = open.isEmpty() ? Deletion.NONE : open.lastKey();
      if (!before.equals(behind)) {
        Clustering bound = new Clustering();
        bound.copyFrom(place, kind(place.kind(), before, behind));
        markers.add(new Marker(bound, before, behind));
      }
      before = behind;
    }
    return markers;
  }

  /** Null takes the deletion out of the map. */
  private static @Nullable Integer sumOrNone(int before, int more) {
    return before + more == 0 ? null : before + more;
  }

  private static ClusteringKind kind(ClusteringKind place, Deletion before, Deletion behind) {
    if (before.equals(Deletion.NONE)) {
      return place.startBound();
    }
    return behind.equals(Deletion.NONE) ? place.endBound() : place.boundary();
  }
}
