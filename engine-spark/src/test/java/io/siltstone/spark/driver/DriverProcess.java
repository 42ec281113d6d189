package io.siltstone.spark.driver;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts drivers of Spark in JVMs of their own, with this class path and these options. */
public final class DriverProcess {
  private DriverProcess() {}

  /**
   * Starts a driver.
   *
   * @param directory gets a home for Spark that has nothing, since executors get this class path
   * @param log receives what it prints
   * @param heapMib size of the heap, in MiB
   */
  public static Process start(
      Path directory, Path log, int heapMib, Class<?> main, List<String> arguments)
      throws IOException {
    Path home = directory.resolve("home");
    Files.createDirectories(home.resolve("jars"));
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.add("-Xmx" + heapMib + "m");
    // Those that open Java's modules to Spark.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-") || option.startsWith("-XX:+Ignore"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }
}
