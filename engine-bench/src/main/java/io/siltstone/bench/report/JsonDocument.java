package io.siltstone.bench.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;

/**
 * Writes JSON documents in UTF-8, each followed by a line feed. Commands and reports write all of
 * their JSON through this class. The streams stay open.
 */
public final class JsonDocument {
  private JsonDocument() {}

  /** Writes the value, or the fields, of a document. */
  @FunctionalInterface
  public interface Content {
    /** Writes to a generator that is closed afterwards by its creator. */
    void write(JsonGenerator json) throws IOException;
  }

  /** Writes a document with indentation. */
  public static void write(OutputStream out, Content value) throws IOException {
    write(out, generator(out).setPrettyPrinter(new DefaultPrettyPrinter()), value);
  }

  /** Writes a document that is an object, with indentation. */
  public static void writeObject(OutputStream out, Content fields) throws IOException {
    write(
        out,
        json -> {
          json.writeStartObject();
          fields.write(json);
          json.writeEndObject();
        });
  }

  /** Writes a document on one line. */
  public static void writeLine(OutputStream out, Content value) throws IOException {
    write(out, generator(out), value);
  }

  private static void write(OutputStream out, JsonGenerator generator, Content value)
      throws IOException {
    try (generator) {
      value.write(generator);
    }
    out.write('\n');
  }

  /**
   * Returns a generator for a document that is written piece by piece. It writes on one line until
   * it is given a pretty printer, and closing it does not close the stream.
   */
  public static JsonGenerator generator(OutputStream out) throws IOException {
    // Through a writer: straight to bytes, Jackson escapes what has two chars, as Cassandra does
    // not.
    return new JsonFactory()
        .createGenerator(new OutputStreamWriter(out, StandardCharsets.UTF_8))
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  }
}
