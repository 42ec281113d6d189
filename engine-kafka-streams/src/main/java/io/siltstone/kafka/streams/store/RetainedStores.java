package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.internals.Retention;

/**
 * Window and session stores that say for how long they keep entries, which Kafka asks since 4.4. In
 * a class of their own, so that nothing of it is loaded with an earlier version.
 */
final class RetainedStores {
  private RetainedStores() {}

  static StateWindowStore window(StateWindowStore.Parts parts) {
    return switch (parts.kind().values()) {
      case PLAIN -> new Window(parts);
      case TIMESTAMPED -> new TimestampedWindow(parts);
      case WITH_HEADERS -> new WindowWithHeaders(parts);
    };
  }

  static StateSessionStore session(StateSessionStore.Parts parts, boolean withHeaders) {
    return withHeaders ? new SessionWithHeaders(parts) : new Session(parts);
  }

  private static final class Window extends StateWindowStore implements Retention {
    Window(StateWindowStore.Parts parts) {
      super(parts);
    }
  }

  private static final class TimestampedWindow extends StateWindowStore.Timestamped
      implements Retention {
    TimestampedWindow(StateWindowStore.Parts parts) {
      super(parts);
    }
  }

  private static final class WindowWithHeaders extends StateWindowStore.WithHeaders
      implements Retention {
    WindowWithHeaders(StateWindowStore.Parts parts) {
      super(parts);
    }
  }

  private static final class Session extends StateSessionStore implements Retention {
    Session(StateSessionStore.Parts parts) {
      super(parts);
    }
  }

  private static final class SessionWithHeaders extends StateSessionStore.WithHeaders
      implements Retention {
    SessionWithHeaders(StateSessionStore.Parts parts) {
      super(parts);
    }
  }
}
