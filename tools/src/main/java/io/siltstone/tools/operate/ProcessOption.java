package io.siltstone.tools.operate;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which running process is asked. */
final class ProcessOption {
  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "A running process of the same user that has registered its databases.")
  private @Nullable Long pid;

  @Option(
      names = "--jmx",
      paramLabel = "HOST:PORT",
      description = "A running process that listens for JMX there.")
  private @Nullable String address;

  /** How many were named. */
  int count() {
    return (pid == null ? 0 : 1) + (address == null ? 0 : 1);
  }

  /** Connects to it; closed by the caller. */
  Connection connect() throws IOException {
    return pid != null ? Connection.toProcess(pid) : Connection.toAddress(String.valueOf(address));
  }

  @Override
  public String toString() {
    return pid != null ? "process " + pid : String.valueOf(address);
  }
}
