package io.siltstone.commitlog.segment;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.Collection;

/**
 * Quarantines commit-log segments whose changes could not all be replayed: copies them to another
 * directory before the log cuts or deletes them. A hard link would be cut with the original. To
 * replay them again, an operator puts them back into the directory of the log.
 */
public final class SegmentQuarantine {
  private SegmentQuarantine() {}

  /**
   * Ensures that durable copies of the segments are in a directory. A copy from an earlier,
   * interrupted opening stays as it is.
   *
   * @param log directory of the log
   * @param aside directory of the copies
   * @param names file names of segments in the log
   */
  public static void keep(Directory log, Directory aside, Collection<String> names)
      throws IOException {
    Archive archive = new Archive(log, aside);
    for (String name : names) {
      archive.addCopy(name);
    }
  }
}
