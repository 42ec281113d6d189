package io.siltstone.tools.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** A result as one JSON document. */
public final class JsonDocument {
  private JsonDocument() {}

  /** What a document has. */
  @FunctionalInterface
  public interface Content {
    /** Writes the one value of the document. */
    void write(JsonGenerator json) throws IOException;
  }

  /** Prints a document, indented, and the end of its last line. */
  public static void print(Terminal terminal, Content content) throws IOException {
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(terminal.out())
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .useDefaultPrettyPrinter()) {
      content.write(json);
    }
    terminal.line("");
  }
}
