package io.siltstone.tools.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A result as one JSON document. */
public final class JsonDocument {
  private JsonDocument() {}

  /** What a document has. */
  @FunctionalInterface
  public interface Content {
    /** Writes the document's value. */
    void write(JsonGenerator json) throws IOException;
  }

  /** Prints a document, indented, and the end of its last line. */
  public static void print(Terminal terminal, Content content) throws IOException {
    print(terminal, content, new DefaultPrettyPrinter());
  }

  /** Prints a document in one line. */
  public static void printLine(Terminal terminal, Content content) throws IOException {
    print(terminal, content, null);
  }

  private static void print(Terminal terminal, Content content, @Nullable PrettyPrinter printer)
      throws IOException {
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(terminal.out())
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(printer)) {
      content.write(json);
    }
    terminal.line("");
  }
}
