package io.siltstone.spark.write;

import io.siltstone.BulkWriter;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Attempts;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * Writes the rows of one attempt of a task to SSTables in a directory of its own, which nobody
 * reads before the driver publishes it. An attempt that fails or is not needed removes it. Used by
 * one thread.
 */
final class AttemptWriter implements DataWriter<InternalRow> {
  private final WritePlan plan;
  private final String name;
  private final RowMutations mutations;
  private final BulkWriter writer;
  private boolean isCommitted;

  /**
   * Creates the directory of an attempt.
   *
   * @param name that no other attempt of the job has
   */
  AttemptWriter(WritePlan plan, String name) throws IOException {
    this.plan = plan;
    this.name = name;
    TableSchema schema = plan.schema();
    this.mutations = new RowMutations(schema, plan.rows(), plan.times(), plan.operationColumn());
    Directory directory = Attempts.create(plan.target(), plan.attempts(), name);
    BulkWriter.Builder builder =
        BulkWriter.into(directory, schema)
            .partitioner(plan.format().partitioner())
            .divideAt(plan.format().bounds())
            .memoryBytes(plan.format().sortBytes());
    String version = plan.format().version();
    if (version != null) {
      builder.version(FormatVersion.of(version));
    }
    if (plan.format().compression() != null) {
      builder.compression(CompressionOptions.fromMap(plan.format().compression()));
    }
    this.writer = builder.open();
  }

  @Override
  public void write(InternalRow row) throws IOException {
    writer.add(mutations.of(writer, row));
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    boolean isEmpty = writer.commit().sstables().isEmpty();
    writer.close();
    isCommitted = true;
    return new Attempt(name, isEmpty);
  }

  /**
   * The message of an attempt that is complete.
   *
   * @param name of its directory
   * @param isEmpty whether it has no SSTables
   */
  record Attempt(String name, boolean isEmpty) implements WriterCommitMessage {}

  @Override
  public void abort() throws IOException {
    isCommitted = false;
    close();
  }

  @Override
  public void close() throws IOException {
    if (!isCommitted) {
      writer.close();
      Attempts.delete(plan.target(), plan.attempts(), name);
    }
  }
}
