package io.siltstone.type;

/** Thrown for the class name of a type that is well-formed, but not supported. */
public final class UnknownTypeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnknownTypeException(String message) {
    super(message);
  }
}
