package com.example.weather;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that is a named module compiles and runs with the engine on the module path. */
class NamedModuleTest {
  private static final int MOST_SECONDS = 60;

  private static final String MODULE =
      """
      module com.example.named {
        requires io.siltstone.core;
        requires io.siltstone.jmx;
        requires io.siltstone.micrometer;
      }
      """;

  // One database finds its compaction as a service, the other one gets it as an option.
  private static final String MAIN =
      """
      package com.example.named;

      import io.micrometer.core.instrument.Tags;
      import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
      import io.siltstone.Compaction;
      import io.siltstone.Database;
      import io.siltstone.DatabaseOptions;
      import io.siltstone.Table;
      import io.siltstone.compaction.CompactionService;
      import io.siltstone.jmx.DatabaseBeans;
      import io.siltstone.micrometer.DatabaseMetrics;
      import io.siltstone.maintenance.CompactionRequest;
      import io.siltstone.maintenance.CompactionRequest.Operation;
      import io.siltstone.maintenance.LiveSSTable;
      import io.siltstone.sstable.format.Descriptor;
      import java.lang.management.ManagementFactory;
      import java.nio.file.Path;
      import java.util.List;
      import java.util.Set;
      import java.util.stream.Collectors;
      import java.util.stream.Stream;

      public final class Main {
        public static void main(String[] args) throws Exception {
          Stream.of(Database.class, CompactionService.class, DatabaseBeans.class, DatabaseMetrics.class)
              .forEach(type -> System.out.println(type.getModule().getName()));
          Path directory = Path.of(args[0]);
          try (Database db = Database.open(directory.resolve("found"))) {
            use(db);
          }
          CompactionService compaction = new CompactionService();
          Compaction chosen = args.length > 1 ? Compaction.none() : compaction;
          DatabaseOptions options = DatabaseOptions.builder().compaction(chosen).build();
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          try (Database db = Database.open(directory.resolve("given"), options);
              DatabaseBeans beans =
                  DatabaseBeans.register(
                      db, compaction, ManagementFactory.getPlatformMBeanServer());
              DatabaseMetrics metrics = new DatabaseMetrics(db, compaction, Tags.empty())) {
            metrics.bindTo(registry);
            use(db);
            System.out.println((int) registry.get("siltstone.flush").timer().count() + " flushes");
          }
        }

        private static void use(Database db) throws Exception {
          Table table = db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
          for (int k = 0; k < 2; k++) {
            table.write(table.mutation(k).insert().set("v", "v" + k).build());
            table.flush();
          }
          List<LiveSSTable> live = table.sstables();
          Set<Descriptor> all =
              live.stream().map(LiveSSTable::descriptor).collect(Collectors.toSet());
          table
              .compact(CompactionRequest.of(Operation.USER_DEFINED).withTables(all))
              .toCompletableFuture()
              .get()
              .orThrow();
          String value = table.get(table.query().partition(1).build()).get().getString("v");
          System.out.println(value + " of " + table.statistics().sstables().count());
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void theEngineRunsOnTheModulePath() throws Exception {
    Path sources = Files.createDirectories(directory.resolve("sources/com/example/named"));
    Path module = Files.writeString(directory.resolve("sources/module-info.java"), MODULE);
    Path main = Files.writeString(sources.resolve("Main.java"), MAIN);
    Path classes = directory.resolve("classes");
    int compiled =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                List.of(
                        "--release",
                        "17",
                        "--module-path",
                        modulePath(),
                        "-d",
                        classes.toString(),
                        module.toString(),
                        main.toString())
                    .toArray(String[]::new));
    assertEquals(0, compiled);

    Path printed = directory.resolve("printed");
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:MaxDirectMemorySize=2g",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "--module-path",
                modulePath() + File.pathSeparator + classes,
                "--module",
                "com.example.named/com.example.named.Main",
                directory.resolve("data").toString())
            .redirectOutput(printed.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertTrue(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue(), Files.readString(errors));
    assertEquals(
        List.of(
            "io.siltstone.core",
            "io.siltstone.compaction",
            "io.siltstone.jmx",
            "io.siltstone.micrometer",
            "v1 of 1",
            "v1 of 1",
            "2 flushes"),
        Files.readAllLines(printed));
    // From Java 24 on, the JVM warns about libraries that load native code without permission.
    if (Runtime.version().feature() < 24) {
      assertEquals("", Files.readString(errors));
    }
  }

  /** Returns the class path of the tests without this project's own classes. */
  private static String modulePath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") || hasModule(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean hasModule(Path classes) {
    return Files.exists(classes.resolve("module-info.class"));
  }
}
