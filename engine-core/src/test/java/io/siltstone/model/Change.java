package io.siltstone.model;

import java.util.List;

/** Statements about one partition that take effect together. */
public record Change(String table, List<Object> key, List<Step> steps) {

  /**
   * A change as it was written.
   *
   * @param timestamp of its steps without one of their own
   */
  public record Stamped(Change change, long timestamp) {}
}
