package io.siltstone.sstable.format;

import io.siltstone.io.Directory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The common part of the names of one SSTable's files: {@code VERSION-ID-FORMAT}, e.g. {@code
 * nb-3-big} or {@code da-3gir_1kvb_0ad682iaxb7x1kx2ub-bti}.
 *
 * @param version of the format
 * @param id a generation number, or a time-ordered identifier in Cassandra's text form
 */
public record Descriptor(FormatVersion version, String id) {

  /** The suffix of temporary files, which are never part of an SSTable. */
  public static final String TEMPORARY_SUFFIX = ".tmp";

  // id: Cassandra's sequence number, or its UUID form of groups of base-36 digits.
  private static final Pattern NAME =
      Pattern.compile("([a-z]{2})-([0-9]+|[0-9a-z]{4}_[0-9a-z]{4}_[0-9a-z]{18})-([a-z]+)-(.+)");

  private static final Pattern ID = Pattern.compile("[0-9]+|[0-9a-z]{4}_[0-9a-z]{4}_[0-9a-z]{18}");

  /** Checks the identifier. */
  public Descriptor {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "SSTable id '"
              + id
              + "' is neither a number nor of the form xxxx_xxxx_xxxxxxxxxxxxxxxxxx");
    }
  }

  /** Returns the descriptor of a generation number, 1 or more. */
  public static Descriptor of(FormatVersion version, long generation) {
    return new Descriptor(version, Long.toString(generation));
  }

  /**
   * Returns the descriptor with which a component's file name begins.
   *
   * @param fileName without directory, e.g. {@code nb-3-big-Data.db}
   * @throws IllegalArgumentException if it is not the name of a component, or has a version or
   *     format that is not supported; the message says which
   */
  public static Descriptor parse(String fileName) {
    Matcher matcher = NAME.matcher(fileName);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + fileName
              + "' is not the name of an SSTable component; expected VERSION-ID-FORMAT-COMPONENT");
    }
    FormatVersion version = FormatVersion.of(matcher.group(1));
    if (!matcher.group(3).equals(version.formatName())) {
      throw new IllegalArgumentException(
          "'"
              + fileName
              + "' is of the format '"
              + matcher.group(3)
              + "', version '"
              + matcher.group(1)
              + "', which is not supported; that version is one of the format '"
              + version.formatName()
              + "'");
    }
    return new Descriptor(version, matcher.group(2));
  }

  /**
   * Returns the descriptor of an existing file; otherwise as {@link #parse(String)}.
   *
   * @throws UnsupportedSSTableException if the name is not supported; the message also names the
   *     directory
   */
  public static Descriptor parse(Directory directory, String fileName)
      throws UnsupportedSSTableException {
    try {
      return parse(fileName);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedSSTableException(directory.path() + ": " + e.getMessage(), e);
    }
  }

  /** Returns whether a file name is that of the given component of an SSTable of any version. */
  public static boolean isComponent(String fileName, Component component) {
    if (!fileName.endsWith(component.fileName())) {
      return false;
    }
    Matcher matcher = NAME.matcher(fileName);
    return matcher.matches() && matcher.group(4).equals(component.fileName());
  }

  /** Returns the name of a component's file. */
  public String fileName(Component component) {
    return this + "-" + component.fileName();
  }

  /** Returns the name of a component's file until it is complete and synced. */
  public String temporaryFileName(Component component) {
    return fileName(component) + TEMPORARY_SUFFIX;
  }

  /** Returns {@code VERSION-ID-FORMAT}. */
  @Override
  public String toString() {
    return version.text() + "-" + id + "-" + version.formatName();
  }
}
