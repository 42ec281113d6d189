package io.siltstone.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A registry of open resources, with the stack traces of their opening. Safe for use by all
 * threads.
 */
final class OpenResources {
  private static final String OWN_PACKAGE = OpenResources.class.getPackageName() + ".";

  private final Map<Token, Opened> open = new LinkedHashMap<>();

  /** Represents one open resource. */
  static final class Token {}

  private record Opened(String what, Throwable where, AutoCloseable resource) {}

  synchronized Token add(String what, AutoCloseable resource) {
    Token token = new Token();
    open.put(token, new Opened(what, new Throwable(what + " was opened here"), resource));
    return token;
  }

  synchronized void remove(Token token) {
    open.remove(token);
  }

  /**
   * Closes what is still open, and fails if there was any.
   *
   * @throws AssertionError naming each resource and its opener; the full stacks are suppressed
   *     exceptions
   */
  void closeAll() {
    List<Opened> left;
    synchronized (this) {
      left = new ArrayList<>(open.values());
      open.clear();
    }
    if (left.isEmpty()) {
      return;
    }
    StringBuilder message = new StringBuilder(left.size() + " left open:");
    for (Opened one : left) {
      message.append("\n  ").append(one.what).append(", opened at ").append(opener(one.where));
    }
    AssertionError failure = new AssertionError(message.toString());
    for (Opened one : left) {
      failure.addSuppressed(one.where);
      try {
        one.resource.close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private static String opener(Throwable where) {
    for (StackTraceElement frame : where.getStackTrace()) {
      String name = frame.getClassName();
      boolean own =
          name.startsWith(OWN_PACKAGE + "Leak")
              || name.startsWith(OWN_PACKAGE + "Open")
              || name.startsWith(OWN_PACKAGE + "Intercepted")
              || name.startsWith(OWN_PACKAGE + "Watched");
      if (!own || name.endsWith("Test")) {
        return frame.toString();
      }
    }
    return "an unknown place";
  }
}
