package io.siltstone.model;

import java.util.List;

/** What one statement does to a partition. */
public sealed interface Action {

  /** {@code INSERT}, which makes the row live, or {@code UPDATE}; assigns regular columns. */
  record Upsert(boolean insert, List<Object> clustering, List<Assignment> assignments)
      implements Action {}

  /** {@code UPDATE} of static columns. */
  record SetStatic(List<Assignment> assignments) implements Action {}

  /** {@code DELETE} of regular columns of a row. */
  record DeleteColumns(List<Object> clustering, List<String> columns) implements Action {}

  /** {@code DELETE} of static columns. */
  record DeleteStatic(List<String> columns) implements Action {}

  /** {@code DELETE} of a row. */
  record DeleteRow(List<Object> clustering) implements Action {}

  /** {@code DELETE} of a range of rows. */
  record DeleteRange(Rows rows) implements Action {}

  /** {@code DELETE} of a partition. */
  record DeletePartition() implements Action {}
}
