package io.siltstone.sstable.format;

import io.siltstone.io.CorruptFileException;
import io.siltstone.text.PrintableText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a component of an SSTable is damaged or contradicts another. Carries file, component,
 * offset and reason.
 */
public final class CorruptSSTableException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The kind of damage, as far as different commands repair it. */
  public enum Kind {
    /** The bytes of a component differ from those written, or contradict another component. */
    DAMAGED,
    /** The file of a component is missing. */
    MISSING,
    /** Partitions, rows or range tombstones are out of order or duplicated; a scrub sorts them. */
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
   * @param reason what was found and what is allowed
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

  /** Returns the exception of the layer below as one of a component. */
  public static CorruptSSTableException of(Component component, CorruptFileException e) {
    return new CorruptSSTableException(e.path(), component, e.offset(), e.reason(), e);
  }

  /**
   * Returns whether the bytes themselves are damaged, according to their checksum or compressed
   * form, rather than impossible at their position.
   */
  public boolean isOfChecksum() {
    return getCause() instanceof CorruptFileException;
  }

  /** Returns the kind of damage. */
  public Kind kind() {
    return kind;
  }

  /** Returns the full path of the component's file. */
  public String path() {
    return path;
  }

  /** Returns the component. */
  public Component component() {
    return component;
  }

  /** Returns the offset in bytes, or {@link CorruptFileException#WHOLE_FILE}. */
  public long offset() {
    return offset;
  }

  /** Returns what was found and what is allowed, without the position. */
  public String reason() {
    return reason;
  }
}
