package io.siltstone.bench.experiment;

/** How large an experiment is. */
public enum Scale {
  /** Seconds: shows that an experiment works; its figures mean nothing. */
  TINY,
  /** Minutes. */
  SMALL,
  /** As large as the published experiment was, or as a machine of today needs: up to hours. */
  FULL;

  /** The one of three that is for this scale. */
  <T> T of(T tiny, T small, T full) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case FULL -> full;
    };
  }
}
