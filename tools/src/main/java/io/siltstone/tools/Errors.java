package io.siltstone.tools;

import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.OutputException;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns what ended a command into one line for the user, and an exit code. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final Terminal terminal;
  private final BooleanSupplier verbose;

  Errors(Terminal terminal, BooleanSupplier verbose) {
    this.terminal = terminal;
    this.verbose = verbose;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    print(e.getMessage() + "; see " + command + " --help", e);
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
      print("cannot write to standard output: " + output.getMessage(), e);
      return ExitCode.IO;
    }
    // Results made before the failure belong before its message.
    terminal.out().flush();
    if (e instanceof UncheckedIOException unchecked) {
      return report(Objects.requireNonNull(unchecked.getCause()));
    }
    print(describe(e), e);
    return exitCode(e);
  }

  private static int exitCode(Throwable e) {
    if (e instanceof CorruptSSTableException || e instanceof CorruptFileException) {
      return ExitCode.DAMAGED;
    }
    if (e instanceof UsageException) {
      return ExitCode.USAGE;
    }
    return e instanceof IOException ? ExitCode.IO : ExitCode.INTERNAL;
  }

  private static String describe(Throwable e) {
    String message = String.valueOf(e.getMessage());
    // The messages of these are paths.
    if (e instanceof NoSuchFileException) {
      return "no such file: " + message;
    }
    if (e instanceof AccessDeniedException) {
      return "access denied: " + message;
    }
    if (e instanceof FileAlreadyExistsException) {
      return "file exists: " + message;
    }
    if (e instanceof NotDirectoryException) {
      return "not a directory: " + message;
    }
    if (e instanceof IOException || e instanceof UsageException) {
      return message;
    }
    return "internal error: " + e;
  }

  private void print(String message, Throwable e) {
    terminal.err().print("siltstone: " + message.replaceAll("\\s*\\R\\s*", " ") + "\n");
    if (verbose.getAsBoolean()) {
      e.printStackTrace(terminal.err());
    }
    terminal.err().flush();
  }
}
