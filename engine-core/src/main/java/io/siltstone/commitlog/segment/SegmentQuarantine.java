package io.siltstone.commitlog.segment;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.Collection;

/**
 * Keeps copies of segments of a commit log aside whose changes could not all be replayed, before
 * the log cuts or deletes them; a second name of a file would be cut with it. To try again what
 * they have, an operator puts them back into the directory of the log.
 */
public final class SegmentQuarantine {
  private SegmentQuarantine() {}

  /** The name of the file of a segment. */
  public static String fileName(long segment) {
    return SegmentFormat.name(segment);
  }

  /**
   * Makes sure that the segments are in a directory, durably. One that is there already, from an
   * opening that was interrupted, stays as it is.
   *
   * @param log the directory of the log
   * @param aside where they are kept
   * @param names of the files of segments that are in the log
   */
  public static void keep(Directory log, Directory aside, Collection<String> names)
      throws IOException {
    Archive archive = new Archive(log, aside);
    for (String name : names) {
      archive.addCopy(name);
    }
  }
}
