package io.siltstone.bulk;

import io.siltstone.catalog.Catalog;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The {@code schema.cql} of a directory that a load writes to: without it, SSTables could not be
 * distinguished from another table's.
 */
final class SchemaOutput {
  private final Directory directory;
  private final TableSchema schema;

  SchemaOutput(Directory directory, TableSchema schema) {
    this.directory = directory;
    this.schema = schema;
  }

  /**
   * Rejects the directory of another table.
   *
   * @throws IllegalArgumentException if the directory's schema has other columns
   */
  void check() throws IOException {
    if (!Catalog.isTable(directory)) {
      return;
    }
    TableSchema present = Catalog.read(directory).schema();
    if (!present.keyspace().equals(schema.keyspace())
        || !present.name().equals(schema.name())
        || !columns(present).equals(columns(schema))) {
      throw new IllegalArgumentException(
          directory.path()
              + "/"
              + Catalog.SCHEMA_FILE
              + " is not the schema of "
              + schema.keyspace()
              + "."
              + schema.name()
              + " as it is loaded; a directory contains one table");
    }
  }

  private static List<Column> columns(TableSchema of) {
    return Stream.of(
            of.partitionKeyColumns(),
            of.clusteringColumns(),
            of.staticColumns(),
            of.regularColumns())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Writes the file durably, unless it exists. If that fails, there is no file.
   *
   * @return whether it was written
   */
  boolean writeIfMissing() throws IOException {
    if (directory.exists(Catalog.SCHEMA_FILE)) {
      return false;
    }
    String temporary = TextFile.temporaryName(Catalog.SCHEMA_FILE);
    // A writer that was killed may have left it.
    TextFile.removeTemporary(directory, Catalog.SCHEMA_FILE);
    try (WritableFile file = directory.create(temporary, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(schema.toCql().getBytes(StandardCharsets.UTF_8)));
      file.sync();
    } catch (Throwable e) {
      deleteAfter(e, temporary);
      throw e;
    }
    try {
      directory.rename(temporary, Catalog.SCHEMA_FILE);
    } catch (Throwable e) {
      // The rename may have taken effect although it failed.
      deleteAfter(e, temporary);
      deleteAfter(e);
      throw e;
    }
    return true;
  }

  private void deleteAfter(Throwable failure, String file) {
    try {
      if (directory.exists(file)) {
        directory.delete(file);
      }
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Deletes the file after a failure; a further failure is added as suppressed. */
  void deleteAfter(Throwable failure) {
    deleteAfter(failure, Catalog.SCHEMA_FILE);
  }
}
