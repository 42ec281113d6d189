package io.siltstone.bench.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine and the command line of a measurement. Contains neither the name of the machine nor
 * directories on it, so that reports can be published.
 *
 * @param cpu model of the processor; the architecture if the model is not known
 * @param cores number of processors that the JVM may use
 * @param memoryBytes memory of the machine; 0 if it is not known
 * @param kernel name and version of the operating system
 * @param fileSystem type of the file system of the data
 * @param jvm the Java virtual machine
 * @param siltstone version of Siltstone
 * @param command the command line
 */
public record Machine(
    String cpu,
    int cores,
    long memoryBytes,
    String kernel,
    String fileSystem,
    Jvm jvm,
    String siltstone,
    String command) {

  /**
   * The Java virtual machine of a measurement.
   *
   * @param version name and version
   * @param maxHeapBytes greatest size of the heap
   * @param collectors names of the garbage collectors
   */
  public record Jvm(String version, long maxHeapBytes, String collectors) {
    private static Jvm present() {
      return new Jvm(
          System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
          Runtime.getRuntime().maxMemory(),
          ManagementFactory.getGarbageCollectorMXBeans().stream()
              .map(GarbageCollectorMXBean::getName)
              .collect(Collectors.joining(", ")));
    }
  }

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final double GIB = 1L << 30;

  /** Characters that have a meaning in a shell. */
  private static final String SPECIAL = " ()'\"{}*$&;<>|";

  /**
   * Describes this machine.
   *
   * @param place a file or directory on the file system of the data
   * @param siltstone the version
   * @param command words of the command line; absolute paths are reduced to their last name
   */
  public static Machine of(Path place, String siltstone, List<String> command) throws IOException {
    long memory =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    return new Machine(
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        memory,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Files.getFileStore(place).type(),
        Jvm.present(),
        siltstone,
        command.stream().map(Machine::word).collect(Collectors.joining(" ")));
  }

  private static String cpuModel() throws IOException {
    String architecture = System.getProperty("os.arch");
    if (!Files.isReadable(CPU_INFO)) {
      return architecture;
    }
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse(architecture);
    }
  }

  private static String word(String word) {
    int value = word.startsWith("-") ? word.indexOf('=') + 1 : 0;
    return quoted(word.substring(0, value) + withoutPlace(word.substring(value)));
  }

  private static String withoutPlace(String path) {
    if (!path.startsWith("/")) {
      return path;
    }
    Path name = Path.of(path).getFileName();
    return name == null ? "" : name.toString();
  }

  private static String quoted(String word) {
    boolean isPlain = !word.isEmpty() && word.chars().noneMatch(c -> SPECIAL.indexOf(c) >= 0);
    return isPlain ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns the properties to show, by their names. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Processor", cpu + ", " + cores + (cores == 1 ? " core" : " cores"));
    if (memoryBytes > 0) {
      facts.put("Memory", gib(memoryBytes));
    }
    facts.put("System", kernel + ", " + fileSystem);
    facts.put("JVM", jvm.version() + ", heap " + gib(jvm.maxHeapBytes()) + ", " + jvm.collectors());
    facts.put("Siltstone", siltstone);
    facts.put("Command", command);
    return facts;
  }

  private static String gib(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / GIB);
  }

  /**
   * Writes this as an object.
   *
   * @param json expects a value
   */
  public void writeJson(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("cpu", cpu);
    json.writeNumberField("cores", cores);
    json.writeNumberField("memory_bytes", memoryBytes);
    json.writeStringField("kernel", kernel);
    json.writeStringField("file_system", fileSystem);
    json.writeStringField("jvm", jvm.version());
    json.writeNumberField("max_heap_bytes", jvm.maxHeapBytes());
    json.writeStringField("collectors", jvm.collectors());
    json.writeStringField("siltstone", siltstone);
    json.writeStringField("command", command);
    json.writeEndObject();
  }
}
