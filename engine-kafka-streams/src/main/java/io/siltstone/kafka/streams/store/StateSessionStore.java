package io.siltstone.kafka.streams.store;

import static java.util.Objects.requireNonNull;

import io.siltstone.kafka.streams.internals.Retention;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.HeadersBytesStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlySessionStore;
import org.apache.kafka.streams.state.SessionStore;
import org.jspecify.annotations.Nullable;

/** A session store. Sessions expire by their ends. */
public class StateSessionStore extends TimedStore implements SessionStore<Bytes, byte[]> {
  /** The scope of the metrics of session stores. */
  public static final String SCOPE = "siltstone-session";

  /**
   * The parts of which a session store is made.
   *
   * @param isByTime whether sessions are ordered by their ends, with an index by key
   * @param values what the values are
   */
  record Parts(
      String name, StoreTables tables, boolean isByTime, TimeSegments segments, String values) {
    private String format() {
      return "session-" + values + (isByTime ? "-by-time" : "") + "-" + segments.intervalMillis();
    }
  }

  private final boolean isByTime;

  StateSessionStore(Parts parts) {
    super(
        parts.name(),
        parts.format(),
        SCOPE,
        parts.tables(),
        new TimedLayout(TimedKeys.SESSION, parts.isByTime(), parts.isByTime()),
        parts.segments());
    isByTime = parts.isByTime();
  }

  /**
   * Returns a store.
   *
   * @param retention for how many milliseconds sessions are kept
   * @param segmentInterval the time in milliseconds whose sessions expire together
   * @param isByTime whether sessions are ordered by their ends, with an index by key
   * @param withHeaders whether the values have headers
   */
  public static StateSessionStore of(
      String name,
      StoreTables tables,
      long retention,
      long segmentInterval,
      boolean isByTime,
      boolean withHeaders) {
    Parts parts =
        new Parts(
            name,
            tables,
            isByTime,
            new TimeSegments(retention, segmentInterval, false),
            withHeaders ? "headers" : "plain");
    if (Retention.Support.isKnown()) {
      return RetainedStores.session(parts, withHeaders);
    }
    return withHeaders ? new WithHeaders(parts) : new StateSessionStore(parts);
  }

  /** A store of values with headers. */
  static class WithHeaders extends StateSessionStore implements HeadersBytesStore {
    WithHeaders(Parts parts) {
      super(parts);
    }
  }

  private static byte[] timed(Windowed<Bytes> session) {
    return TimedKeys.session(session.key().get(), session.window().start(), session.window().end());
  }

  @Override
  public void put(Windowed<Bytes> sessionKey, byte @Nullable [] aggregate) {
    requireNonNull(sessionKey, "sessionKey cannot be null");
    table().put(timed(sessionKey), aggregate);
  }

  @Override
  public void remove(Windowed<Bytes> sessionKey) {
    requireNonNull(sessionKey, "sessionKey cannot be null");
    table().remove(timed(sessionKey));
  }

  private SessionView view() {
    return new SessionView(this, false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      long earliestSessionEndTime, long latestSessionEndTime) {
    if (!isByTime) {
      throw new UnsupportedOperationException(
          "store " + name() + " has its sessions in the order of their keys, not of their ends");
    }
    return view().ending(earliestSessionEndTime, latestSessionEndTime);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      Bytes key, long earliestSessionEndTime, long latestSessionStartTime) {
    return view().findSessions(key, earliestSessionEndTime, latestSessionStartTime);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      Bytes key, long earliestSessionEndTime, long latestSessionStartTime) {
    return view().backwardFindSessions(key, earliestSessionEndTime, latestSessionStartTime);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      long earliestSessionEndTime,
      long latestSessionStartTime) {
    return view().findSessions(keyFrom, keyTo, earliestSessionEndTime, latestSessionStartTime);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      long earliestSessionEndTime,
      long latestSessionStartTime) {
    return view()
        .backwardFindSessions(keyFrom, keyTo, earliestSessionEndTime, latestSessionStartTime);
  }

  @Override
  public byte @Nullable [] fetchSession(Bytes key, long sessionStartTime, long sessionEndTime) {
    return view().fetchSession(key, sessionStartTime, sessionEndTime);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(Bytes key) {
    return view().fetch(key);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(Bytes key) {
    return view().backwardFetch(key);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo) {
    return view().fetch(keyFrom, keyTo);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo) {
    return view().backwardFetch(keyFrom, keyTo);
  }

  @Override
  public ReadOnlySessionStore<Bytes, byte[]> readOnly(IsolationLevel isolationLevel) {
    requireNonNull(isolationLevel, "isolationLevel cannot be null");
    present().requireOpen();
    return new SessionView(this, isolationLevel == IsolationLevel.READ_COMMITTED);
  }
}
