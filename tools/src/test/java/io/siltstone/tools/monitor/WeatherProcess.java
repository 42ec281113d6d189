package io.siltstone.tools.monitor;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.rows.LiveRows;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A process that has a database open, with three SSTables in one table, of which two were merged,
 * and a memtable. It runs until its input ends.
 */
public final class WeatherProcess implements Closeable {
  private static final String READY = "ready";

  private final Process process;

  private WeatherProcess(Process process) {
    this.process = process;
  }

  /** Runs the process. */
  @SuppressWarnings("try") // The beans only have to be open.
  public static void main(String[] arguments) throws Exception {
    CompactionService service =
        new CompactionService(CompactionOptions.builder().bytesPerSecond(1 << 20).build());
    try (Database database =
            Database.open(
                Path.of(arguments[0]), DatabaseOptions.builder().compaction(service).build());
        DatabaseBeans beans = DatabaseBeans.register(database, service)) {
      fill(database);
      if (arguments.length > 1) {
        beginLongCompaction(database, service);
      }
      System.out.println(READY);
      while (System.in.read() >= 0) {
        // Until the parent closes its end.
      }
    }
  }

  /** Makes the table {@code w.readings}: two SSTables, a memtable, one read, one compaction. */
  public static void fill(Database database) throws Exception {
    Table readings =
        database.createTable(
            "CREATE TABLE w.readings (station text, at int, celsius double, PRIMARY KEY (station,"
                + " at))");
    put(readings, 0, 100);
    readings.flush();
    put(readings, 100, 100);
    readings.flush();
    readings
        .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
        .toCompletableFuture()
        .get();
    put(readings, 200, 50);
    readings.flush();
    put(readings, 250, 3);
    try (LiveRows rows = readings.read(readings.query().partition("station 3").build())) {
      rows.forEachRemaining(row -> {});
    }
  }

  /** Compacts random bytes with the lowest throughput, which takes some minutes. */
  private static void beginLongCompaction(Database database, CompactionService service)
      throws Exception {
    service.bytesPerSecond(64 << 10);
    Table noise = database.createTable("CREATE TABLE w.noise (k int PRIMARY KEY, v blob)");
    Random random = new Random(1);
    for (int i = 0; i < 12; i++) {
      byte[] value = new byte[1 << 20];
      random.nextBytes(value);
      noise.write(noise.mutation(i).insert().set("v", value).build());
      if (i % 6 == 5) {
        noise.flush();
      }
    }
    noise.compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR));
    long start = System.nanoTime();
    while (service.running().isEmpty()) {
      if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(1)) {
        throw new IllegalStateException("no compaction has begun within a minute");
      }
      Thread.sleep(1);
    }
  }

  private static void put(Table table, int from, int rows) throws IOException {
    for (int i = from; i < from + rows; i++) {
      table.write(table.mutation("station " + i % 10).insert(i).set("celsius", i * 0.5).build());
    }
  }

  /** Starts a process on an empty directory; returns when it has nothing more to do. */
  public static WeatherProcess start(Path directory) throws IOException {
    return start(List.of(directory.toString()));
  }

  /** Starts a process; returns when a long compaction of {@code w.noise} is running. */
  public static WeatherProcess startBusy(Path directory) throws IOException {
    return start(List.of(directory.toString(), "busy"));
  }

  private static WeatherProcess start(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                classPath(),
                WeatherProcess.class.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    WeatherProcess started = new WeatherProcess(process);
    try {
      InputStream out = process.getInputStream();
      String line = new String(out.readNBytes(READY.length()), StandardCharsets.UTF_8);
      if (!line.equals(READY)) {
        throw new IOException("the process said '" + line + "'");
      }
      return started;
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static String classPath() {
    // Not only the property java.class.path: the test runner may load tests with a class loader.
    if (WeatherProcess.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(url -> Path.of(URI.create(url.toString())).toString())
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  /** Returns its process id, as options accept it. */
  public String pid() {
    return Long.toString(process.pid());
  }

  /** Makes the process close its database, and waits for its end. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("the process has not ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
