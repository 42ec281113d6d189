package io.siltstone.tools;

import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Failures;
import io.siltstone.tools.terminal.OutputException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns what ended a command into one line for the user, and an exit code. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final Failures failures;

  Errors(Failures failures) {
    this.failures = failures;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    // Of groups of options picocli says so itself.
    String message = String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
    failures.tell(message + "; see " + command + " --help", e);
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    return report(e);
  }

  /** Prints the line and gives the exit code. */
  int report(Throwable e) {
    if (e instanceof OutputException output) {
      if (output.isBrokenPipe()) {
        return ExitCode.OK;
      }
      failures.tell("cannot write to standard output: " + output.getMessage(), e);
      return ExitCode.IO;
    }
    failures.tell(Failures.describe(e), e);
    return Failures.exitCode(e);
  }
}
