package io.siltstone.sstable.format;

import io.siltstone.io.CorruptFileException;
import io.siltstone.text.PrintableText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A component of an SSTable is damaged or contradicts another. Carries file, component, offset and
 * reason.
 */
public final class CorruptSSTableException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What is wrong, as far as another command mends it. */
  public enum Kind {
    /** The bytes of a component are not what was written, or contradict another component. */
    DAMAGED,
    /** The file of a component is missing. */
    MISSING,
    /**
     * Partitions, rows or range tombstones are out of order, or there twice; a scrub sorts them.
     */
    OUT_OF_ORDER,
    /**
     * The delta bases of timestamps, deletion times and TTLs are lost with the statistics; a
     * rebuild takes them as options.
     */
    DELTA_BASES_LOST
  }

  private final String path;
  private final Component component;
  private final long offset;
  private final String reason;
  private final Kind kind;

  /**
   * @param path full path of the component's file
   * @param offset in that file, in bytes, or {@link CorruptFileException#WHOLE_FILE}
   * @param reason what was found and what would be allowed
   */
  public CorruptSSTableException(String path, Component component, long offset, String reason) {
    this(path, component, offset, reason, null);
  }

  /**
   * Creates an exception as {@link #CorruptSSTableException(String, Component, long, String)} does,
   * with the exception that reported the damage.
   */
  public CorruptSSTableException(
      String path, Component component, long offset, String reason, @Nullable Throwable cause) {
    this(
        path,
        component,
        offset,
        reason,
        cause instanceof CorruptSSTableException inner ? inner.kind : Kind.DAMAGED,
        cause);
  }

  private CorruptSSTableException(
      String path,
      Component component,
      long offset,
      String reason,
      Kind kind,
      @Nullable Throwable cause) {
    super(
        PrintableText.of(
            "corrupt SSTable: "
                + path
                + " ("
                + component.fileName()
                + (offset == CorruptFileException.WHOLE_FILE
                    ? "): "
                    : ") at offset " + offset + ": ")
                + reason),
        cause);
    this.path = path;
    this.component = component;
    this.offset = offset;
    this.reason = reason;
    this.kind = kind;
  }

  /** Returns the exception for a file that is missing. */
  public static CorruptSSTableException missing(String path, Component component, String reason) {
    return new CorruptSSTableException(
        path, component, CorruptFileException.WHOLE_FILE, reason, Kind.MISSING, null);
  }

  /** Returns the exception for a finding of another kind than {@link Kind#DAMAGED}. */
  public static CorruptSSTableException ofKind(
      Kind kind, String path, Component component, long offset, String reason) {
    return new CorruptSSTableException(path, component, offset, reason, kind, null);
  }

  /** What the layer below found, with the component it belongs to. */
  public static CorruptSSTableException of(Component component, CorruptFileException e) {
    return new CorruptSSTableException(e.path(), component, e.offset(), e.reason(), e);
  }

  /**
   * Whether the bytes themselves are damaged, by their checksum or compressed form, rather than
   * making no sense where they were looked for.
   */
  public boolean isOfChecksum() {
    return getCause() instanceof CorruptFileException;
  }

  /** What is wrong, as far as another command mends it. */
  public Kind kind() {
    return kind;
  }

  /** Full path of the component's file. */
  public String path() {
    return path;
  }

  /** Which component. */
  public Component component() {
    return component;
  }

  /** Offset in bytes, or {@link CorruptFileException#WHOLE_FILE}. */
  public long offset() {
    return offset;
  }

  /** What was found and what would be allowed, without the place. */
  public String reason() {
    return reason;
  }
}
