package io.siltstone.bench.experiment;

import java.util.List;

/** An engine to be compared with is none that there is. */
public final class UnknownEngineException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnknownEngineException(String name, List<String> allowed) {
    super("there is no engine " + name + ", allowed " + String.join(", ", allowed));
  }
}
