package io.siltstone.kafka.streams.store;

import static java.util.Objects.requireNonNull;

import io.siltstone.kafka.streams.internals.Retention;
import io.siltstone.kafka.streams.internals.WindowCache;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.HeadersBytesStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyWindowStore;
import org.apache.kafka.streams.state.TimestampedBytesStore;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/**
 * A window store. If it retains duplicates, entries of the same key and window are distinguished by
 * a sequence number, as in the changelog.
 */
public class StateWindowStore extends TimedStore implements WindowStore<Bytes, byte[]> {
  /**
   * A kind of window store.
   *
   * @param isByTime whether windows are ordered by time instead of by key
   * @param hasIndex whether windows that are ordered by time have an index by key
   * @param values what the values are
   */
  public record Kind(boolean isByTime, boolean hasIndex, Values values) {
    private String format(TimeSegments segments) {
      return "window-"
          + values.text
          + (isByTime ? "-by-time" : "")
          + (hasIndex ? "-indexed" : "")
          + "-"
          + segments.intervalMillis();
    }

    private TimedLayout layout() {
      return new TimedLayout(TimedKeys.WINDOW, isByTime, hasIndex);
    }
  }

  /** The form of the values of a store, which Kafka's wrappers make. */
  public enum Values {
    /** Plain values. */
    PLAIN("plain"),
    /** Values with timestamps. */
    TIMESTAMPED("timestamped"),
    /** Values with timestamps and headers. */
    WITH_HEADERS("headers");

    private final String text;

    Values(String text) {
      this.text = text;
    }
  }

  /** The scope of the metrics of window stores. */
  public static final String SCOPE = "siltstone-window";

  /**
   * The parts of which a window store is made.
   *
   * @param windowSize in milliseconds
   */
  record Parts(
      String name,
      StoreTables tables,
      Kind kind,
      TimeSegments segments,
      long windowSize,
      boolean retainDuplicates) {}

  private final Kind kind;
  private final TimeSegments segments;
  private final long windowSize;
  private final boolean retainDuplicates;
  private int sequence;

  StateWindowStore(Parts parts) {
    super(
        parts.name(),
        parts.kind().format(parts.segments()),
        SCOPE,
        parts.tables(),
        parts.kind().layout(),
        parts.segments());
    kind = parts.kind();
    segments = parts.segments();
    windowSize = parts.windowSize();
    retainDuplicates = parts.retainDuplicates();
  }

  /**
   * Returns a store.
   *
   * @param retention for how many milliseconds windows are kept
   * @param segmentInterval the time in milliseconds whose windows expire together
   */
  public static StateWindowStore of(
      String name,
      StoreTables tables,
      Kind kind,
      long retention,
      long segmentInterval,
      long windowSize,
      boolean retainDuplicates) {
    Parts parts =
        new Parts(
            name,
            tables,
            kind,
            // As Kafka has it: a window may close when it is as old as the retention period.
            new TimeSegments(retention, segmentInterval, kind.isByTime()),
            windowSize,
            retainDuplicates);
    if (Retention.Support.isKnown()) {
      return RetainedStores.window(parts);
    }
    return switch (kind.values()) {
      case PLAIN -> new StateWindowStore(parts);
      case TIMESTAMPED -> new Timestamped(parts);
      case WITH_HEADERS -> new WithHeaders(parts);
    };
  }

  /** A store of values with timestamps. */
  static class Timestamped extends StateWindowStore implements TimestampedBytesStore {
    Timestamped(Parts parts) {
      super(parts);
    }
  }

  /**
   * A store of values with timestamps and headers. It has both marks, as Kafka's own: Kafka looks
   * for the one of headers first.
   */
  static class WithHeaders extends Timestamped implements HeadersBytesStore {
    WithHeaders(Parts parts) {
      super(parts);
    }
  }

  /**
   * Returns the format with windows in the order of keys if Kafka's cache, which expects it, is
   * there.
   */
  @Override
  String formatIn(StateStore root, String usual) {
    Kind cached = new Kind(false, false, kind.values());
    boolean isOrdered = kind.isByTime() && WindowCache.isIn(root);
    use(isOrdered ? cached.layout() : kind.layout());
    return isOrdered ? cached.format(segments) : kind.format(segments);
  }

  long windowSize() {
    return windowSize;
  }

  int sequence() {
    return sequence;
  }

  @Override
  public void put(Bytes key, byte @Nullable [] value, long windowStartTimestamp) {
    requireNonNull(key, "key cannot be null");
    if (value == null && retainDuplicates) {
      return; // Which of the duplicates would be deleted?
    }
    if (retainDuplicates) {
      sequence = (sequence + 1) & Integer.MAX_VALUE;
    }
    table().put(TimedKeys.window(key.get(), windowStartTimestamp, sequence), value);
  }

  private WindowView view() {
    return new WindowView(this, false);
  }

  @Override
  public byte @Nullable [] fetch(Bytes key, long time) {
    return view().fetch(key, time);
  }

  @Override
  public WindowStoreIterator<byte[]> fetch(Bytes key, long timeFrom, long timeTo) {
    return view().fetch(key, timeFrom, timeTo, true);
  }

  @Override
  public WindowStoreIterator<byte[]> backwardFetch(Bytes key, long timeFrom, long timeTo) {
    return view().fetch(key, timeFrom, timeTo, false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, long timeFrom, long timeTo) {
    return view().fetch(keyFrom, keyTo, timeFrom, timeTo, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetch(
      @Nullable Bytes keyFrom, @Nullable Bytes keyTo, long timeFrom, long timeTo) {
    return view().fetch(keyFrom, keyTo, timeFrom, timeTo, false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> fetchAll(long timeFrom, long timeTo) {
    return view().fetchAll(timeFrom, timeTo, true);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardFetchAll(long timeFrom, long timeTo) {
    return view().fetchAll(timeFrom, timeTo, false);
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> all() {
    return view().all();
  }

  @Override
  public KeyValueIterator<Windowed<Bytes>, byte[]> backwardAll() {
    return view().backwardAll();
  }

  @Override
  public ReadOnlyWindowStore<Bytes, byte[]> readOnly(IsolationLevel isolationLevel) {
    requireNonNull(isolationLevel, "isolationLevel cannot be null");
    present().requireOpen();
    return new WindowView(this, isolationLevel == IsolationLevel.READ_COMMITTED);
  }
}
