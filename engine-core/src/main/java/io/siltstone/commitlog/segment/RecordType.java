package io.siltstone.commitlog.segment;

/** What a record of the database is about. The log itself treats all alike. */
public enum RecordType {
  /** Changes of one or more tables, which are replayed all or none. */
  MUTATION(1),
  /** Tables lost all that was logged before. */
  TRUNCATION(2);

  private final byte code;

  RecordType(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }
}
