package io.siltstone.text;

import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The text of options, in one line: those that differ from their defaults, as {@code
 * CommitLogOptions[syncMode=BATCH]}. Not safe for use by several threads.
 */
public final class OptionsText {
  private final StringJoiner text;

  /** Begins the text of options of a type. */
  public OptionsText(Class<?> type) {
    text = new StringJoiner(", ", type.getSimpleName() + "[", "]");
  }

  /** Adds an option and its value, unless that is the default. */
  public OptionsText add(String name, @Nullable Object value, @Nullable Object byDefault) {
    if (!Objects.equals(value, byDefault)) {
      text.add(name + "=" + value);
    }
    return this;
  }

  /**
   * Adds an option and the class of its value, unless it is the default: what has no text of its
   * own, or one that must not be shown.
   */
  public OptionsText addClass(String name, @Nullable Object value, @Nullable Object byDefault) {
    if (value != null && !value.equals(byDefault)) {
      text.add(name + "=" + value.getClass().getName());
    }
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
