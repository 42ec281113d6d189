package io.siltstone.spark.write;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;

/** The operations of CQL that a row of a data frame may stand for. */
enum Operation {
  /** The row exists; a null is a column that is not set. */
  INSERT,
  /** Columns are set; a null deletes the value. */
  UPDATE,
  /** The row is deleted. */
  DELETE,
  /** The partition is deleted, with its static columns. */
  DELETE_PARTITION;

  private static final Map<String, Operation> BY_NAME =
      Map.of(
          "insert",
          INSERT,
          "update",
          UPDATE,
          "delete",
          DELETE,
          "deletepartition",
          DELETE_PARTITION);

  /** Returns the names, as messages list them. */
  static List<String> names() {
    return List.of("insert", "update", "delete", "deletePartition");
  }

  /**
   * Returns the operation of a name, whose case does not matter.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Operation of(UTF8String name) {
    Operation operation = BY_NAME.get(name.toString().strip().toLowerCase(Locale.ROOT));
    if (operation == null) {
      throw new IllegalArgumentException("'" + name + "' is no operation, allowed " + names());
    }
    return operation;
  }
}
