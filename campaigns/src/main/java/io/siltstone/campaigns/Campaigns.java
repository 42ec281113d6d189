package io.siltstone.campaigns;

import io.siltstone.campaigns.damage.DamageCommand;
import io.siltstone.campaigns.faults.FaultsCommand;
import io.siltstone.campaigns.faults.FullDiskCommand;
import io.siltstone.campaigns.kill.KillCommand;
import io.siltstone.campaigns.run.ExitCode;
import io.siltstone.campaigns.run.UsageException;
import io.siltstone.campaigns.streams.StreamsCommand;
import io.siltstone.campaigns.threads.ThreadsCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code campaign} of the script {@code siltstone}, with all campaigns as subcommands.
 */
@Command(
    name = "siltstone campaign",
    description = "Runs tests for hours that try to make the engine lose or corrupt data.",
    mixinStandardHelpOptions = true,
    subcommands = {
      DamageCommand.class,
      FaultsCommand.class,
      FullDiskCommand.class,
      KillCommand.class,
      StreamsCommand.class,
      ThreadsCommand.class
    })
public final class Campaigns implements Runnable {
  @Spec private CommandSpec spec;

  private Campaigns() {}

  /** Runs a campaign, and exits with one of the codes of {@link ExitCode}. */
  public static void main(String[] args) {
    CommandLine line = commandLine();
    int code;
    try {
      code = line.execute(args);
    } catch (Error e) {
      code = report(e, line.getErr());
    }
    System.exit(code);
  }

  static CommandLine commandLine() {
    return new CommandLine(new Campaigns())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, line, parsed) -> report(failure, line.getErr()));
  }

  /**
   * Prints one line about a failure, followed by the stack trace if the campaign has a defect, and
   * returns the exit code.
   */
  private static int report(Throwable failure, PrintWriter err) {
    int code = ExitCode.of(failure);
    err.println("siltstone campaign: " + describe(failure).replaceAll("\\s*\\R\\s*", " "));
    if (code == ExitCode.INTERNAL) {
      failure.printStackTrace(err);
    }
    err.flush();
    return code;
  }

  private static String describe(Throwable failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return describe(Objects.requireNonNull(unchecked.getCause()));
    }
    // The message of these may be only a path, so the class name says what has failed.
    if (failure instanceof FileSystemException) {
      return failure.toString();
    }
    if (failure instanceof IOException || failure instanceof UsageException) {
      return String.valueOf(failure.getMessage());
    }
    return failure instanceof OutOfMemoryError
        ? "out of memory: " + failure.getMessage()
        : "internal error: " + failure;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a campaign");
  }
}
