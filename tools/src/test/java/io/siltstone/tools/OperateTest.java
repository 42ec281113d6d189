package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.tools.monitor.WeatherProcess;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.security.auth.Subject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the monitoring commands on files and on a running process. */
class OperateTest {
  /** The database of a process that tests look at while it runs. */
  @TempDir private static Path observed;

  private static WeatherProcess running;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException {
    running = WeatherProcess.start(observed);
  }

  @AfterAll
  static void end() throws IOException {
    running.close();
  }

  private static Run ok(String... args) {
    Run run = Run.of(args);
    assertThat(run.err()).as("%s", Arrays.asList(args)).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    return run;
  }

  private static List<String> lines(Run run) {
    return run.out().lines().map(String::strip).toList();
  }

  /** Parses a document to its end; throws if it is not JSON. */
  private static void requireJson(String text) throws IOException {
    try (JsonParser json = new JsonFactory().createParser(text)) {
      while (json.nextToken() != null) {
        assertThat(json.currentName() == null ? "x" : json.currentName()).matches("[a-z0-9_A-Z]+");
      }
    }
  }

  /** Matches the lines that depend only on SSTables, which do not change. */
  private static final String OF_SSTABLES =
      "(Table|SSTable|Max SSTable|Space used|Uncompressed|Number of rows|Bloom filter space"
          + "|Bloom filter off|Index summary|Compression metadata|Compacted|Droppable).*";

  @Test
  void aRunningProcessAndItsFilesTellTheSame() throws Exception {
    Run asked = ok("tablestats", "--pid", running.pid());
    Run read = ok("tablestats", observed.toString());

    assertThat(lines(asked))
        .contains(
            "Keyspace: w",
            "Read Count: 1",
            "Write Count: 253",
            "Table: readings",
            "SSTable count: 2",
            "Number of rows in SSTables: 250",
            "Memtable row count: 3",
            "Memtable switch count: 3",
            "Local read count: 1",
            "Local write count: 253",
            "Local read/write ratio: 0.00395",
            "Compactions: 1",
            "Bloom filter false positives: 0")
        .anyMatch(line -> line.matches("Local write latency: \\d+\\.\\d{3} ms"))
        .anyMatch(line -> line.matches("Average per read: 2.00 SSTables, .*"));
    List<String> stored = lines(read).stream().filter(line -> line.matches(OF_SSTABLES)).toList();
    assertThat(stored).hasSizeGreaterThan(13);
    assertThat(lines(asked)).containsSubsequence(stored);
    // Counters that nothing counts are omitted.
    assertThat(read.out()).doesNotContain("Local", "Memtable", "false positives", "repaired");

    requireJson(ok("tablestats", "--pid", running.pid(), "--json").out());
    requireJson(ok("tablestats", "--json", observed.toString()).out());
  }

  @Test
  void histogramsOfAProcessAndOfFiles() throws Exception {
    Run asked = ok("tablehistograms", "--pid", running.pid(), "--table", "w.readings");
    Run read = ok("tablehistograms", observed.toString());

    assertThat(asked.out())
        .startsWith("w/readings histograms\n")
        .contains(
            "Percentile      Read Latency     Write Latency          SSTables    Partition Size"
                + "        Cell Count\n",
            "                    (micros)          (micros)                            "
                + " (bytes)\n");
    assertThat(read.out())
        .startsWith("w/readings histograms\nPercentile    Partition Size        Cell Count\n")
        .contains("\nMax ");
    List<String> all = lines(asked);
    List<String> stored = lines(read);
    for (int i = 3; i < 10; i++) {
      String sizesAndCounts = stored.get(i).replaceFirst("\\S+\\s+", "");
      assertThat(all.get(i)).endsWith(" " + sizesAndCounts);
      assertThat(all.get(i).split("\\s+")).hasSize(6).doesNotContain("NaN");
    }
    requireJson(ok("tablehistograms", "--pid", running.pid(), "--json").out());
  }

