package io.siltstone.bench.volume;

import java.io.IOException;

/**
 * What this process has asked the kernel to read, from files and else: {@code /proc/self/io}.
 *
 * @param calls {@code read} and its like
 * @param bytes that they got
 * @param diskBytes of these, what the disk had to be asked for
 */
public record ProcessReads(long calls, long bytes, long diskBytes) {
  /** Up to now; zeros where the kernel does not tell. */
  public static ProcessReads now(Kernel kernel) throws IOException {
    if (!kernel.exists("/proc/self/io")) {
      return new ProcessReads(0, 0, 0);
    }
    String text = kernel.read("/proc/self/io");
    return new ProcessReads(
        value(text, "syscr:"), value(text, "rchar:"), value(text, "read_bytes:"));
  }

  /** What came since an earlier count. */
  public ProcessReads since(ProcessReads earlier) {
    return new ProcessReads(
        calls - earlier.calls, bytes - earlier.bytes, diskBytes - earlier.diskBytes);
  }

  private static long value(String text, String name) {
    for (String line : text.split("\n", -1)) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.substring(name.length()).trim());
      }
    }
    return 0;
  }
}
