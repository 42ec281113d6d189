package io.siltstone.bench.experiment;

/** The size of an experiment. */
public enum Scale {
  /** Seconds: shows that an experiment works; its figures are meaningless. */
  TINY,
  /** Minutes. */
  SMALL,
  /** As large as the published experiment, or as suits present machines: up to hours. */
  FULL;

  /** Returns the one of three values that is for this scale. */
  <T> T of(T tiny, T small, T full) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case FULL -> full;
    };
  }
}
