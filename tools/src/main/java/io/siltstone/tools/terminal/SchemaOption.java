package io.siltstone.tools.terminal;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.TableHome;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --schema}, which gives the schema of a table's directory that has none. */
public final class SchemaOption {
  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "CREATE TABLE statements, for a directory without schema.cql.")
  private @Nullable Path file;

  private final Terminal terminal;

  /**
   * @param terminal receives a line for each part of a schema that is not used
   */
  public SchemaOption(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Returns the file that was given. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /**
   * Reads the table from the given file; empty without the option.
   *
   * @throws UsageException if the text is wrong, or if the file has several tables and no option
   *     chooses one
   */
  public Optional<TableSchema> read(TableOption table) throws IOException {
    return file == null ? Optional.empty() : Optional.of(readOf(file, table));
  }

  private TableSchema readOf(Path other, TableOption table) throws IOException {
    Schema read = SchemaText.read(other, SchemaParser::parseLeniently, terminal);
    return table.only(other.toString(), read.tables(), each -> each);
  }

  /** Reads the table from the schema beside SSTables; empty if there is none. */
  public Optional<TableSchema> readBeside(Directory files, TableOption table) throws IOException {
    if (!files.exists(Catalog.SCHEMA_FILE)) {
      return Optional.empty();
    }
    Path path = Path.of(files.path()).resolve(Catalog.SCHEMA_FILE);
    String text = TextFile.read(files, Catalog.SCHEMA_FILE);
    Schema read = SchemaText.parse(path, text, SchemaParser::parseLeniently, terminal);
    return Optional.of(table.only(path.toString(), read.tables(), each -> each));
  }

  /**
   * Reads the table for a directory; empty if the directory's own schema applies.
   *
   * @param keys of an encrypted directory
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   * @throws AccessDeniedException if the directory cannot be read
   * @throws UsageException if there is no schema, or an option names another table
   */
  public Optional<TableSchema> read(Path directory, TableOption table, KeyFileOption keys)
      throws IOException {
    Directory files = keys.existing(directory);
    Optional<TableSchema> given = read(table);
    if (Catalog.isTable(files)) {
      Optional<TableSchema> own = own(directory, files, given.isEmpty());
      if (own.isPresent()) {
        table.only(directory.toString(), List.of(own.get()), each -> each);
        given.ifPresent(each -> requireSame(directory, own.get(), each));
      }
    } else if (!Files.isReadable(directory) || !Files.isExecutable(directory)) {
      // The files of the directory cannot be listed.
      throw new AccessDeniedException(directory.toString());
    } else if (given.isEmpty()) {
      throw new UsageException(
          directory
              + " is not a database and has no "
              + Catalog.SCHEMA_FILE
              + ": pass the table's CREATE TABLE statement with --schema, or put it into"
              + " that file, as a snapshot of Cassandra does");
    }
    return given;
  }

  /** Returns the schema beside the files. A schema that is wrong is ignored unless it is needed. */
  private Optional<TableSchema> own(Path directory, Directory files, boolean isNeeded)
      throws IOException {
    try {
      Path path = directory.resolve(Catalog.SCHEMA_FILE);
      TableHome own =
          Catalog.read(files, warning -> SchemaText.printWarning(path, warning, terminal));
      return Optional.of(own.schema());
    } catch (IOException e) {
      if (isNeeded || !(e.getCause() instanceof SchemaException)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private void requireSame(Path directory, TableSchema own, TableSchema given) {
    if (!TableOption.name(own).equals(TableOption.name(given))) {
      throw new UsageException(
          "--schema "
              + file
              + " is of "
              + TableOption.name(given)
              + ", and "
              + directory
              + " is the directory of "
              + TableOption.name(own));
    }
  }

  /**
   * Rejects the option for a directory that needs none.
   *
   * @throws UsageException if the option is given
   */
  public void requireNone(Path database) {
    if (file != null) {
      throw new UsageException(
          database + " is a database, which has the schemas of its tables: omit --schema");
    }
  }
}
