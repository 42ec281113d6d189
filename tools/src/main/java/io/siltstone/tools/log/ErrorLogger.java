package io.siltstone.tools.log;

import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.tools.terminal.FailureReporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * Prints warnings and errors to standard error, one line each, with the reason of a failure. The
 * stack trace follows only if {@link LogProvider#VERBOSE} asks for it. SSTables that were skipped
 * while a table was opened are not printed, because all commands that open leniently report them
 * themselves.
 */
final class ErrorLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1L;
  private static final String OWN = "io.siltstone.";

  ErrorLogger(String name) {
    this.name = name;
  }

  @Override
  public boolean isTraceEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public boolean isInfoEnabled() {
    return false;
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    if (marker != null && marker.getName().equals(CorruptionFound.MARKER)) {
      // The command reports it, from its listener; see DamageLines.
      return;
    }
    StringBuilder line = new StringBuilder("siltstone: ");
    if (!name.startsWith(OWN)) {
      line.append(name).append(": ");
    }
    line.append(MessageFormatter.basicArrayFormat(pattern, arguments));
    if (failure != null) {
      line.append(": ").append(FailureReporter.describe(failure));
    }
    // In one call, because other threads print as well.
    System.err.print(FailureReporter.oneLine(line.toString()) + "\n");
    if (failure != null && Boolean.getBoolean(LogProvider.VERBOSE)) {
      failure.printStackTrace();
    }
  }
}
