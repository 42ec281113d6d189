package io.siltstone.table;

import io.siltstone.catalog.DefinitionSource;
import io.siltstone.commitlog.segment.CommitLogReplay;
import io.siltstone.commitlog.segment.ReplayOptions;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the definitions of tables in a commit log, in which each segment has the definition of each
 * table that it has changes of. The log is read when the first one is needed; damaged parts are
 * skipped.
 *
 * <p>Confined to one thread.
 */
final class LoggedDefinitions implements DefinitionSource {
  private final DatabaseLayout databaseLayout;
  private @Nullable Map<UUID, TableSchema> definitions;

  LoggedDefinitions(DatabaseLayout databaseLayout) {
    this.databaseLayout = databaseLayout;
  }

  @Override
  public Optional<TableSchema> logged(UUID table) throws IOException {
    Map<UUID, TableSchema> known = definitions;
    if (known == null) {
      known = read();
      definitions = known;
    }
    return Optional.ofNullable(known.get(table));
  }

  private Map<UUID, TableSchema> read() throws IOException {
    Map<UUID, TableSchema> found = new HashMap<>();
    Optional<Directory> log = databaseLayout.existingCommitLog();
    if (log.isPresent()) {
      var unused =
          CommitLogReplay.replay(
              log.get(),
              ReplayOptions.DEFAULT.skippingDamage(),
              (id, header) -> {
                TableSchema schema = LoggedTableHeader.schema(header);
                if (schema.id().equals(Optional.of(id))) {
                  found.put(id, schema);
                }
                return (type, position, bytes, offset, length) -> {};
              });
    }
    return found;
  }

  @Override
  public String suggestion(Directory table) {
    try {
      for (String name : table.files()) {
        if (Descriptor.isComponent(name, Component.STATISTICS)) {
          try {
            SerializationHeader header =
                Statistics.read(table, name, Descriptor.parse(table, name).version()).header();
            return " with the true names of the key columns and of what was dropped; "
                + name
                + " tells of columns like those of "
                + schema(header).toCql().replaceAll("\\s+", " ").strip();
          } catch (IOException | SchemaException e) {
            // Another SSTable may be readable.
          }
        }
      }
    } catch (IOException e) {
      return "";
    }
    return "";
  }

  private static TableSchema schema(SerializationHeader header) {
    TableSchema.Builder builder = TableSchema.builder("keyspace", "name");
    List<CqlType> keys =
        header.keyType().kind() == TypeKind.COMPOSITE
            ? header.keyType().elementTypes()
            : List.of(header.keyType());
    for (int i = 0; i < keys.size(); i++) {
      builder.partitionKey("key" + (i + 1), keys.get(i));
    }
    for (int i = 0; i < header.clusteringTypes().size(); i++) {
      builder.clustering("clustering" + (i + 1), header.clusteringTypes().get(i));
    }
    for (HeaderColumn column : header.staticColumns()) {
      builder.staticColumn(column.name(), column.type());
    }
    for (HeaderColumn column : header.regularColumns()) {
      builder.regular(column.name(), column.type());
    }
    return builder.build();
  }
}
