package io.siltstone.tools.terminal;

import io.siltstone.compaction.task.CompactionCheckException;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.EncryptedDirectory;
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

/** Reports failures to the user, one line on standard error each. Confined to one thread. */
public final class FailureReporter {
  private final Terminal terminal;
  private final BooleanSupplier isVerbose;

  /**
   * @param isVerbose whether stack traces are printed as well
   */
  public FailureReporter(Terminal terminal, BooleanSupplier isVerbose) {
    this.terminal = terminal;
    this.isVerbose = isVerbose;
  }

  /** Prints the message of a failure, and of a damaged SSTable the command that repairs it. */
  public void report(String message, Throwable failure) {
    try {
      // Results printed before the failure come before its message.
      terminal.out().flush();
    } catch (OutputException e) {
      failure.addSuppressed(e);
    }
    terminal.errorLine(oneLine(message) + RepairAdvice.after(failure));
    if (isVerbose.getAsBoolean()) {
      failure.printStackTrace(terminal.err());
    }
    terminal.err().flush();
  }

  /** Replaces line breaks with spaces. */
  public static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }

  /**
   * Returns the exit code of a command, or of a part of one, that has ended with the failure. See
   * {@link ExitCode}.
   */
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

  /** Returns whether a file could be read but its text is not a valid schema. */
  private static boolean isWrongSchema(Throwable failure) {
    return failure instanceof IOException && failure.getCause() instanceof SchemaException;
  }

  /** Returns the reason of a failure in terms that a user understands. */
  public static String describe(Throwable failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return describe(Objects.requireNonNull(unchecked.getCause()));
    }
    String message = String.valueOf(failure.getMessage());
    // The messages of these exceptions are paths.
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
    if (failure instanceof EncryptedDirectory.KeyException lost) {
      return message + KeyFileOption.hint(lost);
    }
    if (failure instanceof IOException
        || failure instanceof UsageException
        || failure instanceof OutOfBudgetException) {
      return message;
    }
    if (failure instanceof OutOfMemoryError) {
      return "out of memory: " + message + "; SILTSTONE_JAVA_OPTS=-Xmx... sets a larger heap";
    }
    return "internal error: " + failure;
  }
}
