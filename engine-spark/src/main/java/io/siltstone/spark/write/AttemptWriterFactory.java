package io.siltstone.spark.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;

/**
 * Opens writers on executors, one for each attempt of a task.
 *
 * @param plan what all tasks have in common
 */
record AttemptWriterFactory(WritePlan plan) implements DataWriterFactory {
  @Override
  public DataWriter<InternalRow> createWriter(int partitionId, long taskId) {
    try {
      return new AttemptWriter(plan, partitionId + "-" + taskId);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
