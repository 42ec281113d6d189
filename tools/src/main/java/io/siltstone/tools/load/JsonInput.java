package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/**
 * Reads JSON with Jackson. Strings, names and numbers may be as long as the text, whose length the
 * reader limits; arrays and objects may be nested {@value #MAX_DEPTH} deep.
 */
final class JsonInput {
  private static final int MAX_DEPTH = 1000;

  /** The parts of Jackson's messages that are for programmers: its features, its sources. */
  private static final Pattern INTERNALS =
      Pattern.compile(
          ":? *(?:\\(not recognized as one since Feature [^)]*\\)|enable `[^`]*` to allow"
              + "|\\(start marker at \\[[^]]*]\\))");

  /**
   * Names may be keys of maps, in any number, so they are not interned for the life of the process.
   */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private JsonInput() {}

  /** Reads a value with a parser that stands at its first token. */
  interface Action {
    /** Leaves the parser at the value's last token. */
    void read(JsonParser json) throws IOException;
  }

  /** Returns a parser of the first characters of an array, which the caller closes. */
  static JsonParser parser(char[] text, int length) throws IOException {
    return FACTORY.createParser(text, 0, length);
  }

  /**
   * Reads a text that is one value.
   *
   * @throws IllegalArgumentException if it is not JSON, or if the action throws it
   */
  static void read(String text, Action action) {
    try (JsonParser json = FACTORY.createParser(text)) {
      if (json.nextToken() == null) {
        throw new IllegalArgumentException("not JSON: expected a value, found the end");
      }
      action.read(json);
      checkEnd(json);
    } catch (JacksonException e) {
      throw refused(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks that only white space follows. */
  static void checkEnd(JsonParser json) throws IOException {
    if (json.nextToken() != null) {
      throw new IllegalArgumentException(
          "not JSON near character "
              + (json.currentTokenLocation().getCharOffset() + 1)
              + ": expected the end, found '"
              + Excerpt.of(json.getText())
              + "'");
    }
  }

  /** Returns the exception for a text that Jackson does not accept. */
  static IllegalArgumentException refused(JacksonException e) {
    JsonLocation location = e.getLocation();
    String where = location == null ? "" : " near character " + (location.getCharOffset() + 1);
    String reason = INTERNALS.matcher(e.getOriginalMessage()).replaceAll("");
    return new IllegalArgumentException("not JSON" + where + ": " + reason, e);
  }

  /** Returns the kind of value that begins with the token. */
  static String kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "object";
      case START_ARRAY -> "array";
      case VALUE_STRING -> "string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "number";
      case VALUE_TRUE, VALUE_FALSE -> "boolean";
      default -> "null";
    };
  }
}
