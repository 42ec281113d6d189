package io.siltstone.bench.volume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A line of {@code /proc/self/mountinfo}.
 *
 * @param device its number, {@code major:minor}
 * @param root directory of the file system that is mounted
 * @param point mount point
 * @param type of the file system
 * @param source what is mounted, often a device file
 * @param options of the file system, which for control groups name their controllers
 */
record Mount(
    String device, String root, String point, String type, String source, List<String> options) {
  private static final int LEAST_FIELDS = 6;

  /** Returns all mounts, in the order in which they were mounted. */
  static List<Mount> all(Kernel kernel) throws IOException {
    List<Mount> mounts = new ArrayList<>();
    for (String line : kernel.read("/proc/self/mountinfo").split("\n", -1)) {
      // 36 35 98:0 /root /point options [optional]... - type source superoptions
      String[] fields = line.trim().split(" ", -1);
      int dash = List.of(fields).indexOf("-");
      if (dash >= LEAST_FIELDS && fields.length > dash + 2) {
        mounts.add(
            new Mount(
                fields[2],
                unescape(fields[3]),
                unescape(fields[4]),
                fields[dash + 1],
                unescape(fields[dash + 2]),
                fields.length > dash + 3 ? List.of(fields[dash + 3].split(",", -1)) : List.of()));
      }
    }
    return mounts;
  }

  /** Returns the mount of a path: the deepest, and of several at one mount point the last. */
  static Optional<Mount> of(String path, Kernel kernel) throws IOException {
    Optional<Mount> found = Optional.empty();
    for (Mount mount : all(kernel)) {
      if (mount.holds(path)
          && (found.isEmpty() || mount.point.length() >= found.get().point.length())) {
        found = Optional.of(mount);
      }
    }
    return found;
  }

  private boolean holds(String path) {
    return point.equals("/") || path.equals(point) || path.startsWith(point + "/");
  }

  /** Decodes blanks, tabs, line ends and backslashes, which are written as three octal digits. */
  private static String unescape(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
