package io.siltstone.explain;

/** How a read treats a finding. */
public enum Verdict {
  /** A read shows it. */
  LIVE,
  /** It was the newest, but its time to live is over. */
  EXPIRED,
  /** It is a deletion, and the winner at its place. */
  TOMBSTONE,
  /** A deletion or a newer version shadows it. */
  SHADOWED,
  /** Its column was dropped from the table later, or is unknown. */
  DROPPED,
  /** It lies below the retention floor of the table, which hides it. */
  BELOW_FLOOR
}
