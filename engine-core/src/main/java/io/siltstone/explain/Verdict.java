package io.siltstone.explain;

/** What something is for a reader. */
public enum Verdict {
  /** A read shows it. */
  LIVE,
  /** It was the newest until its time to live was over. */
  EXPIRED,
  /** It is a deletion, and the greatest where it is. */
  TOMBSTONE,
  /** A deletion, or a newer version, takes its place. */
  SHADOWED,
  /** Its column was dropped from the table later, or is not known. */
  DROPPED
}
