package io.siltstone.kafka.streams.store;

import static java.util.Objects.requireNonNull;

import io.siltstone.kafka.streams.internals.Windows;
import java.time.Instant;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlySessionStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a session store.
 *
 * @param committed whether they see only what is committed
 */
record SessionView(StateSessionStore store, boolean committed)
    implements ReadOnlySessionStore<Bytes, byte[]> {
  private SegmentedTable table() {
    return store.table();
  }

  private static Windowed<Bytes> session(byte[] timed) {
    return Windows.session(
        TimedKeys.SESSION.key(timed), TimedKeys.sessionStart(timed), TimedKeys.SESSION.time(timed));
  }

  KeyValueIterator<Windowed<Bytes>, byte[]> ending(long from, long to) {
    return table().sessionsEnding(from, to, committed, SessionView::session);
  }

  KeyValueIterator<Windowed<Bytes>, byte[]> find(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      long earliestEnd,
      long latestStart,
      boolean forward) {
    if (!store.isOpen()) {
      return Keys
          .noEntries(); // by Kafka's contract, a session store that is closed has no sessions
    }
    if (keyFrom != null && keyTo != null && keyFrom.compareTo(keyTo) > 0) {
      Keys.warnOfOrder();
      return Keys.noEntries();
    }
    return table()
        .fetch(
            keyFrom == null ? null : keyFrom.get(),
            keyTo == null ? null : keyTo.get(),
            earliestEnd,
            latestStart,
            forward,
            committed,
            SessionView::session);
  }

  private KeyValueIterator<Windowed<Bytes>, byte[]> find(
      Bytes key, long earliestEnd, long latestStart, boolean forward) {
    requireNonNull(key, "key cannot be null");
    return find(key, key, earliestEnd, latestStart, forward);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      Bytes key, long earliestSessionEndTime, long latestSessionStartTime) {
    return find(key, earliestSessionEndTime, latestSessionStartTime, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      Bytes key, long earliestSessionEndTime, long latestSessionStartTime) {
    return find(key, earliestSessionEndTime, latestSessionStartTime, false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      long earliestSessionEndTime,
      long latestSessionStartTime) {
    return find(keyFrom, keyTo, earliestSessionEndTime, latestSessionStartTime, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      long earliestSessionEndTime,
      long latestSessionStartTime) {
    return find(keyFrom, keyTo, earliestSessionEndTime, latestSessionStartTime, false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      Bytes key, Instant earliestSessionEndTime, Instant latestSessionStartTime) {
    return findSessions(
        key, earliestSessionEndTime.toEpochMilli(), latestSessionStartTime.toEpochMilli());
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      Bytes key, Instant earliestSessionEndTime, Instant latestSessionStartTime) {
    return backwardFindSessions(
        key, earliestSessionEndTime.toEpochMilli(), latestSessionStartTime.toEpochMilli());
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> findSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      Instant earliestSessionEndTime,
      Instant latestSessionStartTime) {
    return findSessions(
        keyFrom,
        keyTo,
        earliestSessionEndTime.toEpochMilli(),
        latestSessionStartTime.toEpochMilli());
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFindSessions(
      @Nullable Bytes keyFrom,
      @Nullable Bytes keyTo,
      Instant earliestSessionEndTime,
      Instant latestSessionStartTime) {
    return backwardFindSessions(
        keyFrom,
        keyTo,
        earliestSessionEndTime.toEpochMilli(),
        latestSessionStartTime.toEpochMilli());
  }

  @Override
  public byte @Nullable [] fetchSession(Bytes key, long sessionStartTime, long sessionEndTime) {
    requireNonNull(key, "key cannot be null");
    return table().get(TimedKeys.session(key.get(), sessionStartTime, sessionEndTime), committed);
  }

  @Override
  public byte @Nullable [] fetchSession(
      Bytes key, Instant sessionStartTime, Instant sessionEndTime) {
    return fetchSession(key, sessionStartTime.toEpochMilli(), sessionEndTime.toEpochMilli());
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(Bytes key) {
    return find(key, 0, Long.MAX_VALUE, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(Bytes key) {
    return find(key, 0, Long.MAX_VALUE, false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo) {
    return find(keyFrom, keyTo, 0, Long.MAX_VALUE, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo) {
    return find(keyFrom, keyTo, 0, Long.MAX_VALUE, false);
  }
}
