package io.siltstone.spark;

import io.siltstone.BulkWriter;
import io.siltstone.mutation.Mutation;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Directories of tables, made for tests. */
final class Tables {
  static final TableSchema READINGS =
      parse(
          "CREATE TABLE ks.readings (sensor text, day int, celsius double, note text,"
              + " PRIMARY KEY (sensor, day))");

  private Tables() {}

  static TableSchema parse(String cql) {
    return SchemaParser.parse(cql).onlyTable();
  }

  /** Adds one SSTable. */
  static Path add(Path directory, TableSchema schema, Function<BulkWriter, List<Mutation>> rows)
      throws IOException {
    try (BulkWriter writer = BulkWriter.into(directory, schema).open()) {
      for (Mutation mutation : rows.apply(writer)) {
        writer.add(mutation);
      }
      writer.commit();
    }
    return directory;
  }

  /** Makes a table without SSTables. */
  static Path define(Path directory, TableSchema schema) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("schema.cql"), schema.toCql());
    return directory;
  }

  /** Returns the only file whose name ends so. */
  static Path file(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }
}
