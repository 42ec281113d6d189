package io.siltstone.bench.state;

import java.util.Locale;

/** The workloads that are measured on a state store. */
public enum StateWorkload {
  /** All entries are put into an empty store in random order, committed, and the store closed. */
  LOAD("load, until the store is closed"),
  /** An entry is replaced. */
  PUT("put"),
  /** An entry is read. */
  GET("get"),
  /** A key is looked up that no entry has, between those of two entries. */
  MISS("get of a missing key"),
  /** The entries of a range of {@value #RANGE_ENTRIES} are read. */
  RANGE("range of " + StateWorkload.RANGE_ENTRIES),
  /** All entries are read in order. */
  SCAN("scan, entries"),
  /** An entry is read and replaced. */
  MODIFY("read-modify-write"),
  /** The records of a changelog are restored, committed, and the store closed. */
  RESTORE("restore, until the store is closed");

  /** The number of entries of a range. */
  static final int RANGE_ENTRIES = 20;

  private final String label;

  StateWorkload(String label) {
    this.label = label;
  }

  /** Returns how the report calls it. */
  public String label() {
    return label;
  }

  /** Returns the name of the operations per second of processor time of an engine. */
  public String perProcessorSecond(String engine) {
    return key(engine) + ".per_cpu_s";
  }

  /** Returns the name of the operations per second of time of an engine. */
  public String perSecond(String engine) {
    return key(engine) + ".per_s";
  }

  private String key(String engine) {
    return engine + "." + name().toLowerCase(Locale.ROOT);
  }
}
