package io.siltstone.tools.dump;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;

/**
 * The indentation of objects or arrays of a dump: each element on its own line, or, while compact,
 * all on one line.
 */
final class DumpLayout extends DefaultPrettyPrinter.NopIndenter {
  private static final long serialVersionUID = 1L;
  private static final String INDENT = "  ";

  private boolean compact;

  /** Sets whether what follows stays on the line or begins new ones. */
  void setCompact(boolean compact) {
    this.compact = compact;
  }

  @Override
  public boolean isInline() {
    return false;
  }

  @Override
  public void writeIndentation(JsonGenerator json, int level) throws IOException {
    if (compact) {
      json.writeRaw(' ');
      return;
    }
    json.writeRaw('\n');
    for (int i = 0; i < level; i++) {
      json.writeRaw(INDENT);
    }
  }
}
