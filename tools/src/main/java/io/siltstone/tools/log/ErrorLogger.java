package io.siltstone.tools.log;

import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.tools.terminal.FailureReporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * Prints warnings and errors to standard error, a line each: the reason of a failure, and its stack
 * trace only where {@link LogProvider#VERBOSE} asks for it. What was left aside as something was
 * opened is not printed: all commands that open leniently tell it themselves.
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
      // The command tells it, which has it from the listener; see DamageLines.
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
    // In one piece, as other threads print, too.
    System.err.print(FailureReporter.oneLine(line.toString()) + "\n");
    if (failure != null && Boolean.getBoolean(LogProvider.VERBOSE)) {
      failure.printStackTrace();
    }
  }
}
