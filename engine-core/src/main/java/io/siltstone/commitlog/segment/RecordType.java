package io.siltstone.commitlog.segment;

/** The type of a record of the commit log. The log itself treats all types alike. */
public enum RecordType {
  /** Changes (mutations) of one or more tables, which are replayed all or none. */
  MUTATION(1),
  /** A truncation: the tables lose all changes logged before. */
  TRUNCATION(2);

  private final byte code;

  RecordType(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }
}
