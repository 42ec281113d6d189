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
 * Where something was measured, and how it was called. Says neither what the machine is called nor
 * where on it anything lies.
 *
 * @param cpu model of the processor, or the architecture if it is not told
 * @param cores that the JVM may use
 * @param memoryBytes of the machine; 0 if it is not told
 * @param kernel name and version of the operating system
 * @param fileSystem kind of that of the data
 * @param jvm name and version
 * @param maxHeapBytes of the JVM
 * @param collectors of garbage
 * @param siltstone version
 * @param command the command line
 */
public record Machine(
    String cpu,
    int cores,
    long memoryBytes,
    String kernel,
    String fileSystem,
    String jvm,
    long maxHeapBytes,
    String collectors,
    String siltstone,
    String command) {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final double GIB = 1L << 30;

  /** What a shell does not take as it is. */
  private static final String SPECIAL = " ()'\"{}*$&;<>|";

  /**
   * This machine.
   *
   * @param place a file or directory on the file system of the data
   * @param siltstone the version
   * @param command words of the command line; of what is an absolute path the last name stays
   */
  public static Machine of(Path place, String siltstone, List<String> command) throws IOException {
    long memory =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    Runtime jvm = Runtime.getRuntime();
    return new Machine(
        cpuModel(),
        jvm.availableProcessors(),
        memory,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Files.getFileStore(place).type(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        jvm.maxMemory(),
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .collect(Collectors.joining(", ")),
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

  /** What is shown, by its name. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Processor", cpu + ", " + cores + (cores == 1 ? " core" : " cores"));
    if (memoryBytes > 0) {
      facts.put("Memory", gib(memoryBytes));
    }
    facts.put("System", kernel + ", " + fileSystem);
    facts.put("JVM", jvm + ", heap " + gib(maxHeapBytes) + ", " + collectors);
    facts.put("Siltstone", siltstone);
    facts.put("Command", command);
    return facts;
  }

  private static String gib(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / GIB);
  }

  /**
   * Writes it as an object.
   *
   * @param json stands where a value is expected
   */
  public void writeJson(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("cpu", cpu);
    json.writeNumberField("cores", cores);
    json.writeNumberField("memory_bytes", memoryBytes);
    json.writeStringField("kernel", kernel);
    json.writeStringField("file_system", fileSystem);
    json.writeStringField("jvm", jvm);
    json.writeNumberField("max_heap_bytes", maxHeapBytes);
    json.writeStringField("collectors", collectors);
    json.writeStringField("siltstone", siltstone);
    json.writeStringField("command", command);
    json.writeEndObject();
  }
}
