package io.siltstone.explain;

import java.io.IOException;

/**
 * Takes what is found, in the order of the partition: its deletions, the static row, then rows and
 * the range deletions that end before them; of a row what each source has of it, newest sources
 * first. Called on the caller's thread; it may call the database, but to close it is refused, as
 * that waits for the search.
 */
public interface FindingListener {
  /**
   * Something was found.
   *
   * @return false to end the search; what was found then is not counted
   */
  boolean found(Finding finding) throws IOException;

  /**
   * The end of a row whose findings came before.
   *
   * @param isLive whether a read shows the row (of a static row, whether it shows a value of it)
   */
  default void row(String place, boolean isStatic, boolean isLive) throws IOException {}

  /**
   * A source's data is damaged: it is left aside from here on. One of {@link
   * Holder.Kind#SET_ASIDE}, which may have the key or not, was left aside when its table was
   * opened.
   */
  default void damaged(Source source, Throwable cause) throws IOException {}
}
