package io.siltstone.type;

/** A type's class name is well-formed, but not one of those that are supported. */
public final class UnknownTypeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnknownTypeException(String message) {
    super(message);
  }
}
