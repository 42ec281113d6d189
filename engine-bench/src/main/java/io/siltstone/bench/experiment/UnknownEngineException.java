package io.siltstone.bench.experiment;

import java.util.List;

/** Thrown if an engine to be compared with does not exist. */
public final class UnknownEngineException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnknownEngineException(String name, List<String> allowed) {
    super("there is no engine " + name + ", allowed " + String.join(", ", allowed));
  }
}
