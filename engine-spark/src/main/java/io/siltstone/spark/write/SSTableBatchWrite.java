package io.siltstone.spark.write;

import io.siltstone.Compaction;
import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.catalog.Catalog;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.io.NioDirectory;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Attempts;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import io.siltstone.spark.table.MergedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write of a job, on the driver. When all tasks have ended, the SSTables of one attempt of each
 * become part of the table in one transaction, which replaces those that are there if the table is
 * overwritten. Until then, and if the job fails, the table is as it was.
 */
final class SSTableBatchWrite implements BatchWrite {
  private static final Logger LOG = LoggerFactory.getLogger(SSTableBatchWrite.class);

  private final WritePlan plan;
  private final Publication publication;

  SSTableBatchWrite(WritePlan plan, Publication publication) {
    this.plan = plan;
    this.publication = publication;
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    try {
      Attempts.begin(plan.target(), plan.attempts());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    return new AttemptWriterFactory(plan);
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    try {
      List<TableDirectory> written = new ArrayList<>();
      for (WriterCommitMessage message : messages) {
        AttemptWriter.Attempt attempt = (AttemptWriter.Attempt) message;
        if (!attempt.isEmpty()) {
          written.add(
              Attempts.list(publication.storage(), plan.target(), plan.attempts(), attempt.name()));
        }
      }
      publish(written);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
    removeAttempts();
  }

  private void publish(List<TableDirectory> written) throws IOException {
    TableSchema schema = plan.schema();
    Directory target = NioDirectory.open(Storage.localPath(plan.target()));
    boolean isNew = !target.exists(Catalog.SCHEMA_FILE);
    TableDirectory.define(target, schema);
    Directory source = MergedFiles.of(publication.storage(), schema, plan.attempts(), written);
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (OfflineTable table = OfflineTable.open(target, schema, null, options)) {
      if (publication.nodes().isPresent()) {
        publication.nodes().get().write(source, schema);
      }
      // The tasks' bulk writers have verified what they wrote.
      table.importTables(source, VerificationLevel.NONE, publication.overwrites());
    } catch (IOException | RuntimeException e) {
      publication.nodes().ifPresent(nodes -> nodes.removeAfter(e));
      if (isNew && !(e instanceof InDoubtException)) {
        undefine(target, e);
      }
      throw e;
    }
  }

  /**
   * Removes the definition of a table that is as new as it was, so that another job can give it.
   */
  private static void undefine(Directory target, Exception failure) {
    try {
      target.delete(Catalog.SCHEMA_FILE);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    removeAttempts();
  }

  private void removeAttempts() {
    try {
      Attempts.deleteAll(plan.target(), plan.attempts());
    } catch (IOException e) {
      LOG.warn(
          "{}/{} is left over, and can be deleted: {}",
          plan.target(),
          plan.attempts(),
          e.toString());
    }
  }
}
