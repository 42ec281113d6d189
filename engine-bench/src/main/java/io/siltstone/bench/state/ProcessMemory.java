package io.siltstone.bench.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory and the threads of this process at a moment, those of native code included, as Linux
 * reports them; 0 on other systems.
 *
 * @param residentBytes physical memory that is not of mapped files, which the system can take back
 * @param threads number of threads
 */
record ProcessMemory(long residentBytes, long threads) {
  private static final Path STATUS = Path.of("/proc/self/status");

  static ProcessMemory now() throws IOException {
    if (!Files.isReadable(STATUS)) {
      return new ProcessMemory(0, 0);
    }
    String status = Files.readString(STATUS);
    return new ProcessMemory(
        (figure(status, "RssAnon") + figure(status, "RssShmem")) * 1024, figure(status, "Threads"));
  }

  private static long figure(String status, String name) {
    Matcher line = Pattern.compile("^" + name + ":\\s+(\\d+)", Pattern.MULTILINE).matcher(status);
    return line.find() ? Long.parseLong(line.group(1)) : 0;
  }
}
