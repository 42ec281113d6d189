package io.siltstone.tools.terminal;

import io.siltstone.compaction.task.CompactionCheckException;
import io.siltstone.io.CorruptFileException;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.schema.SchemaException;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Tells the user what has failed: one line on standard error each. Confined to one thread. */
public final class FailureReporter {
  private final Terminal terminal;
  private final BooleanSupplier isVerbose;

  /**
   * @param isVerbose whether the stack trace is wanted, too
   */
  public FailureReporter(Terminal terminal, BooleanSupplier isVerbose) {
    this.terminal = terminal;
    this.isVerbose = isVerbose;
  }

  /** Prints what is said of a failure. */
  public void tell(String message, Throwable failure) {
    try {
      // Results made before the failure belong before its message.
      terminal.out().flush();
    } catch (OutputException e) {
      failure.addSuppressed(e);
    }
    terminal.errorLine(oneLine(message));
    if (isVerbose.getAsBoolean()) {
      failure.printStackTrace(terminal.err());
    }
    terminal.err().flush();
  }

  /** The text with spaces where lines end. */
  public static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }

  /** What of a command that ended with it, or a part of one. See {@link ExitCode}. */
  public static int exitCode(Throwable failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return exitCode(Objects.requireNonNull(unchecked.getCause()));
    }
    if (failure instanceof CorruptSSTableException
        || failure instanceof CorruptFileException
        || failure instanceof CompactionCheckException) {
      return ExitCode.DAMAGED;
    }
    if (failure instanceof UsageException || isWrongSchema(failure)) {
      return ExitCode.USAGE;
    }
    return failure instanceof IOException
            || failure instanceof OutOfBudgetException
            || failure instanceof OutOfMemoryError
        ? ExitCode.IO
        : ExitCode.INTERNAL;
  }

  /** A file that could be read, and whose text is no schema. */
  private static boolean isWrongSchema(Throwable failure) {
    return failure instanceof IOException && failure.getCause() instanceof SchemaException;
  }

  /** The reason in the user's words. */
  public static String describe(Throwable failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return describe(Objects.requireNonNull(unchecked.getCause()));
    }
    String message = String.valueOf(failure.getMessage());
    // The messages of these are paths.
    if (failure instanceof NoSuchFileException) {
      return "no such file: " + message;
    }
    if (failure instanceof AccessDeniedException) {
      return "access denied: " + message;
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "file exists: " + message;
    }
    if (failure instanceof FileSystemLoopException) {
      return "a symbolic link leads back to a directory above it: " + message;
    }
    if (failure instanceof NotDirectoryException) {
      return "not a directory: " + message;
    }
    if (failure instanceof IOException
        || failure instanceof UsageException
        || failure instanceof OutOfBudgetException) {
      return message;
    }
    if (failure instanceof OutOfMemoryError) {
      return "out of memory: " + message + "; SILTSTONE_JAVA_OPTS=-Xmx... gives more";
    }
    return "internal error: " + failure;
  }
}
