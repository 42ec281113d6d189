package io.siltstone.campaigns.threads;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Starts virtual threads, which exist from Java 21 on, from code that is compiled for Java 17. */
final class VirtualThreads {
  private VirtualThreads() {}

  /** Returns whether this Java has virtual threads. */
  static boolean areThere() {
    return Runtime.version().feature() >= 21;
  }

  /** Starts a virtual thread. */
  static Thread start(Runnable task) {
    try {
      Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
      return (Thread) start.invoke(null, task);
    } catch (InvocationTargetException | NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalStateException("no virtual threads in Java " + Runtime.version(), e);
    }
  }
}
