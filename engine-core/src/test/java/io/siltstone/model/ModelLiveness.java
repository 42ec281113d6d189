package io.siltstone.model;

/**
 * That a row was inserted.
 *
 * @param ttl in seconds, 0 if it does not expire
 * @param endsAt when it expires, in seconds since 1970; {@link Long#MAX_VALUE} for never
 */
record ModelLiveness(long timestamp, int ttl, long endsAt) {

  boolean isLive(long now) {
    return now < endsAt;
  }

  /** Which of two insertions of a row counts. */
  static ModelLiveness winner(ModelLiveness one, ModelLiveness other) {
    if (one.timestamp != other.timestamp) {
      return one.timestamp > other.timestamp ? one : other;
    }
    if ((one.ttl != 0) != (other.ttl != 0)) {
      return one.ttl != 0 ? one : other;
    }
    if (one.endsAt != other.endsAt) {
      return one.endsAt > other.endsAt ? one : other;
    }
    return one.ttl <= other.ttl ? one : other;
  }
}
