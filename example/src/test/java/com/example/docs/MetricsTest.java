package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionService;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.micrometer.DatabaseMetrics;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/observability.md that need further modules. */
class MetricsTest {
  @TempDir private Path directory;

  private static void useSome(Database db) throws Exception {
    Table table = db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
    table.write(table.mutation(1).insert().set("v", "a").build());
    table.flush();
    table.get(table.query().partition(1).build());
  }

  @Test
  void beans() throws Exception {
    CompactionService compaction = new CompactionService();
    DatabaseOptions options = DatabaseOptions.builder().compaction(compaction).build();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try (Database db = Database.open(directory, options);
        DatabaseBeans beans = DatabaseBeans.register(db, compaction)) {
      useSome(db);
      Set<ObjectName> names = server.queryNames(new ObjectName("io.siltstone:*"), null);

      assertEquals(3, names.size(), names.toString());
      for (ObjectName name : names) {
        System.out.println(name);
      }
    }
    assertTrue(server.queryNames(new ObjectName("io.siltstone:*"), null).isEmpty());
  }

  @Test
  void meters() throws Exception {
    CompactionService compaction = new CompactionService();
    DatabaseOptions options = DatabaseOptions.builder().compaction(compaction).build();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Database db = Database.open(directory, options);
        DatabaseMetrics metrics =
            new DatabaseMetrics(db, compaction, Tags.of("database", "sessions"))) {
      metrics.bindTo(registry);
      useSome(db);

      assertEquals(1, registry.get("siltstone.flush").timer().count());
      assertEquals(1, registry.get("siltstone.writable").gauge().value());
    }
  }
}
