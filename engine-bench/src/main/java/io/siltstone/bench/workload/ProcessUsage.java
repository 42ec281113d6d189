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
 * What this process has used since it began, or between two moments. Of what the system does not
 * tell there is 0.
 *
 * @param allocatedByThread bytes on the heap, by the numbers of the threads that live
 * @param cpuNanos of all threads
 * @param collections of garbage
 * @param collectionMillis they took
 * @param readCalls calls to the system that read
 * @param diskReadBytes fetched from disks, not from the page cache (Linux)
 * @param diskWrittenBytes sent to disks, or to be sent (Linux)
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

  /** Until now. */
  public static ProcessUsage now() {
    Map<Long, Long> allocated = new HashMap<>();
    if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads) {
      long[] ids = threads.getAllThreadIds();
      long[] bytes = threads.getThreadAllocatedBytes(ids);
      for (int i = 0; i < ids.length; i++) {
        allocated.put(ids[i], Math.max(0, bytes[i]));
      }
    }
    long cpu =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? Math.max(0, system.getProcessCpuTime())
            : 0;
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

  /** Since an earlier moment. */
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

  /** What all of them have allocated; what those did that have ended since is missing. */
  public long allocatedBytes() {
    return allocatedByThread.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String io() {
    // Some containers do not let a process see its own.
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
