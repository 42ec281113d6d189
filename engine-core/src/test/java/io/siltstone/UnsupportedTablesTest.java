package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.ValidationMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SSTables that are not damaged and cannot be read: the exception says so, with file and name. */
class UnsupportedTablesTest {
  private static final String CREATE = "CREATE TABLE ks.t (k int PRIMARY KEY, v text)";
  private static final TableSchema SCHEMA = SchemaParser.parse(CREATE).onlyTable();
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).build();
  private static final DatabaseOptions READ_ONLY =
      DatabaseOptions.builder().compaction(Compaction.none()).readOnly(true).build();

  private final MemoryDirectory root = new MemoryDirectory();
  private io.siltstone.io.Directory table;
  private String statistics;

  @BeforeEach
  void aTable() throws IOException {
    try (Database database = Database.open(root, OPTIONS)) {
      Table created = database.createTable(CREATE);
      created.write(created.mutation(1).insert().set("v", "x").build());
      created.flush();
    }
    io.siltstone.io.Directory keyspace = root.directory("data").directory("ks");
    table = keyspace.directory(keyspace.directories().get(0));
    statistics =
        table.files().stream()
            .filter(name -> Descriptor.isComponent(name, Component.STATISTICS))
            .findFirst()
            .orElseThrow();
  }

  private void setPartitioner(String className) throws IOException {
    Descriptor descriptor = Descriptor.parse(table, statistics);
    Statistics before = Statistics.read(table, statistics, descriptor.version());
    table.delete(statistics);
    new Statistics(
            new ValidationMetadata(className, before.validation().bloomFilterFpChance()),
            before.compaction(),
            before.stats(),
            before.header())
        .write(table, statistics, descriptor.version(), WriteIntent.OTHER);
  }

  private void requireUnsupported(ThrowingCallable opening, String name) {
    assertThatThrownBy(opening)
        .isInstanceOf(UnsupportedSSTableException.class)
        .hasMessageContaining(table.path() + "/" + statistics)
        .hasMessageContaining(name)
        .hasMessageContaining("is not supported");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.cassandra.dht.RandomPartitioner",
        "org.apache.cassandra.dht.LocalPartitioner",
        "org.apache.cassandra.dht.OrderPreservingPartitioner",
        "com.example.Own"
      })
  void aPartitionerThatIsNotSupportedIsNamedWithTheFile(String className) throws IOException {
    setPartitioner(className);
    requireUnsupported(() -> Database.open(root, OPTIONS), className);
    requireUnsupported(() -> Database.open(root, READ_ONLY), className);
    requireUnsupported(() -> Database.openTable(table, SCHEMA, READ_ONLY), className);
    requireUnsupported(() -> OfflineTable.open(table, SCHEMA, null, OPTIONS), className);
    try (Database other = Database.open(new MemoryDirectory(), OPTIONS)) {
      Table into = other.createTable(CREATE);
      requireUnsupported(() -> into.importTables(table), className);
      assertThat(into.statistics().sstables().count()).isZero();
    }
  }

  @Test
  void aLenientOpeningSetsThemAside() throws IOException {
    setPartitioner("org.apache.cassandra.dht.RandomPartitioner");
    List<EngineListener.CorruptionFound> found = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void corruptionFound(CorruptionFound event) {
            found.add(event);
          }
        };
    DatabaseOptions lenient =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .readOnly(true)
            .lenient(true)
            .listener(listener)
            .build();
    try (Database database = Database.openTable(table, SCHEMA, lenient)) {
      assertThat(database.tables().get(0).statistics().sstables().count()).isZero();
    }
    assertThat(found)
        .hasSize(1)
        .allMatch(event -> event.cause() instanceof UnsupportedSSTableException);
  }
}