  @Test
  void compactionsOfAProcessAreThereWhenItHasEnded() throws Exception {
    Run asked;
    try (WeatherProcess running = WeatherProcess.start(directory)) {
      assertThat(lines(ok("compactionstats", "--pid", running.pid())))
          .anyMatch(line -> line.matches("concurrent compactors +\\d+"))
          .anyMatch(line -> line.matches("pending tasks +0"))
          .anyMatch(line -> line.matches("compactions completed +1"))
          .anyMatch(line -> line.matches("compaction throughput \\(MiB/s\\) +1\\.0"));
      requireJson(ok("compactionstats", "--pid", running.pid(), "--json").out());
      asked = ok("compactionhistory", "--pid", running.pid());
    }
    assertThat(lines(asked).get(0)).isEqualTo("Compaction History:");
    assertThat(lines(asked).get(1))
        .matches(
            "id +keyspace_name +columnfamily_name +compacted_at +bytes_in +bytes_out +rows_merged"
                + " +compaction_properties");
    assertThat(lines(asked).get(2))
        .matches(
            "[0-9a-f-]{36} +w +readings +\\S+Z +\\d+ +\\d+ +\\{2:10} +\\{compaction_type: major,"
                + " sstables: 2 -> 1, rows: 200, duration_ms: \\d+}");
    assertThat(ok("compactionhistory", directory.toString()).out()).isEqualTo(asked.out());
    requireJson(ok("compactionhistory", directory.toString(), "--json").out());
    assertThat(Run.of("compactionhistory", directory.toString(), "--table", "other").err())
        .contains("no table 'other', allowed for --table: [w.readings]");
    assertThat(lines(ok("compactionstats", directory.toString())))
        .anyMatch(line -> line.matches("pending tasks +0"))
        .noneMatch(line -> line.startsWith("compactions completed"));
  }

  @Test
  void infoOfAProcessAndOfItsDirectory() throws Exception {
    try (WeatherProcess running = WeatherProcess.start(directory)) {
      List<String> asked = lines(ok("info", "--pid", running.pid()));
      assertThat(asked)
          .contains(
              "Path                   : " + directory,
              "Tables                 : 1",
              "SSTables               : 2",
              "State                  : open",
              "Open handles           : 0")
          .anyMatch(line -> line.startsWith("Process                : " + running.pid() + "@"))
          .anyMatch(line -> line.startsWith("Chunk Cache            : entries "))
          .anyMatch(line -> line.matches("Heap Memory \\(MB\\) {7}: [\\d.]+ / 1\\d\\d\\..*"));
      requireJson(ok("info", "--pid", running.pid(), "--json").out());
    }
    List<String> read = lines(ok("info", directory.toString()));
    assertThat(read)
        .contains("Path                   : " + directory, "SSTables               : 3");
    assertThat(read.stream().filter(line -> line.contains("-Data.db: version oa"))).hasSize(3);
    requireJson(ok("info", directory.toString(), "--json").out());
    requireJson(ok("info", "--json").out());
  }

  @Test
  void topShowsRatesFromTheSecondLookOn() throws Exception {
    String out = ok("top", "--pid", running.pid(), "--count", "2", "--interval", "0.1").out();
    List<String> tables = out.lines().filter(line -> line.startsWith("w.readings ")).toList();
    assertThat(tables).hasSize(2);
    assertThat(tables.get(0).split(" +")).startsWith("w.readings", "-", "-");
    assertThat(tables.get(1).split(" +")).startsWith("w.readings", "0", "-");
    assertThat(out)
        .contains("compactions running: 0 of at most ", "throughput at most 1.00 MiB/s")
        .doesNotContain("\033");
    String json =
        ok("top", "--pid", running.pid(), "--count", "2", "--interval", "0.1", "--json").out();
    assertThat(json.lines()).hasSize(2);
    for (String line : json.lines().toList()) {
      requireJson(line);
      assertThat(line)
          .contains(
              "\"process\":\"" + running.pid() + "@",
              "\"read_only\":false",
              "\"heap_bytes\":",
              "\"off_heap_bytes\":",
              "\"memtable_bytes\":",
              "\"commit_log_bytes\":",
              "\"key_cache\":{",
              "\"chunk_cache\":{",
              "\"open_handles\":0",
              "\"compaction_throughput_bytes_per_second\":1048576",
              "\"running\":[]");
    }
    String files = ok("top", observed.toString(), "--count", "2", "--interval", "0.1").out();
    assertThat(files.lines().filter(line -> line.startsWith("w.readings "))).hasSize(2);
  }

