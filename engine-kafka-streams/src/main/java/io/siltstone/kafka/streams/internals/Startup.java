package io.siltstone.kafka.streams.internals;

import org.apache.kafka.streams.processor.StateStoreContext;

/**
 * The beginning of an application, in which Kafka opens the stores of each task that it finds in
 * the state directory and closes them again, one task after the other, to learn their offsets.
 *
 * <p>Uses the name of {@code StateDirectory.StartupContext}, since nothing else says that the
 * stores will be opened again soon. If there is no such class, no store is opened for that.
 */
public final class Startup {
  private static final String CONTEXT =
      "org.apache.kafka.streams.processor.internals.StateDirectory$StartupContext";

  private Startup() {}

  /** Returns whether a store is opened to learn its offsets only. */
  public static boolean isIn(StateStoreContext context) {
    return context.getClass().getName().equals(CONTEXT);
  }
}
