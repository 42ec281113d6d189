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
 * Converts the range deletions of one partition, which may overlap and come in any order, to
 * range-tombstone markers of disjoint ranges: at every place the newest deletion wins. Confined to
 * one thread.
 */
final class RangeDeletions {
  /**
   * The two numbers of a deletion; the greater one wins.
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
   * A place where the winning deletion changes.
   *
   * @param before the winning deletion before it, or {@link Deletion#NONE}
   * @param after the winning deletion after it, or {@link Deletion#NONE}
   */
  record Marker(Clustering bound, Deletion before, Deletion after) {}

  private record Edge(Clustering bound, Deletion deletion) {}

  private final ClusteringComparator order;
  private final List<Edge> edges = new ArrayList<>();

  RangeDeletions(ClusteringComparator order) {
    this.order = order;
  }

  /** Adds a range; an empty range is ignored. */
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
   * Returns the markers in clustering order.
   *
   * @param atLeast deletions that do not win over this one are left out
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
      Deletion after = open.isEmpty() ? Deletion.NONE : open.lastKey();
      if (!before.equals(after)) {
        Clustering bound = new Clustering();
        bound.copyFrom(place, kind(place.kind(), before, after));
        markers.add(new Marker(bound, before, after));
      }
      before = after;
    }
    return markers;
  }

  /** Returns the sum, or null, which removes the deletion from the map. */
  private static @Nullable Integer sumOrNone(int before, int more) {
    return before + more == 0 ? null : before + more;
  }

  private static ClusteringKind kind(ClusteringKind place, Deletion before, Deletion after) {
    if (before.equals(Deletion.NONE)) {
      return place.startBound();
    }
    return after.equals(Deletion.NONE) ? place.endBound() : place.boundary();
  }
}