  @Test
  @SuppressWarnings({"try", "BanJNDI"}) // The beans only have to be open.
  void aProcessThatListensForJmx() throws Exception {
    MBeanServer beans = beans();
    try (Listening listening = new Listening(beans, Map.of())) {
      Run none = Run.of("tablestats", "--jmx", listening.address);
      assertThat(none.code()).isEqualTo(ExitCode.USAGE);
      assertThat(none.err()).contains(listening.address + " has registered no database");
      CompactionService service = new CompactionService();
      DatabaseOptions options = DatabaseOptions.builder().compaction(service).build();
      try (Database one = Database.open(directory.resolve("one"), options);
          Database two = Database.open(directory.resolve("two"), options);
          DatabaseBeans ofOne = DatabaseBeans.register(one, service, beans);
          DatabaseBeans ofTwo = DatabaseBeans.register(two, null, beans)) {
        WeatherProcess.fill(one);
        assertThat(lines(ok("tablestats", "--jmx", listening.address)))
            .containsSubsequence(
                one.path(),
                "Total number of tables: 1",
                "Table: readings",
                "Local write count: 253",
                two.path(),
                "Total number of tables: 0");
        assertThat(lines(ok("compactionstats", "--jmx", listening.address)))
            .anyMatch(line -> line.startsWith("concurrent compactors"))
            .anyMatch(line -> line.endsWith("the process registered no compaction service"));
        assertThat(lines(ok("info", "--jmx", listening.address)))
            .contains("Path                   : " + one.path())
            .contains("Path                   : " + two.path());
      }
    }
  }

  @Test
  @SuppressWarnings({"try", "BanJNDI"})
  void aProcessThatAsksForAPassword() throws Exception {
    Path password = Files.writeString(directory.resolve("password"), "secret\n");
    Path wrong = Files.writeString(directory.resolve("wrong"), "guess\n");
    Path empty = Files.createFile(directory.resolve("empty"));
    JMXAuthenticator door =
        given -> {
          if (given instanceof String[] login
              && List.of(login).equals(List.of("operator", "secret"))) {
            return new Subject();
          }
          throw new SecurityException("who are you?");
        };
    MBeanServer beans = beans();
    try (Listening listening =
            new Listening(beans, Map.of(JMXConnectorServer.AUTHENTICATOR, door));
        Database database = Database.open(directory.resolve("one"), DatabaseOptions.DEFAULT);
        DatabaseBeans ofOne = DatabaseBeans.register(database, null, beans)) {
      String[] login = {"tablestats", "--jmx", listening.address, "--jmx-user", "operator"};
      assertThat(ok(with(login, "--jmx-password-file", password.toString())).out())
          .contains("Total number of tables: 0");
      assertError(
          ExitCode.IO, "who are you?", with(login, "--jmx-password-file", wrong.toString()));
      assertError(ExitCode.IO, "who are you?", "tablestats", "--jmx", listening.address);
      assertError(ExitCode.USAGE, "is empty", with(login, "--jmx-password-file", empty.toString()));
      assertError(ExitCode.USAGE, "must be given together", login);
    }
  }

  /** Returns beans like those of a process. */
  private static MBeanServer beans() throws JMException {
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    for (PlatformManagedObject each :
        List.of(ManagementFactory.getRuntimeMXBean(), ManagementFactory.getMemoryMXBean())) {
      beans.registerMBean(each, each.getObjectName());
    }
    return beans;
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }

  /** Serves beans at a free port of this machine. */
  private static final class Listening implements AutoCloseable {
    final String address;
    private final Registry registry;
    private final JMXConnectorServer server;

    @SuppressWarnings("BanJNDI")
    Listening(MBeanServer beans, Map<String, ?> environment) throws IOException {
      int port;
      try (ServerSocket free = new ServerSocket(0)) {
        port = free.getLocalPort();
      }
      registry = LocateRegistry.createRegistry(port);
      address = "localhost:" + port;
      server =
          JMXConnectorServerFactory.newJMXConnectorServer(
              new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi"),
              environment,
              beans);
      server.start();
    }

    @Override
    public void close() throws IOException {
      server.stop();
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }

