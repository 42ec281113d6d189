package io.siltstone.tools.terminal;

import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option with the schema of a table's directory that has none. */
public final class SchemaOption {
  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "CREATE TABLE statements, for a directory without schema.cql.")
  private @Nullable Path file;

  /**
   * The table that is meant of those in the file; empty without the option.
   *
   * @throws UsageException if the text is wrong, or it is not known which table is meant
   */
  public Optional<TableSchema> read(TableOption table) throws IOException {
    Path path = file;
    if (path == null) {
      return Optional.empty();
    }
    try {
      Schema read = SchemaParser.parseLeniently(Files.readString(path));
      return Optional.of(table.only(path.toString(), read.tables(), each -> each));
    } catch (SchemaException e) {
      throw new UsageException(path + ": " + e.getMessage(), e);
    }
  }
}
