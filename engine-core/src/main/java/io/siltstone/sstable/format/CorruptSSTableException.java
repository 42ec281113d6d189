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

  private final String path;
  private final Component component;
  private final long offset;
  private final String reason;

  /**
   * @param path full path of the component's file
   * @param offset in that file, in bytes, or {@link CorruptFileException#WHOLE_FILE}
   * @param reason what was found and what would be allowed
   */
  public CorruptSSTableException(String path, Component component, long offset, String reason) {
    this(path, component, offset, reason, null);
  }

  /**
   * As {@link #CorruptSSTableException(String, Component, long, String)}, with the exception that
   * told of it.
   */
  public CorruptSSTableException(
      String path, Component component, long offset, String reason, @Nullable Throwable cause) {
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
