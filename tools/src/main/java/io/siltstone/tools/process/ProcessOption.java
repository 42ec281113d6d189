package io.siltstone.tools.process;

import io.siltstone.tools.terminal.TextOption;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.util.List;
import javax.management.MBeanServerConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --pid} and {@code --jmx}, which name a running process. */
public final class ProcessOption {
  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "A running process of the same user that has registered its databases.")
  private @Nullable Long pid;

  @Option(
      names = "--jmx",
      paramLabel = "HOST:PORT",
      description = "A running process that listens for JMX at this address.")
  private @Nullable String address;

  @Option(
      names = "--jmx-user",
      paramLabel = "NAME",
      description = "User name, if --jmx requires a login.")
  private @Nullable String user;

  @Option(
      names = "--jmx-password-file",
      paramLabel = "FILE",
      description = "File whose first line is the password.")
  private @Nullable Path passwordFile;

  /** A query to the beans of a process. */
  @FunctionalInterface
  public interface Question<T> {
    /** Returns the answer. */
    T to(MBeanServerConnection server) throws IOException;
  }

  /** Names no process until a command line is parsed. */
  public ProcessOption() {}

  /**
   * Returns the number of processes that are named.
   *
   * @throws UsageException if there is a login without an address, or half of one; or if no process
   *     can have that number
   */
  public int count() {
    if (pid != null && pid < 1) {
      throw new UsageException("--pid " + pid + ", allowed 1 or more");
    }
    if ((user == null) != (passwordFile == null) || (user != null && address == null)) {
      throw new UsageException("--jmx, --jmx-user and --jmx-password-file must be given together");
    }
    return (pid == null ? 0 : 1) + (address == null ? 0 : 1);
  }

  /**
   * Connects to the process, sends a query, and disconnects.
   *
   * @throws IOException naming the process if it does not exist or does not answer any more
   */
  public <T> T ask(Question<T> question) throws IOException {
    try (Connection connection = connect()) {
      return question.to(connection.server());
    } catch (UndeclaredThrowableException e) {
      // A bean's proxy reports like this that the connection, or the bean, has gone.
      throw new IOException(
          e.getCause() instanceof IOException cause
              ? this + " does not answer any more: " + cause.getMessage()
              : "a database was closed or a table dropped meanwhile: " + e.getCause(),
          e);
    }
  }

  private Connection connect() throws IOException {
    return pid != null
        ? Connection.toProcess(pid)
        : Connection.toAddress(String.valueOf(address), login());
  }

  private List<String> login() throws IOException {
    if (user == null || passwordFile == null) {
      return List.of();
    }
    String password =
        TextOption.read("--jmx-password-file", passwordFile).lines().findFirst().orElse(null);
    if (password == null) {
      throw new UsageException("--jmx-password-file " + passwordFile + " is empty");
    }
    return List.of(user, password);
  }

  @Override
  public String toString() {
    return pid != null ? "process " + pid : String.valueOf(address);
  }
}
