package io.siltstone.jmx;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.LiveRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.OpenType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // The beans only have to be open.
class DatabaseBeansTest {
  private static final String READINGS =
      "CREATE TABLE w.readings (station text, at int, celsius double, PRIMARY KEY (station, at))";

  @TempDir private Path temporary;

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final CompactionService service =
      new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build());

  private Database open(String name) throws IOException {
    return Database.open(
        temporary.resolve(name), DatabaseOptions.builder().compaction(service).build());
  }

  private Set<ObjectName> names() {
    return server.queryNames(null, null).stream()
        .filter(name -> name.getDomain().equals(BeanNames.DOMAIN))
        .collect(Collectors.toSet());
  }

  private TableMXBean bean(Table table, Database database) {
    return JMX.newMXBeanProxy(
        server,
        BeanNames.table(database.path(), table.id().keyspace(), table.id().name()),
        TableMXBean.class);
  }

  private static void put(Table table, int from, int rows) throws IOException {
    for (int i = from; i < from + rows; i++) {
      table.write(table.mutation("station " + i % 10).insert(i).set("celsius", i * 0.5).build());
    }
  }

  @Test
  void tellsOfATable() throws IOException {
    try (Database database = open("weather");
        DatabaseBeans beans = DatabaseBeans.register(database, service, server)) {
      Table readings = database.createTable(READINGS);
      put(readings, 0, 100);
      readings.flush();
      put(readings, 100, 7);
      try (LiveRows rows = readings.read(readings.query().partition("station 3").build())) {
        rows.forEachRemaining(row -> {});
      }
      TableMXBean bean = bean(readings, database);
      assertThat(bean.getKeyspace()).isEqualTo("w");
      assertThat(bean.getName()).isEqualTo("readings");
      assertThat(bean.isOpen()).isTrue();
      assertThat(bean.getSSTableCount()).isEqualTo(1);
      assertThat(bean.getSSTableCountPerLevel()).containsExactly(1);
      assertThat(bean.getLiveBytes()).isGreaterThan(readings.statistics().sstables().onDiskBytes());
      assertThat(bean.getSSTableBytesPerLevel()).containsExactly(bean.getLiveBytes());
      assertThat(bean.getMaxSSTableBytes()).isEqualTo(bean.getLiveBytes());
      assertThat(bean.getDataBytes()).isEqualTo(readings.statistics().sstables().dataBytes());
      assertThat(bean.getCompressionRatio()).isBetween(0.01, 1.2);
      assertThat(bean.getPartitionsEstimate()).isEqualTo(17);
      assertThat(bean.getRows()).isEqualTo(100);
      assertThat(bean.getPartitionBytes().getCount()).isEqualTo(10);
      assertThat(bean.getCellsPerPartition().getMax()).isEqualTo(10);
      assertThat(bean.getMemtableRows()).isEqualTo(7);
      assertThat(bean.getReadCount()).isEqualTo(1);
      assertThat(requireNonNull(bean.getReadLatencyMicros()).getMax()).isPositive();
      assertThat(bean.getWriteCount()).isEqualTo(107);
      assertThat(requireNonNull(bean.getWriteLatencyMicros()).getCount()).isEqualTo(107);
      assertThat(requireNonNull(bean.getSSTablesPerRead()).getMax()).isEqualTo(1);
      assertThat(bean.getFlushes()).isEqualTo(1);
      assertThat(bean.getCompactionOptions())
          .containsEntry(
              "class", "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy");
      assertThat(bean.getCompressionOptions())
          .containsEntry("class", "org.apache.cassandra.io.compress.LZ4Compressor");
      assertThat(
              bean.getBloomFilterOffHeapBytes()
                  + bean.getIndexSummaryOffHeapBytes()
                  + bean.getCompressionMetadataOffHeapBytes())
          .isEqualTo(readings.statistics().sstables().offHeapBytes());
    }
  }

  @Test
  void followsTheTablesAndLeavesNothingBehind() throws IOException {
    try (Database database = open("weather")) {
      Table before = database.createTable(READINGS);
      DatabaseBeans beans = DatabaseBeans.register(database, service, server);
      Table after = database.createTable(READINGS.replace("readings", "more"));
      ObjectName first = BeanNames.table(database.path(), "w", before.id().name());
      ObjectName second = BeanNames.table(database.path(), "w", after.id().name());
      assertThat(names())
          .containsExactlyInAnyOrder(
              first,
              second,
              BeanNames.database(database.path()),
              BeanNames.compaction(database.path()));
      database.dropTable("w", "readings");
      assertThat(names()).doesNotContain(first).contains(second);
      beans.close();
      beans.close();
      assertThat(names()).isEmpty();
      var unused = database.createTable(READINGS);
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void aTableThatIsCreatedAgainBeforeItsDropIsToldHasABean() throws IOException {
    try (Database database = open("weather")) {
      var dropped = database.createTable(READINGS);
      database.addListener(
          new EngineListener() {
            @Override
            public void tableDropped(TableDropped event) {
              assertThatCode(() -> database.createTable(READINGS)).doesNotThrowAnyException();
            }
          });
      try (DatabaseBeans beans = DatabaseBeans.register(database, service, server)) {
        database.dropTable("w", "readings");
        assertThat(names()).contains(BeanNames.table(database.path(), "w", dropped.id().name()));
      }
    }
  }

  @Test
  void severalDatabasesAreApart() throws IOException {
    try (Database one = open("a,b=\"c\"");
        Database two = open("two");
        DatabaseBeans first = DatabaseBeans.register(one, service, server);
        DatabaseBeans second = DatabaseBeans.register(two, null, server)) {
      Table readings = one.createTable(READINGS);
      put(readings, 0, 3);
      put(two.createTable(READINGS), 0, 5);
      assertThat(bean(readings, one).getWriteCount()).isEqualTo(3);
      assertThat(bean(readings, two).getWriteCount()).isEqualTo(5);
      assertThat(server.queryNames(BeanNames.databases(), null))
          .extracting(BeanNames::path)
          .containsExactlyInAnyOrder(one.path(), two.path());
      assertThat(server.isRegistered(BeanNames.compaction(two.path()))).isFalse();
      int before = names().size();
      assertThatThrownBy(() -> DatabaseBeans.register(one, service, server))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is registered already");
      assertThat(names()).hasSize(before);
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void operates() throws IOException {
    try (Database database = open("weather");
        DatabaseBeans beans = DatabaseBeans.register(database, service, server)) {
      CompactionMXBean compaction =
          JMX.newMXBeanProxy(server, BeanNames.compaction(database.path()), CompactionMXBean.class);
      DatabaseMXBean whole =
          JMX.newMXBeanProxy(server, BeanNames.database(database.path()), DatabaseMXBean.class);
      Table readings = database.createTable(READINGS);
      put(readings, 0, 10);
      bean(readings, database).flush();
      put(readings, 10, 10);
      whole.flush();
      assertThat(readings.live().tables()).hasSize(2);
      assertThat(bean(readings, database).compact())
          .isEqualTo("w.readings: 2 SSTables were merged into 1");
      assertThat(readings.live().tables()).hasSize(1);
      assertThat(whole.getCompactionHistory())
          .singleElement()
          .satisfies(
              entry -> {
                assertThat(entry.getTable()).isEqualTo("readings");
                assertThat(entry.getOperation()).isEqualTo("major");
                assertThat(entry.getSstablesIn()).isEqualTo(2);
                assertThat(entry.getPartitionsMerged()).containsExactly(0L, 10L);
                assertThat(entry.getRowsOut()).isEqualTo(20);
              });
      Table floored =
          database.createTable("CREATE TABLE w.floored (k int, at bigint, PRIMARY KEY (k, at))");
      TableMXBean floor = bean(floored, database);
      assertThatThrownBy(() -> floor.raiseRetentionFloor("soon")).hasMessageContaining("'at'");
      assertThat(floor.raiseRetentionFloor("5")).isTrue();
      assertThat(floor.raiseRetentionFloor("4")).isFalse();
      assertThat(floored.retentionFloor()).contains(5L);
      assertThat(DatabaseBeans.of(floored).getRetentionFloor()).isEqualTo("5");
      database.dropTable("w", "floored");
      compaction.pause();
      assertThat(service.isPaused()).isTrue();
      assertThat(compaction.isPaused()).isTrue();
      compaction.resume();
      assertThat(service.isPaused()).isFalse();
      compaction.setBytesPerSecond(1 << 20);
      assertThat(service.bytesPerSecond()).isEqualTo(1 << 20);
      assertThat(compaction.cancel(new UUID(0, 0).toString())).isFalse();
      assertThat(compaction.getRunning()).isEmpty();
      assertThat(whole.getTables()).containsExactly("w.readings");
      assertThat(whole.getChunkCache().getCapacityBytes()).isPositive();
      assertThat(whole.getOffHeapBytesByKind()).containsKey("MEMTABLE");
    }
    try (Database database = open("weather")) {
      assertThat(new DatabaseFigures(database).getCompactionHistory()).hasSize(1);
    }
  }

  @Test
  void backsUpADatabaseThatIsOpen() throws IOException {
    Path backup = temporary.resolve("backup");
    try (Database database = open("weather");
        DatabaseBeans beans = DatabaseBeans.register(database, service, server)) {
      DatabaseMXBean whole =
          JMX.newMXBeanProxy(server, BeanNames.database(database.path()), DatabaseMXBean.class);
      put(database.createTable(READINGS), 0, 10);
      whole.checkpoint(backup.toString());
      assertThatThrownBy(() -> whole.checkpoint(backup.toString()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(backup + " is not empty");
    }
    DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).compaction(service).build();
    try (Database copy = Database.open(backup, readOnly)) {
      Table readings = copy.table("w", "readings");
      assertThat(readings.get(readings.query().partition("station 3").build())).isPresent();
      assertThatThrownBy(
              () -> new DatabaseFigures(copy).checkpoint(temporary.resolve("other").toString()))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void showsAndCancelsAJobThatRuns() throws Exception {
    // As slow as possible, so that the running compaction is seen.
    service.bytesPerSecond(64 * 1024);
    try (Database database = open("weather");
        DatabaseBeans beans = DatabaseBeans.register(database, service, server)) {
      CompactionMXBean compaction =
          JMX.newMXBeanProxy(server, BeanNames.compaction(database.path()), CompactionMXBean.class);
      Table noise =
          database.createTable(
              "CREATE TABLE w.noise (k int PRIMARY KEY, v blob) WITH compression ="
                  + " {'enabled': false} AND compaction = {'class':"
                  + " 'SizeTieredCompactionStrategy', 'min_threshold': 32}");
      byte[] value = new byte[100_000];
      for (int table = 0; table < 2; table++) {
        for (int i = 0; i < 20; i++) {
          noise.write(noise.mutation(i).insert().set("v", value).build());
        }
        noise.flush();
      }
      Thread asking =
          new Thread(
              () ->
                  assertThatThrownBy(() -> bean(noise, database).compact())
                      .isInstanceOf(IOException.class));
      asking.start();
      List<CompactionJob> running = List.of();
      while (running.isEmpty()) {
        LockSupport.parkNanos(1_000_000);
        running = compaction.getRunning();
      }
      assertThat(running.get(0).getTable()).isEqualTo("noise");
      assertThat(running.get(0).getSstables()).isEqualTo(2);
      assertThat(compaction.cancel(running.get(0).getId())).isTrue();
      asking.join();
      assertThat(noise.live().tables()).hasSize(2);
    }
  }

  @Test
  void allAttributesAreOfOpenTypesAndCanBeRead() throws Exception {
    try (Database database = Database.open(new MemoryDirectory(), options());
        DatabaseBeans beans = DatabaseBeans.register(database, service, server)) {
      var unused = database.createTable(READINGS);
      assertThat(names()).hasSize(3);
      for (ObjectName name : names()) {
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
          Object value = server.getAttribute(name, attribute.getName());
          var type = (OpenType<?>) attribute.getDescriptor().getFieldValue(JMX.OPEN_TYPE_FIELD);
          assertThat(value == null || type.isValue(value)).as("%s", attribute).isTrue();
        }
      }
    }
  }

  private DatabaseOptions options() {
    return DatabaseOptions.builder().compaction(service).build();
  }
}
