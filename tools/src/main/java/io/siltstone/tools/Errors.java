package io.siltstone.tools;

import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.OutputException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Maps the exception that ended a command to one line for the user and to an exit code. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private static final String END_OF_OPTIONS = "--";

  private final FailureReporter failures;

  Errors(FailureReporter failures) {
    this.failures = failures;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    failures.report(message(e, args) + "; see " + command + " --help", e);
    return ExitCode.USAGE;
  }

  private static String message(ParameterException e, String[] args) {
    List<String> unknown = e.getCommandLine().getUnmatchedArguments();
    if (e instanceof UnmatchedArgumentException
        || (e instanceof MissingParameterException
            && !unknown.isEmpty()
            && unknown.get(0).startsWith("-"))) {
      // The missing parameter may be a misspelled option.
      return unmatched(e.getCommandLine(), unknown.get(0), args);
    }
    String text = String.valueOf(e.getMessage());
    if (text.startsWith("Unknown subcommand '") && e.getValue() != null) {
      // The help option of the command that prints the help of another one.
      return text.replaceFirst("\\.$", "")
          + Suggestion.of(e.getValue(), e.getCommandLine().getSubcommands().keySet());
    }
    return text
        // picocli adds this prefix itself for groups of options.
        .replaceFirst("^Error: ", "")
        // picocli repeats the word for options with a map.
        .replace("for option option ", "for option ")
        .replaceFirst("\\.$", "");
  }

  /**
   * Returns the message for the first unmatched argument. picocli may have consumed its value for
   * another option.
   */
  private static String unmatched(CommandLine line, String first, String[] args) {
    int end = Arrays.asList(args).indexOf(END_OF_OPTIONS);
    if (end >= 0 && end < Arrays.asList(args).lastIndexOf(first)) {
      return "Unexpected argument: '" + first + "', nothing after -- is an option";
    }
    CommandSpec command = line.getCommandSpec();
    if (first.startsWith("-") && first.length() > 1) {
      return "Unknown option: '" + first + "'" + Suggestion.of(first, optionNames(command));
    }
    return command.positionalParameters().isEmpty() && !command.subcommands().isEmpty()
        ? "Unknown command: '" + first + "'" + Suggestion.of(first, command.subcommands().keySet())
        : "Unexpected argument: '" + first + "'";
  }

  private static List<String> optionNames(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden())
        .flatMap(option -> Stream.of(option.names()))
        .filter(name -> name.startsWith("--"))
        .toList();
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    return report(e);
  }

  /** Prints the line for a failure and returns the exit code. */
  int report(Throwable e) {
    if (e instanceof OutputException output) {
      if (output.isBrokenPipe()) {
        return ExitCode.OK;
      }
      failures.report("cannot write to standard output: " + output.getMessage(), e);
      return ExitCode.IO;
    }
    failures.report(FailureReporter.describe(e), e);
    return FailureReporter.exitCode(e);
  }
}
