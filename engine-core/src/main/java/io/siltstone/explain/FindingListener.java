package io.siltstone.explain;

import java.io.IOException;

/**
 * Receives findings in the order of the partition: its deletions, the static row, then rows and the
 * range deletions that end before them; the versions of a row by source, newest sources first.
 * Called on the caller's thread. It may call the database, but must not close it: close waits for
 * the search, and is rejected.
 */
public interface FindingListener {
  /**
   * Called for each finding.
   *
   * @return false to end the search; this finding is then not counted
   */
  boolean found(Finding finding) throws IOException;

  /**
   * Called at the end of a row, after its findings.
   *
   * @param isLive whether a read shows the row (of a static row, whether it shows a value of it)
   */
  default void row(String place, boolean isStatic, boolean isLive) throws IOException {}

  /**
   * Called if the data of a source is corrupt: the source is skipped from here on. A source of the
   * kind {@link Source.Kind#QUARANTINED} may have the key or not; it was quarantined when its table
   * was opened.
   */
  default void damaged(Source source, Throwable cause) throws IOException {}
}
