package io.siltstone.bench.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The resources that this process has used since it began, or between two moments; 0 for what the
 * system does not report.
 *
 * @param allocatedByThread heap allocated by each living thread, by its number
 * @param cpuNanos processor time of all threads
 * @param collections number of garbage collections
 * @param collectionMillis their duration
 * @param readCalls number of system calls that read
 * @param diskReadBytes bytes read from disks, not from the page cache (Linux)
 * @param diskWrittenBytes bytes written to disks, or to be written (Linux)
 */
public record ProcessUsage(
    Map<Long, Long> allocatedByThread,
    long cpuNanos,
    long collections,
    long collectionMillis,
    long readCalls,
    long diskReadBytes,
    long diskWrittenBytes) {
  private static final Path IO = Path.of("/proc/self/io");

  /** Copies the map. */
  public ProcessUsage {
    allocatedByThread = Map.copyOf(allocatedByThread);
  }

  /** Returns the usage until now. */
  public static ProcessUsage now() {
    Map<Long, Long> allocated = new HashMap<>();
    if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads) {
      long[] ids = threads.getAllThreadIds();
      long[] bytes = threads.getThreadAllocatedBytes(ids);
      for (int i = 0; i < ids.length; i++) {
        allocated.put(ids[i], Math.max(0, bytes[i]));
      }
    }
    long cpu = cpuNanosNow();
    long collections = 0;
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections += Math.max(0, collector.getCollectionCount());
      millis += Math.max(0, collector.getCollectionTime());
    }
    String io = io();
    return new ProcessUsage(
        allocated,
        cpu,
        collections,
        millis,
        figure(io, "syscr"),
        figure(io, "read_bytes"),
        figure(io, "write_bytes"));
  }

  /** Returns the processor time of all threads until now, which costs less than {@link #now}. */
  public static long cpuNanosNow() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? Math.max(0, system.getProcessCpuTime())
        : 0;
  }

  /** Returns the usage since an earlier moment. */
  public ProcessUsage since(ProcessUsage before) {
    Map<Long, Long> allocated = new HashMap<>();
    allocatedByThread.forEach(
        (thread, bytes) ->
            allocated.put(thread, bytes - before.allocatedByThread.getOrDefault(thread, 0L)));
    return new ProcessUsage(
        allocated,
        cpuNanos - before.cpuNanos,
        collections - before.collections,
        collectionMillis - before.collectionMillis,
        readCalls - before.readCalls,
        diskReadBytes - before.diskReadBytes,
        diskWrittenBytes - before.diskWrittenBytes);
  }

  /**
   * Returns the heap allocated by all living threads; that of threads that have ended is missing.
   */
  public long allocatedBytes() {
    return allocatedByThread.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String io() {
    // Some containers do not let a process read this file.
    if (!Files.isReadable(IO)) {
      return "";
    }
    try {
      return Files.readString(IO);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long figure(String io, String name) {
    return io.lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).trim()))
        .findFirst()
        .orElse(0);
  }
}
