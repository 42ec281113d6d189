package io.siltstone.tools.operate;

import io.siltstone.tools.terminal.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @Option(
      names = "--jmx-user",
      paramLabel = "NAME",
      description = "Whom --jmx asks for a password.")
  private @Nullable String user;

  @Option(
      names = "--jmx-password-file",
      paramLabel = "FILE",
      description = "File with that password in its first line.")
  private @Nullable Path passwordFile;

  /** How many were named. */
  int count() {
    return (pid == null ? 0 : 1) + (address == null ? 0 : 1);
  }

  /** Connects to it; closed by the caller. */
  Connection connect() throws IOException {
    if ((user == null) != (passwordFile == null) || (user != null && address == null)) {
      throw new UsageException("--jmx, --jmx-user and --jmx-password-file belong together");
    }
    return pid != null
        ? Connection.toProcess(pid)
        : Connection.toAddress(String.valueOf(address), login());
  }

  private List<String> login() throws IOException {
    if (user == null || passwordFile == null) {
      return List.of();
    }
    try (BufferedReader reader = Files.newBufferedReader(passwordFile)) {
      String password = reader.readLine();
      if (password == null) {
        throw new UsageException("--jmx-password-file " + passwordFile + " is empty");
      }
      return List.of(user, password);
    }
  }

  @Override
  public String toString() {
    return pid != null ? "process " + pid : String.valueOf(address);
  }
}
