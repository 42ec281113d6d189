package io.siltstone.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SchemaCQLHelper;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A table of the node in this JVM: statements go into its memtable, a flush makes one SSTable.
 *
 * <p>It is created empty, and dropped with its files by {@link #close}.
 */
final class CassandraTable implements AutoCloseable {

  private final CassandraNode node;
  private final String name;
  private final List<String> types;

  private CassandraTable(CassandraNode node, String name, List<String> types) {
    this.node = node;
    this.name = name;
    this.types = types;
  }

  /**
   * Creates the table.
   *
   * @param name the table's name, without keyspace
   * @param createTypes {@code CREATE TYPE} statements in the order of their dependencies, names
   *     qualified by {@link CassandraNode#KEYSPACE}
   * @param createTable the {@code CREATE TABLE} statement
   */
  static CassandraTable create(
      CassandraNode node, String name, List<String> createTypes, String createTable) {
    List<String> types = new ArrayList<>();
    for (String createType : createTypes) {
      node.define(createType);
      types.add(createType.split("\\s+", 4)[2].replace("(", ""));
    }
    node.define(createTable);
    CassandraTable table = new CassandraTable(node, name, types);
    table.store().disableAutoCompaction();
    return table;
  }

  String name() {
    return name;
  }

  ColumnFamilyStore store() {
    return Keyspace.open(CassandraNode.KEYSPACE).getColumnFamilyStore(name);
  }

  TableMetadata metadata() {
    return store().metadata();
  }

  /**
   * Returns the table as in {@code schema.cql} of a snapshot, preceded by all of its user-defined
   * types: in 5.0.9 the file lacks those that only collections, tuples and vectors use.
   */
  static String schemaText(TableMetadata table) {
    KeyspaceMetadata keyspace =
        Objects.requireNonNull(Schema.instance.getKeyspaceMetadata(CassandraNode.KEYSPACE));
    Stream<String> types =
        keyspace
            .types
            .sortedStream()
            .filter(type -> type.getNameAsString().startsWith(table.name + "_"))
            .map(CassandraCalls::toCqlString);
    return Stream.concat(types, SchemaCQLHelper.reCreateStatementsForSchemaCql(table, keyspace))
        .collect(Collectors.joining("\n\n"));
  }

  /** See {@link CassandraNode#execute}. */
  void execute(String cql, long nowInSeconds, List<? extends @Nullable ByteBuffer> values) {
    node.execute(cql, nowInSeconds, values);
  }

  /** Writes the memtable as one SSTable; does nothing if it is empty. */
  void flush() {
    store().forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
  }

  /** Merges all SSTables into one, and purges tombstones older than {@code gc_grace_seconds}. */
  void compact() {
    store().forceMajorCompaction();
  }

  /** Returns the {@code Data.db} files of the live SSTables, in the order they were made. */
  List<Path> liveDataFiles() {
    List<SSTableReader> live = new ArrayList<>(store().getLiveSSTables());
    live.sort(SSTableReader.idComparator);
    List<Path> files = new ArrayList<>();
    for (SSTableReader sstable : live) {
      files.add(Path.of(sstable.getFilename()));
    }
    return Collections.unmodifiableList(files);
  }

  /**
   * Copies the live SSTables.
   *
   * @return the {@code Data.db} files in {@code directory}, in the order they were made
   */
  List<Path> export(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<SSTableReader> live = new ArrayList<>(store().getLiveSSTables());
    live.sort(SSTableReader.idComparator);
    List<Path> copies = new ArrayList<>();
    for (SSTableReader sstable : live) {
      List<Component> components = new ArrayList<>(sstable.getComponents());
      components.sort(Comparator.comparing(Component::name));
      for (Component component : components) {
        Path from = Path.of(sstable.descriptor.fileFor(component).path());
        Path to = directory.resolve(from.getFileName());
        Files.copy(from, to);
        if (from.toString().equals(sstable.getFilename())) {
          copies.add(to);
        }
      }
    }
    return Collections.unmodifiableList(copies);
  }

  /**
   * Imports SSTables from elsewhere: each is copied under a generation of this table and opened as
   * at the start of a node, with all its components.
   */
  void adopt(List<Path> dataFiles) throws IOException {
    List<SSTableReader> opened = new ArrayList<>();
    for (Path data : dataFiles) {
      Descriptor from =
          Descriptor.fromFileWithComponent(new File(data), CassandraNode.KEYSPACE, name).left;
      Descriptor target =
          store()
              .newSSTableDescriptor(
                  store().getDirectories().getDirectoryForNewSSTables(), from.version);
      for (Component component : from.discoverComponents()) {
        Files.copy(from.fileFor(component).toPath(), target.fileFor(component).toPath());
      }
      opened.add(SSTableReader.open(store(), target, store().metadata));
    }
    store().addSSTables(opened);
  }

  @Override
  public void close() {
    SelectedFormat.big();
    node.define("DROP TABLE " + CassandraNode.KEYSPACE + "." + name);
    for (int i = types.size() - 1; i >= 0; i--) {
      node.define("DROP TYPE " + types.get(i));
    }
  }
}
