package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.Arrays;

/**
 * Versions of a row that are reconciled together: all of them, or those that have a cell in one
 * place.
 *
 * <p>Reusable, confined to one thread; allocates nothing once it has grown to the largest group.
 */
public final class VersionGroup {
  // Read by the hot path of the merge; only this class writes them.
  RowVersion[] members = new RowVersion[4];
  int size;

  /** Creates an empty group. */
  public VersionGroup() {}

  /** Removes all versions. */
  public void clear() {
    size = 0;
  }

  /** Adds a version. */
  public void add(RowVersion version) {
    if (size == members.length) {
      members = Arrays.copyOf(members, 2 * size);
    }
    members[size++] = version;
  }

  /** Returns how many versions there are. */
  public int size() {
    return size;
  }

  /** Returns the version at an index, in the order in which they were added. */
  public RowVersion get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException("version " + index + " of " + size);
    }
    return members[index];
  }

  /**
   * Becomes the group of those versions that stand at the least column.
   *
   * @param versions each at a column that the table has, or after its last
   * @return the table's index of the column; -1 if all versions are after their last
   */
  public int collectNextColumn(VersionGroup versions) {
    size = 0;
    int least = RowVersion.NO_COLUMN;
    for (int i = 0; i < versions.size; i++) {
      RowVersion version = versions.members[i];
      if (version.column < least) {
        least = version.column;
        size = 0;
      }
      if (version.column == least && least != RowVersion.NO_COLUMN) {
        add(version);
      }
    }
    return size == 0 ? -1 : least;
  }

  /**
   * Becomes the group of those versions that stand at the cell of the least path.
   *
   * @param versions at one column, each at a cell or after its last
   * @param pathType by which paths are ordered
   * @return false if all versions are after their last cell
   * @throws IOException if a path is no value of its type, naming its place
   */
  public boolean collectNextPath(VersionGroup versions, CqlType pathType) throws IOException {
    size = 0;
    for (int i = 0; i < versions.size; i++) {
      RowVersion version = versions.members[i];
      if (!version.hasCell) {
        continue;
      }
      int order = size == 0 ? 0 : comparePaths(pathType, version.row, members[0].row);
      if (order < 0) {
        size = 0;
      }
      if (order <= 0) {
        add(version);
      }
    }
    return size > 0;
  }

  static int comparePaths(CqlType type, Unfiltered left, Unfiltered right) throws IOException {
    try {
      return type.compare(
          left.bytes(),
          left.pathOffset(),
          left.pathLength(),
          right.bytes(),
          right.pathOffset(),
          right.pathLength());
    } catch (IllegalArgumentException e) {
      throw left.corrupt("a cell's path: " + e.getMessage());
    }
  }
}
