package io.siltstone.tools.load;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.schema.Column;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The schema of a table in a directory, by convention {@link #NAME} beside the table's files. */
final class SchemaFile {
  /** The name of the file in Cassandra's snapshots. */
  static final String NAME = "schema.cql";

  private static final int MAX_BYTES = 16 << 20;

  private final Directory directory;
  private final String name;

  SchemaFile(Directory directory, String name) {
    this.directory = directory;
    this.name = name;
  }

  private boolean exists() throws IOException {
    return directory.exists(name);
  }

  private Schema read() throws IOException {
    try {
      return SchemaParser.parseLeniently(text());
    } catch (SchemaException e) {
      throw new UsageException(this + ": " + e.getMessage(), e);
    }
  }

  private String text() throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      if (file.length() > MAX_BYTES) {
        throw new UsageException(
            this + " has " + file.length() + " bytes, a schema may have " + MAX_BYTES);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
      file.readFully(0, bytes);
      bytes.flip();
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(this + " is not UTF-8 text", e);
    }
  }

  /** Returns whether rows of the two tables can be in the same directory. */
  private static boolean sameRows(TableSchema left, TableSchema right) {
    return left.keyspace().equals(right.keyspace())
        && left.name().equals(right.name())
        && columns(left).equals(columns(right));
  }

  private static List<Column> columns(TableSchema table) {
    return Stream.of(
            table.partitionKeyColumns(),
            table.clusteringColumns(),
            table.staticColumns(),
            table.regularColumns())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Rejects the directory of another table.
   *
   * @throws UsageException if the directory's schema has other columns
   */
  void check(TableSchema table) throws IOException {
    if (!exists()) {
      return;
    }
    boolean same = read().tables().stream().anyMatch(each -> sameRows(each, table));
    if (!same) {
      throw new UsageException(
          this
              + " is not the schema of "
              + table.keyspace()
              + "."
              + table.name()
              + " as it is loaded; a directory contains one table");
    }
  }

  /** Returns the full path. */
  @Override
  public String toString() {
    return directory.path() + "/" + name;
  }
}