  @Test
  void tablesThatCassandraWroteInATree() throws IOException {
    String id = "-0123456789abcdef0123456789abcdef";
    Path many = Files.createDirectories(directory.resolve("data/shop/many" + id));
    Fixture.MANY.copyTo(many);
    Fixture.TYPES_COMPACTED.copyTo(Files.createDirectories(many.resolve("snapshots/before")));
    Path plain = Files.createDirectories(directory.resolve("data/other/plain" + id));
    Fixture.KEYSONLY_UNCOMPRESSED.copyTo(plain);
    // As in Cassandra's data directories; only snapshots have a schema.
    Files.delete(plain.resolve("schema.cql"));

    Run run = ok("tablestats", directory.toString());

    assertThat(lines(run))
        .containsSubsequence(
            plain.toString(),
            "Keyspace: other",
            "Table: plain",
            "SSTable Compression Ratio: -1.00000",
            "Number of partitions (estimate): 10",
            many.toString(),
            "Keyspace: ks",
            "Table: many",
            "SSTable count: 1",
            "SSTable Compression Ratio: 0.66754",
            "Number of partitions (estimate): 5",
            "Number of rows in SSTables: 200");
    assertThat(run.out()).doesNotContain("before", "SSTables in each level");
    assertThat(lines(ok("tablestats", many.resolve("snapshots/before").toString())))
        .contains("Keyspace: ks", "Table: types");
    assertThat(lines(ok("tablestats", "--table", "ks.many", directory.toString())))
        .contains("Table: many")
        .doesNotContain("Table: plain");
    for (String command : List.of("tablestats", "tablehistograms", "compactionstats", "top")) {
      Run unknown = Run.of(command, "--table", "ks.nosuch", directory.toString());
      assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
      assertThat(unknown.out()).isEmpty();
      assertThat(unknown.err())
          .contains("no table 'ks.nosuch', allowed for --table: ", "ks.many")
          .hasLineCount(1);
    }
    assertThat(ok("tablehistograms", many.toString()).out()).contains("ks/many histograms");
    requireJson(ok("tablestats", "--json", directory.toString()).out());
    // Unknown figures are not shown as nothing to do.
    assertThat(ok("tablestats", plain.toString()).out()).doesNotContain("Pending", "to compact");
    assertThat(ok("tablestats", "--json", plain.toString()).out()).doesNotContain("pending_");
    assertThat(ok("compactionstats", plain.toString()).out())
        .contains("pending tasks", "not known: there is no schema.cql")
        .doesNotContain("bytes to compact");
    assertThat(ok("compactionstats", "--json", plain.toString()).out()).doesNotContain("pending_");
    assertThat(ok("top", "--count", "1", plain.toString()).out())
        .containsPattern("other\\.plain +1 +\\S+ \\S+ +- +- +-\n");
    assertThat(ok("top", "--count", "1", "--json", plain.toString()).out())
        .doesNotContain("pending_", "debt");
    assertThat(ok("compactionstats", many.toString()).out())
        .contains("pending tasks", "bytes to compact");

    Run history = Run.of("compactionhistory", many.toString());
    assertThat(history.code()).isEqualTo(ExitCode.USAGE);
    assertThat(history.err()).contains("only databases have a compaction history");
  }

  @Test
  void whatIsDamagedIsNamedAndTheRestShown() throws Exception {
    try (Database database =
        Database.open(directory, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      var readings = database.createTable("CREATE TABLE w.readings (k int PRIMARY KEY, v int)");
      for (int i = 0; i < 2; i++) {
        readings.write(readings.mutation(i).insert().set("v", i).build());
        readings.flush();
      }
    }
    Path statistics;
    try (Stream<Path> files = Files.walk(directory)) {
      statistics =
          files.filter(file -> file.endsWith("oa-1-big-Statistics.db")).findFirst().orElseThrow();
    }
    try (FileChannel file = FileChannel.open(statistics, StandardOpenOption.WRITE)) {
      file.truncate(100);
    }

    Run run = Run.of("tablestats", directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err()).contains(statistics.toString(), "was skipped");
    assertThat(lines(run)).contains("SSTable count: 1");
  }

  @Test
  void saysWhatIsWrongWithTheArguments() throws IOException {
    assertError(ExitCode.USAGE, "name either directories, or --pid, or --jmx", "tablestats");
    assertError(
        ExitCode.USAGE, "name either directories, or --pid, or --jmx", "top", "--pid", "1", "x");
    assertError(ExitCode.IO, "no such file", "tablestats", directory + "/none");
    assertError(
        ExitCode.USAGE, "has no database and no SSTables", "tablestats", directory.toString());
    assertError(ExitCode.IO, "cannot attach to process 999999999", "info", "--pid", "999999999");
    assertError(ExitCode.USAGE, "expected host:port", "info", "--jmx", "localhost");
    assertError(ExitCode.IO, "cannot connect to localhost:1", "info", "--jmx", "localhost:1");
    assertError(
        ExitCode.USAGE, "--interval 0.01, allowed 0.1 to 3600", "top", "x", "--interval", "0.01");
    assertError(ExitCode.USAGE, "--count 0, allowed 1 or more", "top", "x", "--count", "0");
    assertError(ExitCode.USAGE, "--limit 0", "compactionhistory", "x", "--limit", "0");
  }

  private static void assertError(int code, String message, String... args) {
    Run run = Run.of(args);
    assertThat(run.err()).contains(message);
    assertThat(run.code()).isEqualTo(code);
  }
}
